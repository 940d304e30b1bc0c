import { check, field, next, refused, succeeds, topic, unseen } from '../../harness/vocabulary/index.ts'
import { aclDocument, governingDocument, login, readingOnly, refusedSoFar, token, user, whereTaken } from '../given.ts'
import { bodyOf, deleted, readingOf, rewritten, tokenAhead, written } from './given.ts'
import { governedByRgp, readsAs } from './governed.ts'
import { change, inStore, listBelow, listByGet, overwrite, readWithQuery, removal, store } from './in-store.ts'

const body = (text: string) => bodyOf('rgp', text, { enforcement_level: 'hard-mandatory' })
const situation = [...store, ...tokenAhead('governed', ['{anchor}', '{policy}'])]
/** A token changes a policy itself. */
const rewriteAs = (as: string) => ({ ...rewritten('acl', bodyOf('acl', 'rules'), '{anchor}-a'), as })
const others = unseen('who is not governed may change the entry too')

const operations = [
  check('rgp-governs-writes', {
    requirement: 'policies.rgp.create.immediate',
    given: [...situation, change('in/one', 'governed')],
    when: written('rgp', body('denies')),
    then: [next(change('in/one', 'governed'), refused(others))],
    control: change('in/one'),
  }),
  // The documents do not say that PUT writes. Where it does, it is a request like others.
  check('rgp-governs-puts', {
    requirement: 'policies.rgp.create.immediate',
    given: [...situation, whereTaken(overwrite('in/one', 'governed'))],
    when: written('rgp', body('denies')),
    then: [next(overwrite('in/one', 'governed'), refused(others))],
    control: overwrite('in/one'),
  }),
  check('rgp-governs-creations', {
    requirement: 'policies.rgp.create.immediate',
    // The write creates the entry again after it was deleted. It succeeds here before the policy exists, so nothing but
    // the policy can refuse it.
    given: [
      ...situation,
      ...[removal('in/one', 'governed'), change('in/one', 'governed'), removal('in/one', 'governed')],
    ],
    when: written('rgp', body('denies')),
    then: [next(change('in/one', 'governed'), refused(others))],
    control: change('in/one'),
  }),
  check('rgp-denied-write-changes-nothing', {
    requirement: 'policies.rgp.create.immediate',
    given: [
      ...situation,
      written('rgp', body('denies')),
      refusedSoFar(change('in/one', 'governed')),
      refusedSoFar(removal('in/one', 'governed')),
    ],
    when: inStore('in/one'),
    then: [field('value', 'in/one')],
  }),
  check('rgp-governs-lists', {
    requirement: 'policies.rgp.create.immediate',
    given: [...situation, listBelow('in', 'governed')],
    when: written('rgp', body('denies')),
    then: [next(listBelow('in', 'governed'), refused(readingOnly))],
    control: listBelow('in'),
  }),
  check('rgp-governs-deletions', {
    requirement: 'policies.rgp.create.immediate',
    given: [...situation, removal('in/one', 'governed')],
    when: written('rgp', body('denies')),
    then: [next(removal('in/two/Three', 'governed'), refused(others))],
    control: removal('in/two/Three'),
  }),
]

/** The documents do not list these requests. Where they are served, they are requests like others. */
const unlisted = [
  { id: 'lists-by-get', request: listByGet('in', 'governed'), control: listByGet('in') },
  { id: 'requests-with-a-query', request: readWithQuery('in/one', 'governed'), control: readWithQuery('in/one') },
].map(({ id, request, control }) =>
  check(`rgp-governs-${id}`, {
    requirement: 'policies.rgp.create.immediate',
    given: [...situation, whereTaken(request)],
    when: written('rgp', body('denies')),
    then: [next(request, refused(readingOnly))],
    control,
  }),
)

const belowSys = [
  // The documents do not say who may change policies.
  check('rgp-governs-changes-below-sys', {
    requirement: 'policies.rgp.create.immediate',
    given: [
      aclDocument('rules', [{ path: readingOf('{anchor}-a'), capabilities: ['create', 'read', 'update', 'delete'] }]),
      ...['{anchor}', '{anchor}-a'].map((policy) => written('acl', bodyOf('acl', 'rules'), policy)),
      ...tokenAhead('governed', ['{anchor}', '{policy}']),
      token('reader', ['{anchor}']),
      whereTaken(rewriteAs('governed')),
      governingDocument('denies', { denyBelow: readingOf('{anchor}') }),
    ],
    when: written('rgp', body('denies')),
    then: [next({ ...deleted('acl', '{anchor}-a'), as: 'governed' }, refused(others))],
    control: rewriteAs('reader'),
  }),
]

const ofSession = readsAs('{anchor}', 'session')
const users = [
  check('rgp-update-reaches-users-who-have-logged-in', {
    requirement: 'policies.rgp.update.immediate',
    given: [
      ...governedByRgp.situation,
      written('rgp', body('allows')),
      user('user', ['{anchor}', '{policy}']),
      login('user', 'session'),
      ofSession,
    ],
    when: rewritten('rgp', body('denies')),
    then: [next(ofSession, refused(readingOnly))],
    control: governedByRgp.free,
  }),
  check('rgp-delete-reaches-users-who-have-logged-in', {
    requirement: ['policies.rgp.delete.immediate', 'policies.rgp.delete.acts-empty'],
    given: [
      ...governedByRgp.situation,
      written('rgp', body('denies')),
      user('user', ['{anchor}', '{policy}']),
      login('user', 'session'),
      refusedSoFar(ofSession),
    ],
    when: deleted('rgp'),
    then: [next(ofSession, succeeds)],
  }),
]

export default topic('policies/access-rgp', {
  about: 'An RGP governs whatever its tokens ask, those of users who have logged in included.',
  names: ['policy', 'anchor', 'user', 'store'],
  checks: [...operations, ...unlisted, ...belowSys, ...users],
})
