import { check, field, next, topic } from '../../harness/vocabulary/index.ts'
import { shownSoFar, whereTaken } from '../given.ts'
import { listMethodCheck } from '../list-method.ts'
import {
  bodyOf,
  deleted,
  everyKind,
  governingKinds,
  listed,
  read,
  readingOf,
  rewritten,
  twoDocuments,
  written,
} from './given.ts'
import {
  absent,
  document,
  hasKeys,
  kept,
  level,
  listsOwn,
  mapped,
  mappedApart,
  notMapped,
  paths,
  showing,
} from './then.ts'
import { marked } from './then-paths.ts'

const [isFirst, isSecond] = [field('policy', document('first')), field('policy', document('second'))]

const ofEveryKind = everyKind.flatMap((kind) => {
  const first = bodyOf(kind, 'first')
  const second = bodyOf(kind, 'second')
  const documents = twoDocuments(kind)
  const exists = [...documents, written(kind, first)]
  const [besideIt, firstOther] = [written(kind, second, '{policy}-more'), written(kind, first, '{other}')]
  const [firstShown, secondShown] = [shownSoFar(read(kind), isFirst), shownSoFar(read(kind), isSecond)]
  const [readsFirst, readsSecond] = [next(read(kind), isFirst), next(read(kind), isSecond)]
  const isGone = next(read(kind), absent)
  const listsOther = next(listed(kind), listsOwn(['{other}']))
  return [
    check(`${kind}-create-is-read-back`, {
      requirement: `policies.${kind}.write.creates`,
      given: documents,
      when: written(kind, first),
      then: [readsFirst],
    }),
    check(`${kind}-update-replaces-the-policy`, {
      requirement: `policies.${kind}.write.updates`,
      given: exists,
      when: rewritten(kind, second),
      then: [readsSecond],
    }),
    check(`${kind}-written-twice-is-read-back`, {
      requirement: `policies.${kind}.write.updates`,
      given: exists,
      when: rewritten(kind, first),
      then: [readsFirst],
    }),
    check(`${kind}-created-again-is-read-anew`, {
      requirement: `policies.${kind}.write.creates`,
      given: [...exists, firstShown, deleted(kind)],
      when: written(kind, second),
      then: [readsSecond],
    }),
    check(`${kind}-read-returns-the-named-policy`, {
      requirement: `policies.${kind}.read.returns-named`,
      given: [...exists, besideIt],
      when: read(kind),
      then: [isFirst],
    }),
    check(`${kind}-delete-ends-reading`, {
      requirement: `policies.${kind}.delete.removes`,
      given: [...exists, firstShown],
      when: deleted(kind),
      then: [isGone],
    }),
    check(`${kind}-delete-of-an-updated-policy-ends-reading`, {
      requirement: [`policies.${kind}.delete.removes`, `policies.${kind}.list.names-configured`],
      given: [...exists, rewritten(kind, second), secondShown, firstOther],
      when: deleted(kind),
      then: [isGone, listsOther],
    }),
    check(`${kind}-created-again-is-deleted-again`, {
      requirement: `policies.${kind}.delete.removes`,
      given: [...exists, deleted(kind), written(kind, second), secondShown, firstOther],
      when: deleted(kind),
      then: [isGone, listsOther],
    }),
    check(`${kind}-list-names-what-was-updated-or-created-again`, {
      requirement: `policies.${kind}.list.names-configured`,
      given: [
        ...exists,
        rewritten(kind, second),
        firstOther,
        deleted(kind, '{other}'),
        written(kind, second, '{other}'),
      ],
      when: listed(kind),
      then: [listsOwn(['{policy}', '{other}'])],
    }),
    check(`${kind}-list-names-what-exists`, {
      requirement: `policies.${kind}.list.names-configured`,
      given: [...exists, written(kind, second, '{other}')],
      when: listed(kind),
      then: [listsOwn(['{policy}', '{other}'])],
    }),
    check(`${kind}-list-drops-what-is-deleted`, {
      requirement: [`policies.${kind}.list.names-configured`, `policies.${kind}.delete.removes`],
      given: [...exists, besideIt, shownSoFar(listed(kind), listsOwn(['{policy}', '{policy}-more']))],
      when: deleted(kind),
      then: [next(listed(kind), listsOwn(['{policy}-more']))],
    }),
    check(`${kind}-delete-leaves-other-policies`, {
      requirement: `policies.${kind}.delete.only-named`,
      given: [...exists, besideIt, shownSoFar(read(kind, '{policy}-more'), isSecond)],
      when: deleted(kind),
      then: [kept(read(kind, '{policy}-more'))],
    }),
  ]
})

/** A policy of one kind exists beside a policy of another kind. */
const ofOtherKinds = (
  [
    ['acl', 'egp'],
    ['rgp', 'egp'],
    ['egp', 'rgp'],
  ] as const
).flatMap(([kind, other]) => [
  check(`${kind}-list-names-no-${other}`, {
    requirement: ['policies.kinds.apart', `policies.${kind}.list.names-configured`],
    given: [
      ...twoDocuments(kind, `${kind}First`, `${kind}Second`),
      ...twoDocuments(other, `${other}First`, `${other}Second`),
      written(kind, bodyOf(kind, `${kind}First`)),
      written(other, bodyOf(other, `${other}First`), '{other}'),
      shownSoFar(listed(other), listsOwn(['{other}'])),
    ],
    when: listed(kind),
    then: [listsOwn(['{policy}'])],
  }),
  check(`${kind}-delete-of-an-unused-name-leaves-the-${other}`, {
    requirement: ['policies.kinds.apart', `policies.${kind}.delete.only-named`],
    given: [
      ...twoDocuments(other),
      written(other, bodyOf(other, 'first'), '{other}'),
      shownSoFar(read(other, '{other}'), field('policy', document('first'))),
    ],
    when: deleted(kind, '{other}'),
    then: [kept(read(other, '{other}'))],
  }),
  check(`${kind}-read-shows-no-${other}`, {
    requirement: ['policies.kinds.apart', `policies.${kind}.read.returns-named`],
    given: [
      ...twoDocuments(kind, `${kind}First`, `${kind}Second`),
      ...twoDocuments(other, `${other}First`, `${other}Second`),
      written(kind, bodyOf(kind, `${kind}First`)),
      shownSoFar(read(kind), field('policy', document(`${kind}First`))),
      written(other, bodyOf(other, `${other}First`), '{other}'),
    ],
    when: read(kind, '{other}'),
    then: [absent],
  }),
])

/** The documents do not say which kinds may share a name. If a server refuses the second policy, the check does not
 * apply. */
const neighbours = [
  ['acl', 'egp'],
  ['rgp', 'egp'],
  ['egp', 'acl'],
  ['egp', 'rgp'],
] as const
const ofNamesakes = neighbours.flatMap(([kind, other]) => {
  const exists = [
    ...twoDocuments(kind, `${kind}First`, `${kind}Second`),
    ...twoDocuments(other, `${other}First`, `${other}Second`),
    written(kind, bodyOf(kind, `${kind}First`)),
    // A server may require that names are unique across all kinds.
    whereTaken(written(other, bodyOf(other, `${other}First`))),
    shownSoFar(read(other), field('policy', document(`${other}First`))),
  ]
  return [
    check(`${kind}-update-leaves-the-${other}-of-that-name`, {
      requirement: 'policies.kinds.apart',
      given: exists,
      when: rewritten(kind, bodyOf(kind, `${kind}Second`)),
      then: [kept(read(other))],
    }),
    check(`${kind}-delete-leaves-the-${other}-of-that-name`, {
      requirement: 'policies.kinds.apart',
      given: exists,
      when: deleted(kind),
      then: [kept(read(other))],
    }),
  ]
})

const levelAnew = governingKinds.map((kind) =>
  check(`${kind}-created-again-has-the-level-given-then`, {
    requirement: [`policies.${kind}.write.creates`, `policies.${kind}.level.values`],
    given: [
      ...twoDocuments(kind),
      written(kind, bodyOf(kind, 'first', { enforcement_level: 'soft-mandatory' })),
      shownSoFar(read(kind), showing('enforcement_level', level('soft-mandatory'))),
      deleted(kind),
    ],
    when: written(kind, bodyOf(kind, 'first')),
    then: [next(read(kind), showing('enforcement_level', level('advisory')))],
  }),
)

const ofGoverning = governingKinds.map((kind) =>
  check(`${kind}-update-replaces-the-level`, {
    requirement: [`policies.${kind}.write.updates`, `policies.${kind}.level.values`],
    given: [...twoDocuments(kind), written(kind, bodyOf(kind, 'first', { enforcement_level: 'advisory' }))],
    when: rewritten(kind, bodyOf(kind, 'first', { enforcement_level: 'soft-mandatory' })),
    then: [next(read(kind), showing('enforcement_level', level('soft-mandatory')))],
  }),
)

const one = readingOf('{policy}-One')
const two = readingOf('{policy}-two')
const three = readingOf('{policy}-three')
const [documents, policy] = [twoDocuments('egp'), (fields = {}) => bodyOf('egp', 'first', fields)]

const ofEgp = [
  check('egp-update-replaces-the-paths', {
    requirement: 'policies.egp.write.updates',
    given: [...documents, written('egp', policy({ paths: [one] }))],
    when: rewritten('egp', policy({ paths: [two] })),
    then: [next(read('egp'), showing('paths', paths([two])))],
  }),
  check('egp-created-again-has-the-paths-given-then', {
    requirement: ['policies.egp.write.creates', 'policies.spelling.other-form'],
    given: [...documents, written('egp', policy({ paths: [one] })), deleted('egp')],
    when: written('egp', policy({ paths: [two] })),
    then: [next(read('egp'), showing('paths', paths([two])))],
  }),
  check('egp-list-maps-names-that-were-created-again', {
    requirement: 'policies.egp.list.maps-paths',
    given: [
      ...documents,
      written('egp', policy({ paths: [one] })),
      deleted('egp'),
      written('egp', policy({ paths: [two] })),
    ],
    when: listed('egp'),
    then: [mapped('{policy}', [two])],
  }),
  check('egp-list-has-keys', {
    requirement: 'policies.egp.list.keys',
    given: [...documents, written('egp', policy())],
    when: listed('egp'),
    then: [hasKeys('{policy}')],
  }),
  check('egp-list-maps-names-to-paths', {
    requirement: 'policies.egp.list.maps-paths',
    given: [...documents, written('egp', policy({ paths: [one, two, three] }))],
    when: listed('egp'),
    then: [mapped('{policy}', [one, two, three])],
  }),
  check('egp-list-maps-names-to-the-paths-of-an-update', {
    requirement: ['policies.egp.list.maps-paths', 'policies.egp.write.updates'],
    given: [...documents, written('egp', policy({ paths: one })), shownSoFar(listed('egp'), mapped('{policy}', [one]))],
    when: rewritten('egp', policy({ paths: `${two},${three}` })),
    then: [next(listed('egp'), mapped('{policy}', [two, three]))],
  }),
  check('egp-list-tells-globs-apart', {
    requirement: 'policies.egp.list.glob-status',
    given: [
      ...documents,
      written('egp', policy({ paths: [one] })),
      written('egp', policy({ paths: [`${one}*`] }), '{other}'),
    ],
    when: listed('egp'),
    then: [mappedApart('{policy}', '{other}')],
  }),
  check('egp-list-marks-each-path-of-an-egp', {
    requirement: 'policies.egp.list.glob-status',
    // Both paths were globs before the update. A map with the old marks would show both as globs.
    given: [
      ...documents,
      written('egp', policy({ paths: [`${one}*`, `${two}*`] })),
      rewritten('egp', policy({ paths: [one, `${two}*`] })),
    ],
    when: listed('egp'),
    then: [marked('{policy}', one, two)],
  }),
  check('egp-list-maps-nothing-deleted', {
    requirement: ['policies.egp.list.maps-paths', 'policies.egp.delete.removes'],
    given: [
      ...documents,
      written('egp', policy()),
      shownSoFar(listed('egp'), mapped('{policy}', [readingOf('{policy}')])),
    ],
    when: deleted('egp'),
    then: [next(listed('egp'), notMapped('{policy}'))],
  }),
]

const method = listMethodCheck('policies', {
  given: [...twoDocuments('acl'), written('acl', bodyOf('acl', 'first'))],
  listing: listed('acl'),
  names: listsOwn(['{policy}']),
  restsOn: 'policies/transitions/acl-list-names-what-exists',
})

export default topic('policies/transitions', {
  about: 'Writing, reading, listing and deleting policies of the three kinds, as the policy endpoints show them.',
  names: ['policy', 'other'],
  checks: [method, ...ofEveryKind, ...ofGoverning, ...levelAnew, ...ofEgp, ...ofOtherKinds, ...ofNamesakes],
})
