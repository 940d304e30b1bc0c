import type { Action } from '../../harness/vocabulary/index.ts'
import { check, next, post, refused, succeeds, topic } from '../../harness/vocabulary/index.ts'
import {
  governingDocument,
  ifAccepted,
  login,
  ownPrefixFrom,
  readingOnly,
  refusedSoFar,
  token,
  user,
} from '../given.ts'
import { bodyOf, readerPolicy, readingOf, written } from './given.ts'
import { governedByEgp, readsAs } from './governed.ts'
import { inStore, ofStore, store } from './in-store.ts'
import { loginPath, loginRefused } from './logins.ts'

/** The judged path is the last of twelve. The documents do not say how many paths an EGP may have. */
const twelve = [...Array.from({ length: 11 }, (_, at) => `{store}/no-such-entry-${at}`), '{store}/in/two/Three']
const many = [
  { id: 'array', paths: twelve, mutants: ['policies/egp-array-keeps-first', 'policies/egp-array-keeps-two'] },
  {
    id: 'comma-list',
    paths: twelve.join(','),
    mutants: [
      'policies/egp-comma-list-keeps-first',
      'policies/egp-comma-list-keeps-two',
      'policies/egp-comma-list-is-one-path',
    ],
  },
].map(({ id, paths, mutants }) =>
  check(`egp-${id}-of-twelve-governs-the-last`, {
    requirement: ['policies.egp.paths.governed', `policies.egp.paths.${id}`],
    given: [...store, inStore('in/two/Three')],
    when: written('egp', ofStore(paths)),
    then: [ifAccepted(next(inStore('in/two/Three'), refused(readingOnly)))],
    control: inStore('out/one'),
    mutants: [
      `policies/egp-${id}-keeps-ten`,
      'policies/egp-paths-are-compared-in-lower-case',
      'policies/egp-paths-lose-capitals',
      'policies/egp-create-lags',
      ...mutants,
    ],
  }),
)

const name = { a: '{anchor}-a', b: '{anchor}-b', bc: '{anchor}-bc' }
const inComma = governedByEgp(`${readingOf(name.a)},${readingOf(name.b)}*`, [name.a, name.b, name.bc])
const bc = readsAs(name.bc, 'reader')

/** Provides the prefix with which the name of the store begins, and that of no other mount. */
const beginning: Action = {
  kind: 'action',
  words: '`beginning` is what `{store}` begins with',
  touches: [],
  provides: ['beginning'],
  async run(scope) {
    scope.save('beginning', ownPrefixFrom(scope, 'store'))
  },
}

const globs = [
  check('egp-glob-in-a-comma-list-counts', {
    requirement: ['policies.egp.paths.glob', 'policies.egp.paths.comma-list'],
    given: [...inComma.situation, bc],
    when: written('egp', inComma.body('denies')),
    then: [next(bc, refused(readingOnly))],
    control: inComma.free,
    mutants: [
      'policies/egp-comma-list-drops-stars',
      'policies/egp-comma-list-keeps-first',
      'policies/egp-comma-list-is-one-path',
      'policies/egp-glob-as-the-first-path-alone',
      'policies/egp-glob-is-literal',
      'policies/egp-glob-is-a-suffix',
      'policies/egp-create-lags',
    ],
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
    mutants: ['policies/egp-glob-governs-its-parent', 'policies/egp-glob-is-too-wide'],
  }),
  check('egp-glob-may-end-in-the-first-segment', {
    requirement: 'policies.egp.paths.glob',
    given: [...store, beginning, ...readerPolicy('{user}'), token('onlooker', ['{user}']), inStore('in/one')],
    when: written('egp', ofStore('{beginning}*')),
    then: [next(inStore('in/one'), refused(readingOnly))],
    control: readsAs('{user}', 'onlooker'),
    mutants: [
      'policies/egp-glob-needs-a-slash',
      'policies/egp-glob-stops-at-a-slash',
      'policies/egp-glob-is-literal',
      'policies/egp-glob-is-a-suffix',
      'policies/egp-create-lags',
    ],
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
    mutants: [
      'policies/egp-spares-logins-at-its-path',
      'policies/egp-governs-reads-only',
      'policies/egp-create-lags',
      ...ofGlobs,
    ],
  }),
)

export default topic('policies/access-egp-reach', {
  about: 'How far the paths of an EGP reach: in long lists, for globs at the edge of a segment, and for logins.',
  names: ['policy', 'anchor', 'user', 'store'],
  checks: [...many, ...globs, ...logins],
})
