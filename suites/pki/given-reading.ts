/** Reading a certificate wherever a server may show it: the documents leave the forms of a serial open. */
import type { Ceremony, Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { get, isSuccess } from '../../harness/vocabulary/index.ts'

async function firstOf(scope: Scope, exchanges: readonly [Exchange, ...Exchange[]], serves: (reply: Reply) => boolean) {
  const [first, ...rest] = exchanges
  let reply = await scope.send(first)
  for (const exchange of rest) {
    if (serves(reply)) return reply
    reply = await scope.send(exchange)
  }
  return reply
}

const formsOf = (serial: string, as?: string): readonly [Exchange, ...Exchange[]] => {
  const at = (form: string): Exchange => get(`{mount}/cert/{${serial}${form}}`, as === undefined ? {} : { as })
  return [at('Colons'), at('Hyphens'), at('')]
}

/** `cert/:serial` with the serial in each form that is known, until one is served. */
export const readBySerial = (serial = 'serial', as?: string): Ceremony => ({
  kind: 'ceremony',
  words: `GET \`{mount}/cert/:serial\`${as ? ` as ${as}` : ''}, the serial with colons, with hyphens or plain`,
  touches: formsOf(serial, as),
  run: (scope) => firstOf(scope, formsOf(serial, as), isSuccess),
})

/** Every documented place that may show the certificate of the CA, until one does. */
export const readCaAnywhere = (serial: string, shows: (reply: Reply, scope: Scope) => boolean): Ceremony => {
  const places = [get('{mount}/ca/pem'), get('{mount}/ca'), get('{mount}/ca_chain'), ...formsOf(serial)] as const
  return {
    kind: 'ceremony',
    words: 'GET `ca/pem`, `ca`, `ca_chain`, `cert/:serial`, until one shows the certificate',
    touches: places,
    run: (scope) => firstOf(scope, places, (reply) => isSuccess(reply) && shows(reply, scope)),
  }
}
