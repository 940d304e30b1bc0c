/** The paths of an EGP. */
import { check, field, next, refused, succeeds, topic } from '../../harness/vocabulary/index.ts'
import { governingDocument, login, readingOnly, refusedSoFar, user, whereTaken } from '../given.ts'
import { deleted, listed, readingOf, rewritten, written } from './given.ts'
import { governedByEgp, readsAs } from './governed.ts'
import {
  below,
  change,
  deniedToAll,
  inStore,
  listBelow,
  ofStore,
  overwrite,
  readWithQuery,
  removal,
  store,
} from './in-store.ts'
import { loginPath, loginRefused } from './logins.ts'
import { mapsEach } from './then.ts'

const name = { a: '{anchor}-a', ab: '{anchor}-ab', b: '{anchor}-b' }
const [a, ab, b] = [readsAs(name.a, 'reader'), readsAs(name.ab, 'reader'), readsAs(name.b, 'reader')]
const both = [readingOf(name.a), readingOf(name.b)]
const three = [...both, readingOf(name.ab)]
const more = [name.a, name.ab, name.b]

const forms = [
  { id: 'array', paths: three },
  { id: 'comma-list', paths: three.join(',') },
]

const several = forms.map(({ id, paths }) => {
  const { situation, free, body } = governedByEgp(paths, more)
  return check(`egp-${id}-governs-each-path`, {
    requirement: ['policies.egp.paths.governed', `policies.egp.paths.${id}`],
    given: [...situation, a, ab],
    when: written('egp', body('denies')),
    then: [next(a, refused(readingOnly)), next(ab, refused(readingOnly))],
    control: free,
  })
})

const two = governedByEgp(both, more)
const first = governedByEgp(readingOf(name.a), more)
const second = governedByEgp(readingOf(name.b), more)
const glob = governedByEgp(`${readingOf(name.a)}*`, more)
const star = governedByEgp('*')

const changes = [
  check('egp-delete-frees-every-path', {
    requirement: 'policies.egp.delete.all-paths',
    given: [...two.situation, written('egp', two.body('denies')), refusedSoFar(a), refusedSoFar(b)],
    when: deleted('egp'),
    then: [next(a, succeeds), next(b, succeeds)],
  }),
  check('egp-created-again-frees-its-former-paths', {
    requirement: ['policies.egp.delete.all-paths', 'policies.egp.create.immediate'],
    given: [...first.situation, written('egp', first.body('denies')), refusedSoFar(a), deleted('egp'), a, b],
    when: written('egp', second.body('denies')),
    then: [next(a, succeeds), next(b, refused(readingOnly))],
    control: first.free,
  }),
  check('egp-update-moves-the-paths', {
    requirement: ['policies.egp.update.immediate', 'policies.egp.paths.governed'],
    given: [...first.situation, written('egp', first.body('denies')), refusedSoFar(a), b],
    when: rewritten('egp', second.body('denies')),
    then: [next(a, succeeds), next(b, refused(readingOnly))],
    control: first.free,
  }),
]

const matching = [
  check('egp-exact-path-governs-no-longer-one', {
    requirement: 'policies.egp.paths.governed',
    given: [...first.situation, written('egp', first.body('denies')), refusedSoFar(a)],
    when: ab,
    then: [succeeds],
  }),
  check('egp-glob-governs-what-begins-with-it', {
    requirement: 'policies.egp.paths.glob',
    given: [...glob.situation, written('egp', glob.body('denies'))],
    when: ab,
    then: [refused(readingOnly)],
    control: b,
  }),
  check('egp-glob-governs-nothing-else', {
    requirement: 'policies.egp.paths.glob',
    given: [...glob.situation, written('egp', glob.body('denies')), refusedSoFar(ab)],
    when: b,
    then: [succeeds],
  }),
]

const inDepth = [
  check('egp-glob-governs-every-depth', {
    requirement: 'policies.egp.paths.glob',
    given: [...store, ...below.map((path) => inStore(path))],
    when: written('egp', ofStore('{store}/in*')),
    then: [next(inStore('in/two/Three'), refused(readingOnly))],
    control: inStore('out/one'),
  }),
  check('egp-exact-path-governs-nothing-below', {
    requirement: 'policies.egp.paths.governed',
    given: [...store, written('egp', ofStore(['{store}/in/one', '{store}/in/two'])), refusedSoFar(inStore('in/one'))],
    when: inStore('in/two/Three'),
    then: [succeeds],
  }),
  // An encoded letter is the same as the letter (RFC 3986, 6.2.2.2). To a server that treats it as another path,
  // nothing exists there.
  check('egp-governs-its-path-in-another-spelling', {
    requirement: 'policies.egp.paths.governed',
    given: [...store, whereTaken(inStore('in/%6Fne'))],
    when: written('egp', ofStore('{store}/in/one')),
    then: [next(inStore('in/%6Fne'), refused(readingOnly))],
    control: inStore('out/one'),
  }),
  check('egp-governs-writes', {
    requirement: 'policies.egp.paths.governed',
    given: [...store, change('in/one'), written('egp', ofStore('{store}/in/one'))],
    when: change('in/one'),
    then: [refused(deniedToAll)],
    control: change('out/one'),
  }),
  check('egp-governs-creations', {
    requirement: 'policies.egp.paths.governed',
    // The write creates the entry again after it was deleted. It succeeds here before the policy exists, so nothing but
    // the policy can refuse it.
    given: [
      ...store,
      removal('in/one'),
      change('in/one'),
      removal('in/one'),
      written('egp', ofStore('{store}/in/one')),
    ],
    when: change('in/one'),
    then: [refused(deniedToAll)],
    control: change('out/one'),
  }),
  check('egp-denied-write-changes-nothing', {
    requirement: 'policies.egp.paths.governed',
    given: [
      ...store,
      written('egp', ofStore('{store}/in/one')),
      refusedSoFar(change('in/one')),
      refusedSoFar(removal('in/one')),
    ],
    when: deleted('egp'),
    then: [next(inStore('in/one'), field('value', 'in/one'))],
  }),
  check('egp-governs-lists', {
    requirement: 'policies.egp.paths.governed',
    given: [...store, listBelow('in'), written('egp', ofStore('{store}/in*'))],
    when: listBelow('in'),
    then: [refused(readingOnly)],
    control: listBelow('out'),
  }),
  check('egp-governs-deletions', {
    requirement: 'policies.egp.paths.governed',
    given: [...store, written('egp', ofStore('{store}/in/one'))],
    when: removal('in/one'),
    then: [refused(deniedToAll)],
    control: removal('out/one'),
  }),
]

/** These policies cover the whole server, with a rule that denies only one throw-away path. */
const everything = [
  check('egp-star-governs-authenticated-requests', {
    requirement: ['policies.egp.paths.star-authenticated', 'policies.egp.list.maps-paths'],
    safety: 'disruptive',
    given: [...star.situation, governingDocument('deniesOne', { denyPath: readingOf('{anchor}') }), star.governed],
    when: written('egp', star.body('deniesOne')),
    then: [next(star.governed, refused(readingOnly)), next(listed('egp'), mapsEach(['{policy}']))],
    control: star.free,
  }),
  // The documents do not list these requests, so a target need not serve them.
  check('egp-star-governs-puts-and-queries', {
    requirement: 'policies.egp.paths.star-authenticated',
    safety: 'disruptive',
    given: [
      ...store,
      governingDocument('deniesIn', { denyBelow: '{store}/in' }),
      ...[overwrite('in/one'), readWithQuery('in/one')].map(whereTaken),
    ],
    when: written('egp', star.body('deniesIn')),
    then: [next(overwrite('in/one'), refused(deniedToAll)), next(readWithQuery('in/one'), refused(readingOnly))],
    control: inStore('out/one'),
  }),
  check('egp-star-governs-lists-and-deletions', {
    requirement: 'policies.egp.paths.star-authenticated',
    safety: 'disruptive',
    given: [...store, governingDocument('deniesIn', { denyBelow: '{store}/in' }), listBelow('in'), removal('in/one')],
    when: written('egp', star.body('deniesIn')),
    then: [next(listBelow('in'), refused(readingOnly)), next(removal('in/two/Three'), refused(deniedToAll))],
    control: inStore('out/one'),
  }),
  check('egp-star-governs-writes', {
    requirement: 'policies.egp.paths.star-authenticated',
    safety: 'disruptive',
    given: [...store, governingDocument('deniesIn', { denyBelow: '{store}/in' }), change('in/one')],
    when: written('egp', star.body('deniesIn')),
    then: [next(change('in/one'), refused(deniedToAll))],
    control: change('out/one'),
  }),
  check('each-egp-of-the-star-counts', {
    requirement: 'policies.egp.paths.star-authenticated',
    safety: 'disruptive',
    given: [
      ...star.situation,
      governingDocument('deniesOne', { denyPath: readingOf('{anchor}') }),
      written('egp', star.body('allows'), '{policy}-1'),
      star.governed,
    ],
    when: written('egp', star.body('deniesOne'), '{policy}-2'),
    then: [next(star.governed, refused(readingOnly))],
    control: star.free,
  }),
  check('egp-star-governs-logins', {
    requirement: 'policies.egp.paths.star-login',
    safety: 'disruptive',
    given: [
      ...star.situation,
      user('user', ['{anchor}']),
      login('user', 'session'),
      loginPath,
      governingDocument('deniesLogin', { denyPath: '{loginPath}' }),
    ],
    when: written('egp', { ...star.body('deniesLogin'), paths: ['*'] }),
    then: [loginRefused],
    control: star.free,
  }),
]

export default topic('policies/access-egp-paths', {
  about: 'An EGP governs the paths that it lists, as exact paths or globs, and no others.',
  names: ['policy', 'anchor', 'user', 'store'],
  checks: [...several, ...changes, ...matching, ...inDepth, ...everything],
})
