/** Checks of the defaults and of given values of the fields of a method, for both variants. */
import type { Check, Expectation, Json, JsonObject, Matcher, Scope } from '../../harness/vocabulary/index.ts'
import { afterSuccess, check, next, together } from '../../harness/vocabulary/index.ts'
import { shownSoFar, unlessRefused } from '../given.ts'
import { count, seconds } from '../numbers.ts'
import { type CheckRow, rowsOf } from '../rows.ts'
import { theWord } from '../word.ts'
import { define, definedWhereTaken, fields, unusedId } from './given.ts'
import { noMethod, stored, storedIfShown, unlessOutOfBounds } from './then.ts'

import type { Variant } from './variant.ts'

/** The issuer is longer than 100 characters, has characters beyond ASCII, and has one with a meaning in HTML. */
const longIssuer =
  '{label} Müller & Söhne Werkzeugmaschinenbau Limited, Department of Identity and Access Management, Office in Düsseldorf'
/** These signs have a meaning in HTML, JSON, a shell or a path. */
const issuerWithSigns = `The "{label}" <B> it's C\\D/E  F`
/** A server may refuse a sign that ends the issuer in the label of a URL. */
const issuerWithColon = '{label}: R & D + 50% = more?'

interface Default {
  readonly name: string
  readonly value: string | number
  readonly is?: Matcher
}

const defaults: readonly Default[] = [
  { name: 'period', value: 30, is: seconds(30) },
  { name: 'key_size', value: 20 },
  { name: 'qr_size', value: 200 },
  { name: 'algorithm', value: 'SHA1', is: theWord('SHA1') },
  { name: 'digits', value: 6 },
  { name: 'skew', value: 1 },
  { name: 'max_validation_attempts', value: 5 },
]

interface ValueRow extends CheckRow {
  readonly name: string
  readonly value: Json
  readonly is?: Matcher
  /** The default, written like the value, if the documents give no bounds of the field. */
  readonly standard?: Json
}

const given: readonly ValueRow[] = [
  ...rowsOf<ValueRow>({
    'period-as-a-number-is-kept': {
      name: 'period',
      value: 60,
      is: seconds(60),
      standard: 30,
      requirement: 'period.number',
    },
    'period-as-a-duration-is-kept': {
      name: 'period',
      value: '2m',
      is: seconds(120),
      standard: '30s',
      requirement: 'period.duration',
    },
    'period-in-seconds-with-their-unit-is-kept': {
      name: 'period',
      value: '90s',
      is: seconds(90),
      standard: '30s',
      requirement: 'period.duration',
    },
    'key-size-is-kept': { name: 'key_size', value: 32, standard: 20, requirement: 'key-size.kept' },
    'qr-size-is-kept': { name: 'qr_size', value: 300, standard: 200, requirement: 'qr-size.kept' },
  }),
  ...['SHA1', 'SHA256', 'SHA512'].map(
    (value): ValueRow => ({
      id: `algorithm-${value.toLowerCase()}-is-kept`,
      name: 'algorithm',
      value,
      is: theWord(value),
      requirement: 'algorithm.values',
    }),
  ),
  ...[6, 8].map(
    (value): ValueRow => ({ id: `${value}-digits-are-kept`, name: 'digits', value, requirement: 'digits.values' }),
  ),
  ...[0, 1].map(
    (value): ValueRow => ({ id: `skew-${value}-is-kept`, name: 'skew', value, requirement: 'skew.values' }),
  ),
  {
    id: 'max-validation-attempts-is-kept',
    name: 'max_validation_attempts',
    value: 3,
    standard: 5,
    requirement: 'max-validation-attempts.kept',
  },
]

/** Defines another method with the default of the field. */
const definedBy = (variant: Variant, name: string, standard: Json) => ({
  touches: variant.defining(fields({ [name]: standard }), 'second'),
  send: (scope: Scope) => variant.define(scope, fields({ [name]: standard }), 'second'),
})

/** No value is a default. */
const unusual: JsonObject = { period: 45, key_size: 33, qr_size: 250, algorithm: 'SHA512', digits: 8, skew: 0 }

/** Defines another method with these fields. If it is not refused, it must have the value. */
function anotherHas(variant: Variant, more: JsonObject, holds: Expectation): Expectation {
  const body = fields(more)
  const kept = next(variant.read('second'), holds)
  const judged = unlessRefused(kept)
  return {
    words: `a method with ${Object.keys(more)
      .map((name) => `\`${name}\``)
      .join(', ')} is refused, or ${holds.words}`,
    touches: [...variant.defining(body, 'second'), ...(kept.touches ?? [])],
    judge: async ({ scope }, before) =>
      judged.judge({ reply: await variant.define(scope, body, 'second'), scope }, before),
  }
}

const kebab = (name: string): string => name.replaceAll('_', '-')
const wanted = (value: Json, is?: Matcher): Json | Matcher => is ?? (typeof value === 'number' ? count(value) : value)

export function valuesOf(variant: Variant): readonly Check[] {
  const requirement = (id: string): string => `${variant.area}.${id}`
  const many = check('many-validation-attempts-are-kept', {
    requirement: requirement('max-validation-attempts.kept'),
    given: [definedWhereTaken(variant, fields({ max_validation_attempts: 25 }))],
    when: variant.read(),
    then: [stored('max_validation_attempts', count(25))],
  })
  const hour = check('period-in-hours-is-kept', {
    requirement: [requirement('period.duration'), requirement('spelling.duration')],
    given: [definedWhereTaken(variant, fields({ period: '1h' }))],
    when: variant.read(),
    then: [stored('period', seconds(3600))],
  })
  const several = check('period-in-minutes-and-seconds-is-kept', {
    requirement: requirement('period.duration'),
    given: [definedWhereTaken(variant, fields({ period: '1m15s' }))],
    when: variant.read(),
    then: [stored('period', seconds(75))],
  })
  // On a server that shows the same method under every id, a read would prove nothing about a default.
  const notEverything = [unusedId('unknown'), shownSoFar(variant.read('unknown'), noMethod)]
  return [
    ...defaults.map(({ name, value, is }) =>
      check(`${kebab(name)}-is-${String(value).toLowerCase()}-by-default`, {
        requirement: requirement(`${kebab(name)}.default`),
        given: notEverything,
        when: define(variant),
        then: [afterSuccess(next(variant.read(), stored(name, wanted(value, is))))],
      }),
    ),
    ...given.map(({ id, name, value, is, standard, requirement: decides }) => {
      const holds = stored(name, wanted(value, is))
      const isKept = together(
        afterSuccess(next(variant.read(), holds)),
        anotherHas(variant, { ...unusual, [name]: value }, holds),
      )
      return check(id, {
        requirement: requirement(decides),
        when: define(variant, fields({ [name]: value })),
        then: [standard === undefined ? isKept : unlessOutOfBounds(name, definedBy(variant, name, standard), isKept)],
      })
    }),
    check('the-other-defaults-hold-beside-an-algorithm', {
      requirement: defaults
        .filter(({ name }) => name !== 'algorithm')
        .map(({ name }) => requirement(`${kebab(name)}.default`)),
      given: notEverything,
      when: define(variant, fields({ algorithm: 'SHA512' })),
      then: [
        afterSuccess(
          next(
            variant.read(),
            together(
              ...defaults
                .filter(({ name }) => name !== 'algorithm')
                .map(({ name, value, is }) => stored(name, wanted(value, is))),
            ),
          ),
        ),
      ],
    }),
    check('small-values-are-kept', {
      requirement: ['period.number', 'key-size.kept', 'qr-size.kept', 'max-validation-attempts.kept'].map(requirement),
      given: [
        definedWhereTaken(variant, fields({ period: 17, key_size: 11, qr_size: 101, max_validation_attempts: 2 })),
      ],
      when: variant.read(),
      then: [
        together(
          stored('period', seconds(17)),
          stored('key_size', count(11)),
          stored('qr_size', count(101)),
          stored('max_validation_attempts', count(2)),
        ),
      ],
    }),
    many,
    hour,
    several,
    check('long-issuer-is-kept', {
      requirement: [requirement('issuer.kept'), requirement('spelling.escaped-name')],
      given: [unusedId('unknown'), definedWhereTaken(variant, fields({ issuer: longIssuer }))],
      when: variant.read(),
      then: [storedIfShown('issuer', longIssuer, variant.read('unknown'))],
    }),
    check('issuer-with-signs-is-kept', {
      requirement: [requirement('issuer.kept'), requirement('spelling.written-default')],
      given: [unusedId('unknown'), definedWhereTaken(variant, fields({ issuer: issuerWithSigns }))],
      when: variant.read(),
      then: [
        together(
          storedIfShown('issuer', issuerWithSigns, variant.read('unknown')),
          anotherHas(
            variant,
            { issuer: issuerWithColon },
            storedIfShown('issuer', issuerWithColon, variant.read('unknown')),
          ),
        ),
      ],
    }),
  ]
}
