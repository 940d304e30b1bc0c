import { check, field, next, refused, succeeds, topic, unseen } from '../../harness/vocabulary/index.ts'
import { login, readingOnly, refusedSoFar, user, whereTaken } from '../given.ts'
import { bodyOf, deleted, rewritten, tokenAhead, written } from './given.ts'
import { governedByRgp, readsAs } from './governed.ts'
import { change, inStore, listBelow, overwrite, removal, store } from './in-store.ts'

const body = (text: string) => bodyOf('rgp', text, { enforcement_level: 'hard-mandatory' })
const situation = [...store, ...tokenAhead('governed', ['{anchor}', '{policy}'])]
const others = unseen('who is not governed may change the entry too')

const operations = [
  check('rgp-governs-writes', {
    requirement: 'policies.rgp.create.immediate',
    given: [...situation, change('in/one', 'governed')],
    when: written('rgp', body('denies')),
    then: [next(change('in/one', 'governed'), refused(others))],
    control: change('in/one'),
    mutants: ['policies/rgp-spares-writes', 'policies/rgp-create-lags'],
  }),
  // The documents do not say that PUT writes. Where it does, it is a request like others.
  check('rgp-governs-puts', {
    requirement: 'policies.rgp.create.immediate',
    given: [...situation, whereTaken(overwrite('in/one', 'governed'))],
    when: written('rgp', body('denies')),
    then: [next(overwrite('in/one', 'governed'), refused(others))],
    control: overwrite('in/one'),
    mutants: ['policies/rgp-spares-puts', 'policies/rgp-spares-writes', 'policies/rgp-create-lags'],
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
    mutants: ['policies/governing-spares-creations', 'policies/rgp-spares-writes', 'policies/rgp-create-lags'],
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
    mutants: ['policies/denied-requests-are-carried-out', 'policies/denied-deletions-are-carried-out'],
  }),
  check('rgp-governs-lists', {
    requirement: 'policies.rgp.create.immediate',
    given: [...situation, listBelow('in', 'governed')],
    when: written('rgp', body('denies')),
    then: [next(listBelow('in', 'governed'), refused(readingOnly))],
    control: listBelow('in'),
    mutants: ['policies/rgp-spares-lists', 'policies/rgp-create-lags'],
  }),
  check('rgp-governs-deletions', {
    requirement: 'policies.rgp.create.immediate',
    given: [...situation, removal('in/one', 'governed')],
    when: written('rgp', body('denies')),
    then: [next(removal('in/two/Three', 'governed'), refused(others))],
    control: removal('in/two/Three'),
    mutants: ['policies/rgp-spares-deletions', 'policies/rgp-create-lags'],
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
    mutants: ['policies/rgp-spares-logged-in', 'policies/rgp-update-lags', 'policies/rgp-update-keeps-policy'],
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
    mutants: ['policies/rgp-delete-spares-logged-in', 'policies/rgp-delete-lags', 'policies/rgp-deleted-denies-all'],
  }),
]

export default topic('policies/access-rgp', {
  about: 'An RGP governs whatever its tokens ask, those of users who have logged in included.',
  names: ['policy', 'anchor', 'user', 'store'],
  checks: [...operations, ...users],
})
