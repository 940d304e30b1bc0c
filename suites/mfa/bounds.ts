/** Checks of values outside the closed lists, for both variants. */
import { type Check, check, type Expectation, isRefusal, refused } from '../../harness/vocabulary/index.ts'
import { define, defined, fields, redefinable } from './given.ts'
import { holdsNoneBut } from './then.ts'
import type { Variant } from './variant.ts'
import { methodStays } from './witnesses.ts'

interface Bound {
  readonly name: 'digits' | 'skew' | 'algorithm'
  readonly values: readonly (string | number)[]
  readonly wrong: readonly { readonly id: string; readonly value: string | number }[]
  /** Values further away from the valid ones. Each has a single check. */
  readonly far: readonly { readonly id: string; readonly value: string | number }[]
}

const bounds: readonly Bound[] = [
  {
    name: 'digits',
    values: [6, 8],
    wrong: [5, 7, 9].map((value) => ({ id: `${value}-digits`, value })),
    far: [4, 10].map((value) => ({ id: `${value}-digits`, value })),
  },
  {
    name: 'skew',
    values: [1, 0],
    wrong: [
      { id: 'skew-2', value: 2 },
      { id: 'negative-skew', value: -1 },
    ],
    far: [{ id: 'skew-3', value: 3 }],
  },
  {
    name: 'algorithm',
    values: ['SHA1', 'SHA256', 'SHA512'],
    wrong: [{ id: 'another-algorithm', value: 'MD5' }],
    far: [{ id: 'sha384', value: 'SHA384' }],
  },
]

/** If an update is refused, its valid fields must not be changed either. */
const others = { issuer: 'Another Ltd', algorithm: 'SHA512', digits: 8, skew: 0 }

/** If a refused definition provides no name or id of a method, there is no method to read. */
const unlessUndefined = (expectation: Expectation): Expectation => ({
  ...expectation,
  judge: (seen, before) =>
    isRefusal(seen.reply) && !seen.scope.has('method') ? undefined : expectation.judge(seen, before),
})

export function boundsOf(variant: Variant): readonly Check[] {
  const requirement = (id: string): string => `${variant.area}.${id}`
  return bounds.flatMap(({ name, values, wrong, far }) => {
    const [usual = '', other = ''] = values
    const situation = [defined(variant, fields({ [name]: other }))]
    const isNotKept = ({ id, value }: Bound['wrong'][number]) =>
      check(`${id}-is-not-kept`, {
        requirement: requirement(`${name}.closed`),
        given: situation,
        when: variant.redefine(fields({ [name]: value })),
        then: [unlessUndefined(holdsNoneBut(variant.read(), name, values))],
      })
    const ofWrong = wrong.flatMap(({ id, value }) => [
      isNotKept({ id, value }),
      check(`${id}-is-refused`, {
        requirement: requirement(`${name}.other-refused`),
        given: [...situation, ...redefinable(variant, fields({ [name]: other }))],
        when: variant.redefine({ ...others, [name]: value }),
        then: [refused(methodStays(variant.read()))],
        control: variant.redefine({ ...others, [name]: usual }),
      }),
      check(`${id}-is-not-kept-at-creation`, {
        requirement: requirement(`${name}.closed`),
        // A server on which no method can be defined stores no invalid value either, so one is defined first.
        given: [defined(variant, fields({ [name]: usual }), 'second')],
        when: define(variant, fields({ [name]: value })),
        then: [unlessUndefined(holdsNoneBut(variant.read(), name, values))],
      }),
      check(`${id}-is-refused-at-creation`, {
        requirement: requirement(`${name}.other-refused`),
        // The twin is defined first, because finding out where methods are defined may take more than one request.
        given: [defined(variant, fields({ [name]: usual }), 'second')],
        when: define(variant, { issuer: '{label}', [name]: value }),
        then: [refused(variant.undefinedStays('{label}'))],
      }),
    ])
    return [...ofWrong, ...far.map(isNotKept)]
  })
}

/** The value is a word if the field is a number, and an object if the field is a string. The usual value is the default
 * where the documents give no bounds, so that every server accepts it. */
const misfits = [
  { name: 'issuer', value: { is: 'Acme Ltd' }, usual: 'Another Ltd' },
  { name: 'digits', value: 'six', usual: 8 },
  { name: 'skew', value: 'none', usual: 0 },
  { name: 'period', value: 'soon', usual: 30 },
  { name: 'key_size', value: 'large', usual: 20 },
  { name: 'qr_size', value: 'large', usual: 200 },
  { name: 'max_validation_attempts', value: 'many', usual: 5 },
] as const

export const misfitsOf = (variant: Variant): readonly Check[] =>
  misfits.map(({ name, value, usual }) => {
    const word = name.replaceAll('_', '-')
    return check(`${word}-${typeof value === 'string' ? 'in-words' : 'that-is-an-object'}-is-refused`, {
      requirement: `${variant.area}.${word}.other-refused`,
      given: [defined(variant), ...redefinable(variant)],
      when: variant.redefine({ ...others, [name]: value }),
      then: [refused(methodStays(variant.read()))],
      control: variant.redefine({ ...others, [name]: usual }),
    })
  })
