/** What a generated secret has of its method: alike in both variants. */
import type { Check, Expectation, JsonObject } from '../../harness/vocabulary/index.ts'
import { check } from '../../harness/vocabulary/index.ts'
import { entity } from '../given.ts'
import { defined, fields, issuer } from './given.ts'
import { keyOf, qrCodeCarriesTheSecret, qrCodeOf, urlTells } from './then-secrets.ts'
import type { Variant } from './variant.ts'

interface Row {
  readonly id: string
  readonly method?: JsonObject
  readonly requirement: string
  readonly then: Expectation
  readonly mutants: readonly [string, ...string[]]
}

const imprecise = ['qr-code-is-not-exact', 'qr-code-is-not-square'] as const

const told: readonly Row[] = [
  { name: 'issuer', value: issuer, mutants: ['issuer-is-not-kept'] },
  { name: 'period', value: 60, mutants: ['period-is-not-kept'] },
  { name: 'digits', value: 8, mutants: ['digits-is-not-kept'] },
  { name: 'algorithm', value: 'SHA256', mutants: ['algorithm-is-not-kept'] },
].map(({ name, value, mutants }) => ({
  id: `url-tells-the-${name}`,
  method: { [name]: value },
  requirement: 'secret.from-configuration',
  then: urlTells(name, String(value)),
  mutants: [`url-omits-${name}`, ...mutants],
}))

const rows: readonly Row[] = [
  {
    id: 'key-has-20-bytes-by-default',
    requirement: 'key-size.bytes',
    then: keyOf(20),
    mutants: ['key-size-defaults-to-32', 'key-size-in-bits'],
  },
  {
    id: 'key-has-the-bytes-asked-for',
    method: { key_size: 32 },
    requirement: 'key-size.bytes',
    then: keyOf(32),
    mutants: ['key-size-is-not-kept', 'key-always-20-bytes', 'key-size-in-bits'],
  },
  {
    id: 'qr-code-has-200-pixels-by-default',
    requirement: 'qr-size.pixels',
    then: qrCodeOf(200),
    mutants: ['qr-size-defaults-to-300', ...imprecise],
  },
  {
    id: 'qr-code-has-the-pixels-asked-for',
    method: { qr_size: 300 },
    requirement: 'qr-size.pixels',
    then: qrCodeOf(300),
    mutants: ['qr-size-is-not-kept', 'qr-code-always-200-pixels', ...imprecise],
  },
  {
    id: 'qr-code-carries-the-secret',
    requirement: 'qr-code.readable',
    then: qrCodeCarriesTheSecret,
    mutants: ['qr-code-has-another-secret'],
  },
  ...told,
]

export function shapesOf(variant: Variant): readonly Check[] {
  const mutant = (id: string): string => `${variant.area}/${id}`
  return rows.map(({ id, method, requirement, then, mutants: [first, ...others] }) =>
    check(id, {
      requirement: `${variant.area}.${requirement}`,
      given: [defined(variant, fields(method)), entity('person')],
      when: variant.adminGenerate('personId'),
      then: [then],
      mutants: [mutant(first), ...others.map(mutant)],
    }),
  )
}
