import { allOf, check, field, next, topic } from '../../harness/vocabulary/index.ts'
import { ifAccepted, inBase64, shownSoFar, unlessRefused, whereTaken } from '../given.ts'
import { action } from '../records.ts'
import {
  bodyOf,
  deleted,
  everyKind,
  governingKinds,
  type Kind,
  levels,
  read,
  readingOf,
  rewritten,
  twoDocuments,
  written,
} from './given.ts'
import { absent, document, kept, level, levelOfTheList, paths, returned, spelled } from './then.ts'

/** Without this step, a server that shows the same policy under every name would seem to store it correctly. */
const otherAbsent = (kind: Kind) => shownSoFar(read(kind, '{other}'), absent)

const names = everyKind.map((kind) =>
  check(`${kind}-name-comes-from-the-url`, {
    requirement: [`policies.${kind}.name.from-url`, ...(kind === 'acl' ? ['policies.spelling.escaped-name'] : [])],
    given: [
      ...twoDocuments(kind),
      written(kind, bodyOf(kind, 'first'), '{other}'),
      shownSoFar(read(kind, '{other}'), field('policy', document('first'))),
    ],
    when: written(kind, bodyOf(kind, 'second', { name: '{other}' })),
    then: [kept(read(kind, '{other}'))],
  }),
)

/** The documents do not say what a server does with a field of the body that is not a field of the request: it may
 * refuse it. */
const namesInBodies = everyKind.map((kind) =>
  check(`${kind}-name-in-the-body-hinders-nothing`, {
    requirement: `policies.${kind}.name.from-url`,
    given: [...twoDocuments(kind), otherAbsent(kind)],
    when: written(kind, bodyOf(kind, 'first', { name: '{policy}' })),
    then: [ifAccepted(next(read(kind), field('policy', document('first'))))],
  }),
)

/** Names with this beginning differ after the fortieth character, by a character that some servers change. */
const long = `{policy}-${'x'.repeat(30)}`
const veryLong = `{policy}-${'x'.repeat(140)}`
const pairs = [
  { id: 'long-names', one: `${long}_1`, other: `${long}-1` },
  // A server may refuse the longest names, and accept those of the row before.
  { id: 'very-long-names', one: `${veryLong}-one`, other: `${veryLong}-two` },
  // A framework may read the text after a dot as the format of the reply.
  { id: 'names-with-a-dot', one: '{policy}.one', other: '{policy}.two' },
] as const
const namesApart = everyKind.flatMap((kind) =>
  pairs.map(({ id, one, other }) =>
    check(`${kind}-${id}-are-told-apart`, {
      requirement: `policies.${kind}.name.from-url`,
      given: [
        ...twoDocuments(kind),
        whereTaken(written(kind, bodyOf(kind, 'first'), one)),
        shownSoFar(read(kind, one), field('policy', document('first'))),
      ],
      when: written(kind, bodyOf(kind, 'second'), other),
      then: [kept(read(kind, one))],
    }),
  ),
)

/** The documents do not say whether names may have capitals, nor whether case matters. But a policy must be found by
 * the name under which it was written. */
const capitals = '{policy}-With-Capitals'
/** The same holds for a name with blanks, which a path has percent-escaped. */
const blanks = '{policy} With Blanks'
const namesWithCapitals = everyKind.flatMap((kind) => {
  const creation = written(kind, bodyOf(kind, 'first'), capitals)
  const isShown = field('policy', document('first'))
  return [
    check(`${kind}-name-with-capitals-is-read`, {
      requirement: `policies.${kind}.read.returns-named`,
      given: [...twoDocuments(kind), otherAbsent(kind)],
      when: creation,
      then: [
        ifAccepted(
          allOf('the policy is read, and one with blanks in its name', [
            next(read(kind, capitals), isShown),
            next(written(kind, bodyOf(kind, 'first'), blanks), unlessRefused(next(read(kind, blanks), isShown))),
          ]),
        ),
      ],
    }),
    check(`${kind}-name-with-capitals-is-deleted`, {
      requirement: `policies.${kind}.delete.removes`,
      given: [...twoDocuments(kind), whereTaken(creation), shownSoFar(read(kind, capitals), isShown)],
      when: deleted(kind, capitals),
      then: [next(read(kind, capitals), absent)],
    }),
  ]
})

const ofLevels = governingKinds.flatMap((kind) => [
  ...levels.map((one) =>
    check(`${kind}-level-${one}-is-kept`, {
      requirement: `policies.${kind}.level.values`,
      given: [...twoDocuments(kind), otherAbsent(kind)],
      when: written(kind, bodyOf(kind, 'first', { enforcement_level: one })),
      then: [next(read(kind), returned('first', 'enforcement_level', level(one)))],
    }),
  ),
  check(`${kind}-level-is-shown`, {
    requirement: `policies.${kind}.read.shows-level`,
    given: [...twoDocuments(kind), otherAbsent(kind)],
    when: written(kind, bodyOf(kind, 'first')),
    then: [next(read(kind), field('enforcement_level', level('advisory')))],
  }),
  check(`${kind}-no-other-level-is-kept`, {
    requirement: `policies.${kind}.level.closed`,
    given: [
      ...twoDocuments(kind),
      otherAbsent(kind),
      written(kind, bodyOf(kind, 'first')),
      shownSoFar(read(kind), field('policy', document('first'))),
    ],
    when: rewritten(kind, bodyOf(kind, 'first', { enforcement_level: 'mandatory' })),
    then: [next(read(kind), levelOfTheList)],
  }),
])

/** Provides `{commented}`, the text `first` after a comment with characters beyond ASCII, and with others that bring every
 * sign of base64 into its encoding. */
const commented = action(
  '`commented` is `first` behind a comment with an umlaut',
  { provides: ['commented'] },
  async (scope) => {
    scope.save('commented', `# für alle >>> ???\n${scope.value('first')}`)
  },
)
const spellings = everyKind.map((kind) =>
  check(`${kind}-base64-keeps-characters-beyond-ascii`, {
    requirement: `policies.${kind}.policy.base64`,
    given: [
      ...twoDocuments(kind),
      commented,
      inBase64('commented', 'encoded'),
      whereTaken(written(kind, bodyOf(kind, 'commented'), '{other}')),
      shownSoFar(read(kind, '{other}'), field('policy', spelled('commented'))),
    ],
    when: written(kind, bodyOf(kind, 'encoded')),
    then: [next(read(kind), field('policy', spelled('commented')))],
  }),
)

const one = readingOf('{policy}-One')
const two = readingOf('{policy}-two')
const three = readingOf('{policy}-three')
const forms = [
  { id: 'array', value: [one, two, three] },
  { id: 'comma-list', value: `${one},${two},${three}` },
]

const ofPaths = forms.map(({ id, value }) =>
  check(`egp-paths-as-${id}-are-kept`, {
    requirement: [`policies.egp.paths.${id}`, ...(id === 'comma-list' ? ['policies.spelling.blanks'] : [])],
    given: twoDocuments('egp'),
    when: written('egp', bodyOf('egp', 'first', { paths: value })),
    then: [next(read('egp'), returned('first', 'paths', paths([one, two, three])))],
  }),
)

const shownPaths = check('egp-paths-are-shown', {
  requirement: 'policies.egp.read.shows-paths',
  given: [...twoDocuments('egp'), otherAbsent('egp')],
  when: written('egp', bodyOf('egp', 'first', { paths: one })),
  then: [next(read('egp'), field('paths', paths([one])))],
})

export default topic('policies/fields', {
  about: 'The values that the fields of a policy accept and keep: name, enforcement level, paths.',
  names: ['policy', 'other'],
  checks: [
    ...names,
    ...namesInBodies,
    ...namesApart,
    ...namesWithCapitals,
    ...ofLevels,
    ...spellings,
    ...ofPaths,
    shownPaths,
  ],
})
