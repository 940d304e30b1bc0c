/** Reading a certificate wherever a server may show it: the documents leave the forms of a serial open. */
import type { Action, Ceremony, Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { get, isSuccess, StepFailed } from '../../harness/vocabulary/index.ts'
import { action } from './given.ts'
import { certificateOf, keysOf } from './judge-reply.ts'

/** The form that the server itself gives comes first. */
const forms = ['Told', 'Colons', 'Hyphens', ''] as const
const certificateAt = (serial: string, as?: string): Exchange =>
  get(`{mount}/cert/{${serial}}`, as === undefined ? {} : { as })
const everyForm = (serial: string, as?: string): readonly Exchange[] =>
  forms.map((form) => certificateAt(serial + form, as))

/** The reply that serves, else the last one; each path is asked once. */
async function firstOf(
  scope: Scope,
  exchanges: readonly Exchange[],
  serves: (reply: Reply) => boolean,
): Promise<{ reply: Reply; exchange: Exchange } | undefined> {
  const asked = new Set<string>()
  let last: { reply: Reply; exchange: Exchange } | undefined
  for (const exchange of exchanges) {
    const path = scope.fill(exchange.path)
    if (asked.has(path)) continue
    asked.add(path)
    last = { reply: await scope.send(exchange), exchange }
    if (serves(last.reply)) return last
  }
  return last
}

const ceremony = (words: string, touches: readonly Exchange[], serves: (reply: Reply, scope: Scope) => boolean) => ({
  kind: 'ceremony' as const,
  words,
  touches,
  async run(scope: Scope): Promise<Reply> {
    const found = await firstOf(scope, touches, (reply) => serves(reply, scope))
    if (!found) throw new TypeError('nothing to read')
    return found.reply
  },
})

/** `cert/:serial` with the serial in each form that is known, until one is served. */
export const readBySerial = (serial = 'serial', as?: string): Ceremony =>
  ceremony(
    `GET \`{mount}/cert/:serial\`${as ? ` as ${as}` : ''}, the serial as the server gives it, with colons, with hyphens or plain`,
    everyForm(serial, as),
    isSuccess,
  )

/** In one form at least the certificate can be read: `{serial}Read` is the serial in that form. */
export const readable = (serial = 'serial'): Action =>
  action(`the certificate \`${serial}\` can be read`, [`${serial}Read`], everyForm(serial), async (scope) => {
    const found = await firstOf(scope, everyForm(serial), (reply) => certificateOf(reply) !== undefined)
    if (!found || !certificateOf(found.reply))
      throw new StepFailed(
        'saved-invalid',
        { name: serial, what: 'the serial of a certificate that is read' },
        found?.reply,
      )
    scope.save(`${serial}Read`, scope.fill(found.exchange.path).split('/').at(-1) ?? '')
  })
/** `cert/:serial` in the form that was found to be read. */
export const readAgain = (serial = 'serial', as?: string): Exchange => certificateAt(`${serial}Read`, as)

const caPlaces = (serial: string): readonly Exchange[] => [
  get('{mount}/ca/pem'),
  get('{mount}/ca'),
  get('{mount}/ca_chain'),
  ...everyForm(serial),
]

/** Every documented place that may show the certificate of the CA, until one does. */
export const readCaAnywhere = (serial: string, shows: (reply: Reply, scope: Scope) => boolean): Ceremony =>
  ceremony(
    'GET `ca/pem`, `ca`, `ca_chain`, `cert/:serial`, until one shows the certificate',
    caPlaces(serial),
    (reply, scope) => isSuccess(reply) && shows(reply, scope),
  )

/** The same places, until one shows a private key; `ca/pem` comes last, to be judged where none does. */
export const readKeyAnywhere = (serial: string): Ceremony =>
  ceremony(
    'GET `ca`, `ca_chain`, `cert/:serial`, `ca/pem`, until one shows a private key',
    [...caPlaces(serial).slice(1), ...caPlaces(serial).slice(0, 1)],
    (reply) => isSuccess(reply) && keysOf(reply).length > 0,
  )
