/** Reads a certificate in every way that a server may support: the documents leave the format of a serial open. */
import type { Ceremony, Exchange, Reply, Scope } from '../../../harness/vocabulary/index.ts'
import { get, isSuccess, StepFailed } from '../../../harness/vocabulary/index.ts'
import { action } from '../../records.ts'
import { certificateOf, keysOf } from '../judge/reply.ts'

/** The server's own format comes first. */
const forms = ['Told', 'Colons', 'Hyphens', ''] as const
const certificateAt = (serial: string, as?: string): Exchange =>
  get(`{mount}/cert/{${serial}}`, as === undefined ? {} : { as })
const everyForm = (serial: string, as?: string): readonly Exchange[] =>
  forms.map((form) => certificateAt(serial + form, as))

/** Returns the first reply that `serves` accepts, otherwise the last one. Each path is requested once. */
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

/** Reads `cert/:serial` with the serial in each known format until one succeeds. */
export const readBySerial = (serial = 'serial', as?: string): Ceremony =>
  ceremony(
    `GET \`{mount}/cert/:serial\`${as ? ` as ${as}` : ''}, the serial as the server gives it, with colons, with hyphens or plain`,
    everyForm(serial, as),
    isSuccess,
  )

/** Shows that the certificate can be read by its serial in some format, and saves the serial in that format as
 * `{serial}Read`. */
export const readable = (serial = 'serial') =>
  action(
    `the certificate \`${serial}\` can be read`,
    { touches: everyForm(serial), provides: [`${serial}Read`] },
    async (scope) => {
      const found = await firstOf(scope, everyForm(serial), (reply) => certificateOf(reply) !== undefined)
      if (!found || !certificateOf(found.reply))
        throw new StepFailed(
          'saved-invalid',
          { name: serial, what: 'the serial of a certificate that is read' },
          found?.reply,
        )
      scope.save(`${serial}Read`, scope.fill(found.exchange.path).split('/').at(-1) ?? '')
    },
  )
/** Reads `cert/:serial` in the format that succeeded before. */
export const readAgain = (serial = 'serial', as?: string): Exchange => certificateAt(`${serial}Read`, as)

const caPlaces = (serial: string): readonly Exchange[] => [
  get('{mount}/ca/pem'),
  get('{mount}/ca'),
  get('{mount}/ca_chain'),
  ...everyForm(serial),
]

/** Reads the documented paths that may show the certificate of the CA, until one does. */
export const readCaAnywhere = (serial: string, shows: (reply: Reply, scope: Scope) => boolean): Ceremony =>
  ceremony(
    'GET `ca/pem`, `ca`, `ca_chain`, `cert/:serial`, until one shows the certificate',
    caPlaces(serial),
    (reply, scope) => isSuccess(reply) && shows(reply, scope),
  )

/** Reads the same paths until one shows a private key; `ca/pem` comes last, and is judged if none does. */
export const readKeyAnywhere = (serial: string): Ceremony =>
  ceremony(
    'GET `ca`, `ca_chain`, `cert/:serial`, `ca/pem`, until one shows a private key',
    [...caPlaces(serial).slice(1), ...caPlaces(serial).slice(0, 1)],
    (reply) => isSuccess(reply) && keysOf(reply).length > 0,
  )
