/** A refused request about methods or secrets must leave these witnesses unchanged. Secrets cannot be read: only
 * generating another shows whether there is one. */
import type { Exchange, Json, Reply, Scope, Witness } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  fieldOf,
  isRefusal,
  isSuccess,
  keysOf,
  reads,
  replyLacks,
  requestOf,
  stepRefused,
} from '../../harness/vocabulary/index.ts'
import { secretIn } from './secret.ts'
import type { Variant } from './variant.ts'

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

/** The settings of a method, if it exists. */
export const methodStays = (reading: Exchange, beside?: Exchange): Witness =>
  reads(reading, { fields: settings, ...(beside ? { beside } : {}) })

/** An entity has no secret of a method. Each look destroys the secret that it generates. There are two looks before the
 * request, so that a server which keeps a destroyed secret is not accused of having generated one. */
export function noSecretOn({ adminGenerate, adminDestroy }: Variant, owner: string, method = 'method'): Witness {
  const [make, destroy] = [adminGenerate(owner, method), adminDestroy(owner, method)]
  return {
    kind: 'witness',
    words: `${make.method} \`${make.path}\` gives \`${owner}\` a secret`,
    touches: [make, destroy],
    steady: false,
    async look(scope, moment) {
      const reply = await scope.send(make)
      const isGiven = secretIn(reply) !== undefined
      const says = `${reply.asked} answered ${reply.status} and showed no secret`
      if (!isGiven && moment === 'before')
        throw isSuccess(reply) ? new DoesNotApply(says) : replyLacks(reply, 'a secret')
      const destroyed = await scope.send(destroy)
      if (isRefusal(destroyed)) throw stepRefused(destroyed)
      return { ...requestOf(reply), state: { secret: isGiven ? 'given' : 'not given: there is one' } }
    },
  }
}

/** An entity still has the secret `earlier`: no other one is generated. */
export function secretStays({ adminGenerate }: Variant, owner: string, earlier: string): Witness {
  const make = adminGenerate(owner)
  return {
    kind: 'witness',
    words: `${make.method} \`${make.path}\` gives \`${owner}\` no secret but \`${earlier}\``,
    touches: [make],
    steady: true,
    async look(scope) {
      const reply = await scope.send(make)
      const secret = secretIn(reply)
      const isOther = secret !== undefined && secret.key !== scope.value(earlier)
      return { ...requestOf(reply), state: isOther ? 'another secret is given' : 'no other secret is given' }
    },
  }
}

const known = new WeakMap<Scope, readonly string[]>()

const issuerIn = (reply: Reply): Json => fieldOf(reply, 'issuer') ?? ''
function assertShowsIssuer(reply: Reply): void {
  if (isSuccess(reply) && issuerIn(reply) === '') throw new DoesNotApply(`${reply.asked} does not show \`issuer\``)
}

/** No method with that issuer, or without one, is added to a list to which other checks add methods. `method` has an
 * issuer: if reading it shows none, methods without an issuer cannot be told apart. */
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
        // Methods of other checks may be deleted meanwhile.
        if (isSuccess(read) && issuerIn(read) === scope.fill(issuer)) found.push(id)
      }
      return { ...requestOf(reply), state: found }
    },
  }
}
