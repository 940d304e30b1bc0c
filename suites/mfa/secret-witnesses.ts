/** Witnesses of what a refused request about secrets must leave unchanged. Secrets cannot be read, so only generating
 * another one shows whether a secret exists. */
import {
  isRefusal,
  isSuccess,
  replyLacks,
  requestOf,
  requestWords,
  stepRefused,
  type Witness,
} from '../../harness/vocabulary/index.ts'
import { secretIn } from './secret.ts'
import { notShown } from './then.ts'
import type { Variant } from './variant.ts'

/** Shows whether an entity has no secret of a method. Each look destroys the secret that it generates. There are two
 * looks before the request, so that a server which keeps a destroyed secret is not accused of having generated one. */
export function noSecretOn({ adminGenerate, adminDestroy }: Variant, owner: string, method = 'method'): Witness {
  const [make, destroy] = [adminGenerate(owner, method), adminDestroy(owner, method)]
  return {
    kind: 'witness',
    words: `${requestWords(make)} gives a secret`,
    touches: [make, destroy],
    steady: false,
    async look(scope, moment) {
      const reply = await scope.send(make)
      const isGiven = secretIn(reply) !== undefined
      if (!isGiven && moment === 'before')
        throw isSuccess(reply) ? notShown(reply, 'secret') : replyLacks(reply, 'a secret')
      const destroyed = await scope.send(destroy)
      if (isRefusal(destroyed)) throw stepRefused(destroyed)
      return { ...requestOf(reply), state: { secret: isGiven ? 'given' : 'not given: there is one' } }
    },
  }
}

/** Shows that an entity still has the secret `earlier`: no other secret is generated. */
export function secretStays({ adminGenerate }: Variant, owner: string, earlier: string): Witness {
  const make = adminGenerate(owner)
  return {
    kind: 'witness',
    words: `${requestWords(make)} gives the secret \`${earlier}\` or none`,
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
