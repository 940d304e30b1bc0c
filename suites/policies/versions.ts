import { check, field, next, refused, topic } from '../../harness/vocabulary/index.ts'
import { aclDocument, token } from '../given.ts'
import { bodyOf, everyKind, governingKinds, read, readingOf, twoDocuments, written } from './given.ts'
import { document, policyShown } from './then.ts'

/** The editions without RGP and EGP. Only a create can distinguish a missing endpoint from one that has nothing to
 * show. */
const lesser = ['community', 'enterprise'] as const

const byEdition = lesser.flatMap((edition) => [
  ...governingKinds.map((kind) =>
    check(`${kind}-is-absent-on-${edition}`, {
      requirement: `policies.${kind}.edition.premium-only`,
      applies: { editions: [edition] },
      given: [...twoDocuments(kind), aclDocument('grants', [{ path: readingOf('{policy}'), capabilities: ['read'] }])],
      when: written(kind, bodyOf(kind, 'first')),
      then: [refused(policyShown(read(kind), true))],
      control: written('acl', bodyOf('acl', 'grants')),
    }),
  ),
  check(`acl-is-served-on-${edition}`, {
    requirement: 'policies.acl.edition.every',
    applies: { editions: [edition] },
    given: twoDocuments('acl'),
    when: written('acl', bodyOf('acl', 'first')),
    then: [next(read('acl'), field('policy', document('first')))],
  }),
])

const byVersion = [
  ...everyKind.map((kind) =>
    check(`${kind}-is-absent-before-0-9`, {
      requirement: 'policies.version.absent-before',
      // On other editions, RGP and EGP are absent for another reason.
      applies: { before: '0.9.0', ...(kind === 'acl' ? {} : { editions: ['premium'] as const }) },
      // No request to these endpoints can succeed here. A token that the server creates shows that it serves other
      // requests.
      given: [...twoDocuments(kind), token('holder', ['default'])],
      when: written(kind, bodyOf(kind, 'first')),
      then: [refused(policyShown(read(kind), true))],
    }),
  ),
  check('acl-is-served-at-0-9', {
    requirement: 'policies.version.served-since',
    applies: { since: '0.9.0', before: '0.9.1' },
    given: twoDocuments('acl'),
    when: written('acl', bodyOf('acl', 'first')),
    then: [next(read('acl'), field('policy', document('first')))],
  }),
]

export default topic('policies/versions', {
  about: 'The editions and versions that serve the policy endpoints.',
  names: ['policy'],
  checks: [...byEdition, ...byVersion],
})
