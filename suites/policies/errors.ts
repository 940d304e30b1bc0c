import { without } from '../../fixtures/bodies.ts'
import { type Ceremony, check, type Exchange, type Step, topic } from '../../harness/vocabulary/index.ts'
import { cutShort } from '../given.ts'
import {
  bodyOf,
  everyKind,
  governingKinds,
  type Kind,
  listed,
  read,
  readingOf,
  rewritten,
  twoDocuments,
  written,
} from './given.ts'
import { refusedAndKept } from './then.ts'

const required: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  acl: { policy: 'policy' },
  rgp: { policy: 'policy', enforcement_level: 'level' },
  egp: { policy: 'policy', enforcement_level: 'level', paths: 'paths' },
}

const lacking = (exchange: Exchange, field: string): Exchange => ({
  ...exchange,
  words: `${exchange.words}, but without \`${field}\``,
})

/** What is refused changes nothing. The control is the same request without its fault. */
const refuses = (
  id: string,
  kind: Kind,
  row: string,
  when: Exchange | Ceremony,
  control: Exchange,
  given: readonly Step[] = [],
) =>
  check(id, {
    requirement: `policies.${kind}.${row}`,
    given: [...twoDocuments(kind), ...given],
    when,
    then: [refusedAndKept(read(kind), listed(kind))],
    control,
  })

/** Each required field is missing once. */
const missing = everyKind.flatMap((kind) =>
  Object.entries(required[kind]).flatMap(([field, word]) => {
    // Every field has a new value, so that a server which stores some of them is noticed.
    const others = kind === 'acl' ? {} : { enforcement_level: 'soft-mandatory' }
    const [whole, changed] = [bodyOf(kind, 'first'), bodyOf(kind, 'second', others)]
    const created = written(kind, whole)
    const create = lacking(written(kind, without(whole, field)), field)
    const update = lacking(rewritten(kind, without(changed, field)), field)
    const row = `${word}.required`
    return [
      refuses(`${kind}-create-without-${word}-is-refused`, kind, row, create, created),
      refuses(`${kind}-update-without-${word}-is-refused`, kind, row, update, rewritten(kind, changed), [created]),
    ]
  }),
)

const whole = (kind: Kind): Exchange => written(kind, bodyOf(kind, 'first'))

const refusesLevel = (id: string, kind: Kind, level: string, words = `the level \`${level}\``) => {
  const when = written(kind, bodyOf(kind, 'first', { enforcement_level: level }))
  const told = { ...when, words: `a policy \`{policy}\` is written with ${words}` }
  return refuses(id, kind, 'level.other-refused', told, whole(kind))
}

const otherLevel = governingKinds.map((kind) => refusesLevel(`${kind}-other-level-is-refused`, kind, 'mandatory'))

const otherLevelOfAnUpdate = governingKinds.map((kind) => {
  const when = {
    ...rewritten(kind, bodyOf(kind, 'second', { enforcement_level: 'mandatory' })),
    words: 'the policy `{policy}` is written again with the level `mandatory`',
  }
  const control = rewritten(kind, bodyOf(kind, 'second'))
  return refuses(`${kind}-update-to-another-level-is-refused`, kind, 'level.other-refused', when, control, [
    whole(kind),
  ])
})

/** The rejected level begins with the name of a valid one. */
const longerLevel = governingKinds.map((kind) => refusesLevel(`${kind}-longer-level-is-refused`, kind, 'advisory-more'))

const emptyLevel = governingKinds.map((kind) =>
  refusesLevel(`${kind}-empty-level-is-refused`, kind, '', 'an empty level'),
)

/** The value is neither a string nor, for paths, a list. */
const misshapen = everyKind.flatMap((kind) =>
  (kind === 'egp' ? (['policy', 'paths'] as const) : (['policy'] as const)).map((field) => {
    const value = { is: field === 'policy' ? '{first}' : readingOf('{policy}') }
    const when = {
      ...written(kind, { ...bodyOf(kind, 'first'), [field]: value }),
      words: `a policy \`{policy}\` is written with an object as \`${field}\``,
    }
    return refuses(`${kind}-${field}-that-is-an-object-is-refused`, kind, `${field}.other-refused`, when, whole(kind))
  }),
)

/** The body is not JSON. A server must not use the beginning that it can parse. */
const malformed = everyKind.flatMap((kind) => {
  const [created, changed] = [whole(kind), rewritten(kind, bodyOf(kind, 'second'))]
  const row = 'write.malformed-refused'
  return [
    refuses(`${kind}-create-with-a-malformed-body-is-refused`, kind, row, cutShort(created), created),
    refuses(`${kind}-update-with-a-malformed-body-is-refused`, kind, row, cutShort(changed), changed, [created]),
  ]
})

export default topic('policies/errors', {
  about: 'Writes that lack a required field, give a level or a type that does not exist, or are not JSON.',
  names: ['policy'],
  checks: [
    ...missing,
    ...otherLevel,
    ...otherLevelOfAnUpdate,
    ...longerLevel,
    ...emptyLevel,
    ...misshapen,
    ...malformed,
  ],
})
