/** Witnesses of what a refused request about methods must leave unchanged. */
import type { Exchange, Json, Reply, Scope, Witness } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  fieldOf,
  isSuccess,
  keysOf,
  reads,
  replyLacks,
  requestOf,
} from '../../harness/vocabulary/index.ts'

const settings = [
  'issuer',
  'period',
  'key_size',
  'qr_size',
  'algorithm',
  'digits',
  'skew',
  'max_validation_attempts',
] as const

/** Shows the settings of a method, if it exists. */
export const methodStays = (reading: Exchange, beside?: Exchange): Witness =>
  reads(reading, { fields: settings, ...(beside ? { beside } : {}) })

const known = new WeakMap<Scope, readonly string[]>()

const issuerIn = (reply: Reply): Json => fieldOf(reply, 'issuer') ?? ''
function assertShowsIssuer(reply: Reply): void {
  if (isSuccess(reply) && issuerIn(reply) === '')
    throw DoesNotApply.shown(reply, `${reply.asked} does not show \`issuer\``)
}

/** Shows that no method with that issuer, or without one, was added to a list to which other checks add methods.
 * `method` has an issuer: if a read of it shows none, methods without an issuer cannot be distinguished. */
export function noMethodOf(issuer: string, listing: Exchange, method: string): Witness {
  const pathOf = (id: string): string => `${listing.path}/${id}`
  return {
    kind: 'witness',
    words: `LIST \`${listing.path}\` shows the methods ${issuer === '' ? 'without an issuer' : `of ${issuer}`}`,
    touches: [listing, { ...listing, method: 'GET', path: pathOf('{method}') }],
    steady: true,
    async look(scope, moment) {
      const reply = await scope.send(listing)
      const ids = keysOf(reply, 'id')
      if (!ids) throw replyLacks(reply, 'a list of ids')
      if (moment === 'before') {
        known.set(scope, ids)
        assertShowsIssuer(await scope.send({ ...listing, method: 'GET', path: pathOf(`{${method}}`) }))
      }
      const found: string[] = []
      for (const id of ids.filter((one) => !known.get(scope)?.includes(one))) {
        const read = await scope.send({ ...listing, method: 'GET', path: pathOf(id) })
        // Methods of other checks may be deleted meanwhile, and their reads are refused.
        if (isSuccess(read) && issuerIn(read) === scope.fill(issuer)) found.push(id)
      }
      return { ...requestOf(reply), state: found }
    },
  }
}
