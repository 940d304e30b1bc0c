/** What a refused request about methods or secrets must leave alone. Secrets cannot be read: that there is one, or none, is
 * seen by asking for another. */
import type { Exchange, Scope, Witness } from '../../harness/vocabulary/index.ts'
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

/** The settings of a method, where there is one. */
export const methodStays = (reading: Exchange, beside?: Exchange): Witness =>
  reads(reading, { fields: settings, ...(beside ? { beside } : {}) })

/** An entity has no secret of a method. The secret that each look makes is destroyed again. It looks twice before the request,
 * so that a server which keeps a destroyed secret is not accused of having made one. */
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

/** An entity still has the secret `earlier`: no other is made. */
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

/** No method of that issuer, or without one, comes to a list that other checks add methods to. `method` is one that has an
 * issuer: where reading it shows none, methods without an issuer cannot be told from others. */
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
        const example = await scope.send({ ...listing, method: 'GET', path: pathOf(`{${method}}`) })
        if (isSuccess(example) && (fieldOf(example, 'issuer') ?? '') === '')
          throw new DoesNotApply(`${example.asked} does not show \`issuer\``)
      }
      const found: string[] = []
      for (const id of ids.filter((one) => !known.get(scope)?.includes(one))) {
        const read = await scope.send({ ...listing, method: 'GET', path: pathOf(id) })
        // What another check made may be gone by now.
        if (isSuccess(read) && (fieldOf(read, 'issuer') ?? '') === scope.fill(issuer)) found.push(id)
      }
      return { ...requestOf(reply), state: found }
    },
  }
}
