import { check, next, refused, succeeds, topic } from '../../harness/vocabulary/index.ts'
import { aclDocument, login, readingOnly, refusedSoFar, token, user } from '../given.ts'
import { bodyOf, deleted, readerPolicy, readingOf, rewritten, tokenAhead, written } from './given.ts'
import { governedByEgp, governedByRgp, readsAs } from './governed.ts'

const name = { a: '{anchor}-a', ab: '{anchor}-ab', b: '{anchor}-b', bc: '{anchor}-bc' }
const [a, ab, b] = [readsAs(name.a, 'reader'), readsAs(name.ab, 'reader'), readsAs(name.b, 'reader')]
const bc = readsAs(name.bc, 'reader')

const hard = (text: string, paths?: string) =>
  bodyOf(paths === undefined ? 'rgp' : 'egp', text, {
    enforcement_level: 'hard-mandatory',
    ...(paths === undefined ? {} : { paths }),
  })

/** On `a`, the policy that denies is the first of two by name and by age; on `b`, it is the second. */
const situation = governedByEgp('', [name.a, name.ab, name.b, name.bc])
const paths = { a: readingOf(name.a), b: readingOf(name.b), glob: `${readingOf(name.a)}*` }
const ofPaths = [
  check('each-egp-of-a-path-counts', {
    requirement: 'policies.egp.paths.governed',
    // A failing advisory policy does not decide about a request that others govern, too.
    given: [
      ...situation.situation,
      written('egp', { ...hard('denies', paths.b), enforcement_level: 'advisory' }, '{policy}-0'),
      written('egp', hard('denies', paths.a), '{policy}-1'),
      written('egp', hard('allows', `${paths.a},${paths.b}`), '{policy}-2'),
    ],
    when: written('egp', hard('denies', paths.b), '{policy}-3'),
    then: [next(a, refused(readingOnly)), next(b, refused(readingOnly))],
    control: situation.free,
  }),
  check('each-glob-of-a-path-counts', {
    requirement: ['policies.egp.paths.glob', 'policies.egp.paths.governed'],
    given: [...situation.situation, written('egp', hard('denies', paths.glob), '{policy}-1'), refusedSoFar(ab)],
    when: written('egp', hard('allows', `${paths.a}b*`), '{policy}-2'),
    then: [next(ab, refused(readingOnly))],
    control: situation.free,
  }),
  check('egp-update-acts-on-every-path', {
    requirement: ['policies.egp.update.immediate', 'policies.egp.paths.governed'],
    given: [...situation.situation, written('egp', hard('allows', `${paths.a},${paths.b}`)), a, b],
    when: rewritten('egp', hard('denies', `${paths.a},${paths.b}`)),
    then: [next(a, refused(readingOnly)), next(b, refused(readingOnly))],
    control: situation.free,
  }),
  check('an-egp-of-a-glob-counts-beside-one-of-the-path', {
    requirement: ['policies.egp.paths.glob', 'policies.egp.paths.governed'],
    given: [...situation.situation, written('egp', hard('denies', paths.glob), '{policy}-1')],
    when: written('egp', hard('allows', paths.a), '{policy}-2'),
    then: [next(a, refused(readingOnly))],
    control: situation.free,
  }),
  check('a-glob-behind-another-path-counts', {
    requirement: ['policies.egp.paths.glob', 'policies.egp.paths.array'],
    given: [...situation.situation, bc],
    when: written('egp', { ...hard('denies', paths.a), paths: [paths.a, `${paths.b}*`] }),
    then: [next(bc, refused(readingOnly))],
    control: situation.free,
  }),
  check('a-glob-before-another-path-counts', {
    requirement: ['policies.egp.paths.glob', 'policies.egp.paths.array'],
    // The other path is a glob as well, so a server must not take the first or the last glob alone.
    given: [...situation.situation, bc, ab],
    when: written('egp', { ...hard('denies', paths.a), paths: [`${paths.b}*`, `${paths.a}b*`] }),
    then: [next(bc, refused(readingOnly)), next(ab, refused(readingOnly))],
    control: situation.free,
  }),
  check('egp-delete-leaves-other-egps-of-the-path', {
    requirement: 'policies.egp.delete.only-named',
    given: [
      ...situation.situation,
      written('egp', hard('denies', paths.a), '{policy}-1'),
      written('egp', hard('denies', `${paths.a},${paths.b}`), '{policy}-2'),
      refusedSoFar(a),
      refusedSoFar(b),
    ],
    when: deleted('egp', '{policy}-2'),
    then: [next(a, refused(readingOnly))],
    control: b,
  }),
  check('egp-delete-frees-what-a-glob-covered', {
    requirement: ['policies.egp.delete.all-paths', 'policies.egp.delete.immediate'],
    given: [
      ...situation.situation,
      written('egp', hard('denies', `${paths.b},${paths.glob}`)),
      refusedSoFar(b),
      refusedSoFar(ab),
    ],
    when: deleted('egp'),
    then: [next(ab, succeeds), next(b, succeeds)],
  }),
  check('egp-update-frees-what-a-glob-covered', {
    requirement: 'policies.egp.update.immediate',
    given: [...situation.situation, written('egp', hard('denies', paths.glob)), refusedSoFar(a), refusedSoFar(ab)],
    when: rewritten('egp', hard('denies', paths.b)),
    then: [next(ab, succeeds), next(b, refused(readingOnly))],
    control: situation.free,
  }),
]

/** One token has an RGP, the path of the request has an EGP, and one of the two policies denies. */
const both = [
  ...governedByEgp('', [name.a]).situation,
  ...tokenAhead('both', ['{anchor}', '{policy}']),
  readsAs(name.a, 'both'),
]
const asBoth = readsAs(name.a, 'both')
const ofBothKinds = [
  check('an-egp-counts-beside-an-rgp', {
    requirement: 'policies.egp.paths.governed',
    given: [...both, written('rgp', hard('allows'))],
    when: written('egp', hard('denies', paths.a), '{policy}-1'),
    then: [next(asBoth, refused(readingOnly))],
    control: readsAs('{anchor}-z', 'both'),
  }),
  check('an-rgp-counts-beside-an-egp', {
    requirement: 'policies.rgp.create.immediate',
    given: [...both, written('egp', hard('allows', paths.a), '{policy}-1')],
    when: written('rgp', hard('denies')),
    then: [next(asBoth, refused(readingOnly))],
    control: a,
  }),
]

const carrying = (as: string, policies: readonly string[]) => token(as, ['{anchor}', ...policies])
const [first, allowing, more, last] = ['{policy}-1', '{policy}-2', '{policy}-2-more', '{policy}-3']
const ofTokens = [
  check('each-rgp-of-a-token-counts', {
    requirement: 'policies.rgp.create.immediate',
    given: [
      ...governedByRgp.situation,
      written('rgp', hard('allows'), allowing),
      written('rgp', hard('denies'), first),
      carrying('early', [first, allowing]),
      written('rgp', hard('allows'), more),
      ...tokenAhead('late', ['{anchor}', allowing, more, last]),
      carrying('spared', [allowing]),
      readsAs('{anchor}', 'late'),
    ],
    when: written('rgp', hard('denies'), last),
    then: [
      next(readsAs('{anchor}', 'early'), refused(readingOnly)),
      next(readsAs('{anchor}', 'late'), refused(readingOnly)),
    ],
    control: readsAs('{anchor}', 'spared'),
  }),
]

const probe = readsAs('{policy}', 'session')
const ofUsers = [
  check('acl-update-reaches-users-who-have-logged-in', {
    requirement: 'policies.acl.update.immediate',
    given: [
      ...readerPolicy('{policy}'),
      ...readerPolicy('{anchor}'),
      user('user', ['{policy}', '{anchor}']),
      login('user', 'session'),
      probe,
    ],
    when: rewritten('acl', bodyOf('acl', 'anchorText')),
    then: [next(probe, refused(readingOnly))],
    control: readsAs('{anchor}', 'session'),
  }),
]

const [onA, onB] = [readsAs(name.a, 'session'), readsAs(name.b, 'session')]
const ofSessions = [
  check('acl-delete-reaches-users-who-have-logged-in', {
    requirement: ['policies.acl.delete.immediate', 'policies.acl.delete.acts-empty'],
    given: [
      ...readerPolicy('{anchor}'),
      ...readerPolicy(name.b),
      aclDocument('grants', [{ path: paths.b, capabilities: ['read'] }]),
      written('acl', bodyOf('acl', 'grants')),
      user('user', ['{policy}', '{anchor}']),
      login('user', 'session'),
      onB,
    ],
    when: deleted('acl'),
    then: [next(onB, refused(readingOnly))],
    control: readsAs('{anchor}', 'session'),
  }),
  check('an-egp-governs-users-who-have-logged-in', {
    requirement: ['policies.egp.create.immediate', 'policies.egp.paths.governed'],
    given: [...situation.situation, user('user', ['{anchor}']), login('user', 'session'), onA],
    when: written('egp', hard('denies', paths.a)),
    then: [next(onA, refused(readingOnly))],
    control: readsAs('{anchor}-z', 'session'),
  }),
]

export default topic('policies/access-several', {
  about: 'Several policies on one path, on one token, on both, and on a user who has logged in.',
  names: ['policy', 'anchor', 'user'],
  checks: [...ofPaths, ...ofTokens, ...ofBothKinds, ...ofUsers, ...ofSessions],
})
