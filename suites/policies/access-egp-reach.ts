import { check, del, type Exchange, get, next, post, refused, succeeds, topic } from '../../harness/vocabulary/index.ts'
import {
  aclDocument,
  governingDocument,
  ifAccepted,
  login,
  ownPrefixFrom,
  readingOnly,
  refusedSoFar,
  token,
  user,
  whereTaken,
} from '../given.ts'
import { action } from '../records.ts'
import { bodyOf, deleted, readerPolicy, readingOf, rewritten, written } from './given.ts'
import { governedByEgp, readsAs } from './governed.ts'
import { deniedToAll, inStore, listByGet, ofStore, overwrite, readWithQuery, store } from './in-store.ts'
import { loginPath, loginRefused } from './logins.ts'

/** The judged path is the last of twelve. The documents do not say how many paths an EGP may have. */
const twelve = [...Array.from({ length: 11 }, (_, at) => `{store}/no-such-entry-${at}`), '{store}/in/two/Three']
const many = [
  { id: 'array', paths: twelve },
  { id: 'comma-list', paths: twelve.join(',') },
].map(({ id, paths }) =>
  check(`egp-${id}-of-twelve-governs-the-last`, {
    requirement: ['policies.egp.paths.governed', `policies.egp.paths.${id}`],
    given: [...store, inStore('in/two/Three')],
    when: written('egp', ofStore(paths)),
    then: [ifAccepted(next(inStore('in/two/Three'), refused(readingOnly)))],
    control: inStore('out/one'),
  }),
)

const name = { a: '{anchor}-a', b: '{anchor}-b', bc: '{anchor}-bc' }
const inComma = governedByEgp(`${readingOf(name.a)},${readingOf(name.b)}*`, [name.a, name.b, name.bc])
const bc = readsAs(name.bc, 'reader')

/** Provides the prefix with which the name of the store begins, and that of no other mount. */
const beginning = action('`beginning` is what `{store}` begins with', { provides: ['beginning'] }, async (scope) => {
  scope.save('beginning', ownPrefixFrom(scope, 'store'))
})

const globs = [
  check('egp-glob-in-a-comma-list-counts', {
    requirement: ['policies.egp.paths.glob', 'policies.egp.paths.comma-list'],
    given: [...inComma.situation, bc],
    when: written('egp', inComma.body('denies')),
    then: [next(bc, refused(readingOnly))],
    control: inComma.free,
  }),
  check('egp-glob-behind-a-slash-spares-what-is-before-it', {
    requirement: 'policies.egp.paths.glob',
    given: [
      ...store,
      post('{store}/in', { value: 'in' }),
      written('egp', ofStore('{store}/in/*')),
      refusedSoFar(inStore('in/one')),
    ],
    when: inStore('in'),
    then: [succeeds],
  }),
  check('egp-glob-may-end-in-the-first-segment', {
    requirement: 'policies.egp.paths.glob',
    given: [...store, beginning, ...readerPolicy('{user}'), token('onlooker', ['{user}']), inStore('in/one')],
    when: written('egp', ofStore('{beginning}*')),
    then: [next(inStore('in/one'), refused(readingOnly))],
    control: readsAs('{user}', 'onlooker'),
  }),
]

const logins = (
  [
    ['egp-governs-logins-at-its-path', '{loginPath}', []],
    ['egp-glob-governs-logins', '{loginPath}*', ['policies/egp-globs-spare-logins', 'policies/egp-glob-is-literal']],
  ] as const
).map(([id, path, ofGlobs]) =>
  check(id, {
    requirement: ['policies.egp.paths.login', ...(ofGlobs.length > 0 ? ['policies.egp.paths.glob'] : [])],
    given: [
      ...governedByEgp('').situation,
      user('user', ['{anchor}']),
      login('user', 'session'),
      loginPath,
      governingDocument('deniesLogin', { denyPath: '{loginPath}' }),
    ],
    when: written('egp', bodyOf('egp', 'deniesLogin', { enforcement_level: 'hard-mandatory', paths: [path] })),
    then: [loginRefused],
    control: readsAs('{anchor}', 'reader'),
  }),
)

/** The documents list none of these requests, so a target need not serve them. Where it does, an EGP governs them: it
 * applies to paths, whatever is asked of them. */
const unlisted = [
  {
    id: 'puts',
    path: 'in/one',
    request: overwrite('in/one'),
    refusal: refused(deniedToAll),
    control: overwrite('out/one'),
  },
  {
    id: 'lists-by-get',
    path: 'in*',
    request: listByGet('in'),
    refusal: refused(readingOnly),
    control: listByGet('out'),
  },
  {
    id: 'requests-with-a-query',
    path: 'in/one',
    request: readWithQuery('in/one'),
    refusal: refused(readingOnly),
    control: readWithQuery('out/one'),
  },
].map(({ id, path, request, refusal, control }) =>
  check(`egp-governs-${id}`, {
    requirement: 'policies.egp.paths.governed',
    given: [...store, whereTaken(request)],
    when: written('egp', ofStore(`{store}/${path}`)),
    then: [next(request, refusal)],
    control,
  }),
)

/** The token `reader` changes policies itself. The documents do not say who may do so. */
const rewrite = (policy: string): Exchange => ({ ...rewritten('acl', bodyOf('acl', 'rules'), policy), as: 'reader' })
const changing = [name.a, name.b].map((policy) => ({
  path: readingOf(policy),
  capabilities: ['create', 'read', 'update', 'delete'],
}))
/** A role of tokens, which no document describes: its path is one of many below that of the tokens. */
const role = 'auth/token/roles/{anchor}'
const ofRole = get(role, { as: 'reader' })
const hard = (text: string, paths: string) => bodyOf('egp', text, { enforcement_level: 'hard-mandatory', paths })
const ownPaths = [
  check('egp-governs-changes-below-sys', {
    requirement: 'policies.egp.paths.governed',
    given: [
      aclDocument('rules', changing),
      ...['{anchor}', name.a, name.b].map((policy) => written('acl', bodyOf('acl', 'rules'), policy)),
      token('reader', ['{anchor}']),
      whereTaken(rewrite(name.a)),
      governingDocument('denies', { denyBelow: readingOf('{anchor}') }),
    ],
    when: written('egp', hard('denies', readingOf(name.a))),
    then: [next({ ...deleted('acl', name.a), as: 'reader' }, refused(deniedToAll))],
    control: rewrite(name.b),
  }),
  ...(['a role', '*'] as const).map((path) =>
    check(`egp-${path === '*' ? 'star-' : ''}governs-paths-of-tokens`, {
      requirement: path === '*' ? 'policies.egp.paths.star-authenticated' : 'policies.egp.paths.governed',
      ...(path === '*' ? { safety: 'disruptive' } : {}),
      given: [
        aclDocument('rules', [
          { path: role, capabilities: ['read'] },
          { path: readingOf('{anchor}'), capabilities: ['read'] },
        ]),
        written('acl', bodyOf('acl', 'rules'), '{anchor}'),
        token('reader', ['{anchor}']),
        whereTaken(post(role, {}, { undo: del(role) })),
        whereTaken(ofRole),
        governingDocument('denies', { denyPath: role }),
      ],
      when: written('egp', hard('denies', path === '*' ? path : role)),
      then: [next(ofRole, refused(readingOnly))],
      control: readsAs('{anchor}', 'reader'),
    }),
  ),
]

export default topic('policies/access-egp-reach', {
  about:
    'How far the paths of an EGP reach: in long lists, for globs at the edge of a segment, for logins, and for requests of every form.',
  names: ['policy', 'anchor', 'user', 'store'],
  checks: [...many, ...globs, ...logins, ...unlisted, ...ownPaths],
})
