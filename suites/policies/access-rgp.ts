import {
  check,
  type Exchange,
  field,
  next,
  refused,
  type Step,
  succeeds,
  topic,
  type Unseen,
  unseen,
} from '../../harness/vocabulary/index.ts'
import { aclDocument, governingDocument, login, readingOnly, refusedSoFar, token, user, whereTaken } from '../given.ts'
import { bodyOf, deleted, readingOf, rewritten, tokenAhead, written } from './given.ts'
import { governedByRgp, readsAs } from './governed.ts'
import { change, inStore, listBelow, listByGet, overwrite, readWithQuery, removal, store } from './in-store.ts'

const body = (text: string) => bodyOf('rgp', text, { enforcement_level: 'hard-mandatory' })
const situation = [...store, ...tokenAhead('governed', ['{anchor}', '{policy}'])]
/** A token changes a policy itself. */
const rewriteAs = (as: string) => ({ ...rewritten('acl', bodyOf('acl', 'rules'), '{anchor}-a'), as })
const others = unseen('who is not governed may change the entry too')

/** The policy keeps the governed token from what it could ask before; the control asks the same by another token. */
const governs = (
  id: string,
  asked: Exchange,
  control: Exchange,
  { given = [asked], shows = others }: { readonly given?: readonly Step[]; readonly shows?: Unseen } = {},
) =>
  check(id, {
    requirement: 'policies.rgp.create.immediate',
    given: [...situation, ...given],
    when: written('rgp', body('denies')),
    then: [next(asked, refused(shows))],
    control,
  })

const [changed, removed] = [change('in/one', 'governed'), removal('in/one', 'governed')]
const [put, listing] = [overwrite('in/one', 'governed'), listBelow('in', 'governed')]

const operations = [
  governs('rgp-governs-writes', changed, change('in/one')),
  // The documents do not say that PUT writes. Where it does, it is a request like others.
  governs('rgp-governs-puts', put, overwrite('in/one'), { given: [whereTaken(put)] }),
  // The write creates the entry again after it was deleted. It succeeds here before the policy exists, so nothing but
  // the policy can refuse it.
  governs('rgp-governs-creations', changed, change('in/one'), { given: [removed, changed, removed] }),
  check('rgp-denied-write-changes-nothing', {
    requirement: 'policies.rgp.create.immediate',
    given: [...situation, written('rgp', body('denies')), refusedSoFar(changed), refusedSoFar(removed)],
    when: inStore('in/one'),
    then: [field('value', 'in/one')],
  }),
  governs('rgp-governs-lists', listing, listBelow('in'), { shows: readingOnly }),
  governs('rgp-governs-deletions', removal('in/two/Three', 'governed'), removal('in/two/Three'), { given: [removed] }),
]

/** The documents do not list these requests. Where they are served, they are requests like others. */
const unlisted = [
  { id: 'lists-by-get', request: listByGet('in', 'governed'), control: listByGet('in') },
  { id: 'requests-with-a-query', request: readWithQuery('in/one', 'governed'), control: readWithQuery('in/one') },
].map(({ id, request, control }) =>
  governs(`rgp-governs-${id}`, request, control, { given: [whereTaken(request)], shows: readingOnly }),
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
const loggedIn = (text: string) => [
  ...governedByRgp.situation,
  written('rgp', body(text)),
  user('user', ['{anchor}', '{policy}']),
  login('user', 'session'),
]
const users = [
  check('rgp-update-reaches-users-who-have-logged-in', {
    requirement: 'policies.rgp.update.immediate',
    given: [...loggedIn('allows'), ofSession],
    when: rewritten('rgp', body('denies')),
    then: [next(ofSession, refused(readingOnly))],
    control: governedByRgp.free,
  }),
  check('rgp-delete-reaches-users-who-have-logged-in', {
    requirement: ['policies.rgp.delete.immediate', 'policies.rgp.delete.acts-empty'],
    given: [...loggedIn('denies'), refusedSoFar(ofSession)],
    when: deleted('rgp'),
    then: [next(ofSession, succeeds)],
  }),
]

export default topic('policies/access-rgp', {
  about: 'An RGP governs whatever its tokens ask, those of users who have logged in included.',
  names: ['policy', 'anchor', 'user', 'store'],
  checks: [...operations, ...unlisted, ...belowSys, ...users],
})
