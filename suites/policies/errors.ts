import { without } from '../../fixtures/bodies.ts'
import { check, type Exchange, topic } from '../../harness/vocabulary/index.ts'
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

/** Each required field is missing once. The control is the same request with the field. */
const missing = everyKind.flatMap((kind) =>
  Object.entries(required[kind]).flatMap(([field, word]) => {
    // Every field has a new value, so that a server which stores some of them is noticed.
    const others = kind === 'acl' ? {} : { enforcement_level: 'soft-mandatory' }
    const [whole, changed] = [bodyOf(kind, 'first'), bodyOf(kind, 'second', others)]
    return [
      check(`${kind}-create-without-${word}-is-refused`, {
        requirement: `policies.${kind}.${word}.required`,
        given: twoDocuments(kind),
        when: lacking(written(kind, without(whole, field)), field),
        then: [refusedAndKept(read(kind), listed(kind))],
        control: written(kind, whole),
      }),
      check(`${kind}-update-without-${word}-is-refused`, {
        requirement: `policies.${kind}.${word}.required`,
        given: [...twoDocuments(kind), written(kind, whole)],
        when: lacking(rewritten(kind, without(changed, field)), field),
        then: [refusedAndKept(read(kind), listed(kind))],
        control: rewritten(kind, changed),
      }),
    ]
  }),
)

const otherLevel = governingKinds.map((kind) =>
  check(`${kind}-other-level-is-refused`, {
    requirement: `policies.${kind}.level.other-refused`,
    given: twoDocuments(kind),
    when: {
      ...written(kind, bodyOf(kind, 'first', { enforcement_level: 'mandatory' })),
      words: `a policy \`{policy}\` is written with the level \`mandatory\``,
    },
    then: [refusedAndKept(read(kind), listed(kind))],
    control: written(kind, bodyOf(kind, 'first')),
  }),
)

const otherLevelOfAnUpdate = governingKinds.map((kind) =>
  check(`${kind}-update-to-another-level-is-refused`, {
    requirement: `policies.${kind}.level.other-refused`,
    given: [...twoDocuments(kind), written(kind, bodyOf(kind, 'first'))],
    when: {
      ...rewritten(kind, bodyOf(kind, 'second', { enforcement_level: 'mandatory' })),
      words: 'the policy `{policy}` is written again with the level `mandatory`',
    },
    then: [refusedAndKept(read(kind), listed(kind))],
    control: rewritten(kind, bodyOf(kind, 'second')),
  }),
)

/** The rejected level begins with the name of a valid one. */
const longerLevel = governingKinds.map((kind) =>
  check(`${kind}-longer-level-is-refused`, {
    requirement: `policies.${kind}.level.other-refused`,
    given: twoDocuments(kind),
    when: {
      ...written(kind, bodyOf(kind, 'first', { enforcement_level: 'advisory-more' })),
      words: 'a policy `{policy}` is written with the level `advisory-more`',
    },
    then: [refusedAndKept(read(kind), listed(kind))],
    control: written(kind, bodyOf(kind, 'first')),
  }),
)

const emptyLevel = governingKinds.map((kind) =>
  check(`${kind}-empty-level-is-refused`, {
    requirement: `policies.${kind}.level.other-refused`,
    given: twoDocuments(kind),
    when: {
      ...written(kind, bodyOf(kind, 'first', { enforcement_level: '' })),
      words: 'a policy `{policy}` is written with an empty level',
    },
    then: [refusedAndKept(read(kind), listed(kind))],
    control: written(kind, bodyOf(kind, 'first')),
  }),
)

/** The value is neither a string nor, for paths, a list. */
const misshapen = everyKind.flatMap((kind) =>
  (kind === 'egp' ? (['policy', 'paths'] as const) : (['policy'] as const)).map((field) =>
    check(`${kind}-${field}-that-is-an-object-is-refused`, {
      requirement: `policies.${kind}.${field}.other-refused`,
      given: twoDocuments(kind),
      when: {
        ...written(kind, {
          ...bodyOf(kind, 'first'),
          [field]: { is: field === 'policy' ? '{first}' : readingOf('{policy}') },
        }),
        words: `a policy \`{policy}\` is written with an object as \`${field}\``,
      },
      then: [refusedAndKept(read(kind), listed(kind))],
      control: written(kind, bodyOf(kind, 'first')),
    }),
  ),
)

/** The body is not JSON. A server must not use the beginning that it can parse. */
const malformed = everyKind.flatMap((kind) => {
  const [whole, changed] = [bodyOf(kind, 'first'), bodyOf(kind, 'second')]
  return [
    check(`${kind}-create-with-a-malformed-body-is-refused`, {
      requirement: `policies.${kind}.write.malformed-refused`,
      given: twoDocuments(kind),
      when: cutShort(written(kind, whole)),
      then: [refusedAndKept(read(kind), listed(kind))],
      control: written(kind, whole),
    }),
    check(`${kind}-update-with-a-malformed-body-is-refused`, {
      requirement: `policies.${kind}.write.malformed-refused`,
      given: [...twoDocuments(kind), written(kind, whole)],
      when: cutShort(rewritten(kind, changed)),
      then: [refusedAndKept(read(kind), listed(kind))],
      control: rewritten(kind, changed),
    }),
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
