/** The topics that both variants of TOTP MFA share, in one table. A topic that only one variant has is a file in the
 * folder of its area. The default export lists every topic of this file for the runner. */
import type { Topic } from '../../harness/vocabulary/index.ts'
import { boundsOf, misfitsOf } from './bounds.ts'
import { callerNames, callersOf } from './callers.ts'
import { invalidRequestNames, invalidRequestsOf } from './invalid-requests.ts'
import { lifecycleNames, lifecycleOf } from './lifecycle.ts'
import { namesApart } from './names.ts'
import { secretsOf } from './secret-contents.ts'
import { topic } from './topic.ts'
import { valuesOf } from './values.ts'
import { identity, legacy, type Variant } from './variant.ts'

const topicsOf = (variant: Variant) => ({
  fields: topic(`${variant.area}/fields`, {
    about: 'The defaults and the given values of the fields of a TOTP method, and what its secrets take from them.',
    names: [...variant.names, 'person', 'other', 'access', 'user'],
    checks: [...valuesOf(variant), ...secretsOf(variant)],
  }),
  limits: topic(`${variant.area}/limits`, {
    about: 'Digits, skew and algorithms outside the closed lists, and values of the wrong JSON type.',
    names: [...variant.names, 'label'],
    checks: [...boundsOf(variant), ...misfitsOf(variant)],
  }),
  access: topic(`${variant.area}/access`, {
    about: 'Only a token with an entity can generate a secret of its own.',
    names: [...variant.names, ...callerNames],
    checks: callersOf(variant),
  }),
})

export const identityTopics = topicsOf(identity)

export const legacyTopics = {
  ...topicsOf(legacy),
  transitions: topic('mfa-legacy/transitions', {
    about:
      'TOTP methods by name, and the secrets of entities: how both are created, kept, destroyed and created again.',
    names: [...legacy.names, ...lifecycleNames],
    checks: [...lifecycleOf(legacy), ...namesApart],
  }),
  errors: topic('mfa-legacy/errors', {
    about: 'Requests that lack a required field, or that name a method or an entity which does not exist.',
    names: [...legacy.names, ...invalidRequestNames],
    checks: invalidRequestsOf(legacy),
  }),
}

const all: readonly Topic[] = [...Object.values(identityTopics), ...Object.values(legacyTopics)]
export default all
