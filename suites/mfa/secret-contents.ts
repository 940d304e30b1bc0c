/** Checks of the values that a generated secret takes from its method, for both variants. */
import type { Check, Expectation, JsonObject } from '../../harness/vocabulary/index.ts'
import { check, together } from '../../harness/vocabulary/index.ts'
import { entity, whereTaken } from '../given.ts'
import { type CheckRow, mutantsIn, requirementsIn } from '../rows.ts'
import { caller, defined, definedWhereTaken, fields, issuer } from './given.ts'
import { keyOf, qrCodeCarriesTheSecret, qrCodeOf, qrCodeTells, urlHas } from './then-secrets.ts'
import type { Variant } from './variant.ts'

interface SecretRow extends CheckRow<string | readonly string[]> {
  /** If this is absent, the operator generates the secret for an entity. */
  readonly by?: 'caller'
  /** The fields of the method before it is updated with `method`. */
  readonly before?: JsonObject
  readonly method?: JsonObject
  /** A server may refuse to define the method, because the documents give no bounds for sizes and numbers. */
  readonly isExtreme?: boolean
  readonly then: Expectation
}

const imprecise = ['qr-code-is-not-exact', 'qr-code-is-not-square'] as const

const told: readonly SecretRow[] = [
  { name: 'issuer', value: issuer, mutants: ['issuer-is-not-kept'] },
  { name: 'period', value: 60, mutants: ['period-is-not-kept'] },
  { name: 'digits', value: 8, mutants: ['digits-is-not-kept'] },
  { name: 'algorithm', value: 'SHA256', mutants: ['algorithm-is-not-kept'] },
].map(({ name, value, mutants }) => ({
  id: `url-tells-the-${name}`,
  method: { [name]: value },
  isExtreme: name === 'period',
  requirement: 'secret.from-configuration',
  then: urlHas(name, String(value)),
  mutants: [`url-omits-${name}`, ...mutants],
}))

const rows: readonly SecretRow[] = [
  {
    id: 'key-has-20-bytes-by-default',
    requirement: 'key-size.bytes',
    then: keyOf(20),
    mutants: ['key-size-defaults-to-32', 'key-size-in-bits'],
  },
  {
    id: 'key-has-the-bytes-asked-for',
    method: { key_size: 64 },
    isExtreme: true,
    requirement: 'key-size.bytes',
    then: keyOf(64),
    mutants: ['key-size-is-not-kept', 'key-always-20-bytes', 'key-size-in-bits', 'key-at-most-32-bytes'],
  },
  {
    id: 'a-long-key-has-the-bytes-asked-for',
    method: { key_size: 100 },
    isExtreme: true,
    requirement: 'key-size.bytes',
    then: keyOf(100),
    mutants: [
      'key-size-is-not-kept',
      'key-always-20-bytes',
      'key-size-in-bits',
      'key-at-most-32-bytes',
      'key-at-most-64-bytes',
    ],
  },
  {
    id: 'a-short-key-has-the-bytes-asked-for',
    method: { key_size: 10 },
    isExtreme: true,
    requirement: 'key-size.bytes',
    then: keyOf(10),
    mutants: ['key-size-is-not-kept', 'key-always-20-bytes', 'key-size-in-bits', 'key-at-least-16-bytes'],
  },
  {
    id: 'qr-code-has-200-pixels-by-default',
    requirement: 'qr-size.pixels',
    then: qrCodeOf(200),
    mutants: ['qr-size-defaults-to-300', ...imprecise],
  },
  {
    id: 'qr-code-has-the-pixels-asked-for',
    method: { qr_size: 600 },
    isExtreme: true,
    requirement: 'qr-size.pixels',
    then: qrCodeOf(600),
    mutants: ['qr-size-is-not-kept', 'qr-code-always-200-pixels', 'qr-code-at-most-512-pixels', ...imprecise],
  },
  {
    id: 'qr-code-of-the-caller-has-the-pixels-asked-for',
    by: 'caller',
    method: { qr_size: 300 },
    isExtreme: true,
    requirement: 'qr-size.pixels',
    then: qrCodeOf(300),
    mutants: [
      'qr-size-is-not-kept',
      'qr-code-always-200-pixels',
      'qr-code-of-the-caller-has-200-pixels',
      'generate-ignores-the-configuration',
      ...imprecise,
    ],
  },
  {
    id: 'a-secret-of-the-caller-has-the-sizes-of-the-changed-method',
    by: 'caller',
    before: {},
    method: { key_size: 33, qr_size: 301 },
    isExtreme: true,
    requirement: ['key-size.bytes', 'qr-size.pixels'],
    then: together(keyOf(33), qrCodeOf(301)),
    mutants: [
      'qr-codes-are-of-the-first-configuration',
      'generate-is-of-the-first-configuration',
      'generate-makes-32-bytes',
      'odd-keys-are-longer',
      'odd-qr-codes-are-smaller',
      'secrets-are-of-the-first-configuration',
      'generate-ignores-the-configuration',
      ...[
        'key-size-is-not-kept',
        'key-always-20-bytes',
        'key-size-in-bits',
        'key-at-most-32-bytes',
        'key-size-in-twos',
      ],
      ...['qr-size-is-not-kept', 'qr-code-always-200-pixels', 'qr-code-of-the-caller-has-200-pixels', ...imprecise],
      ...['update-keeps-fields', 'update-keeps-key-size', 'update-keeps-qr-size'],
    ],
  },
  {
    id: 'qr-code-carries-the-secret',
    requirement: 'qr-code.readable',
    then: qrCodeCarriesTheSecret,
    mutants: ['qr-code-has-another-secret'],
  },
  {
    id: 'qr-code-tells-the-digits',
    method: { digits: 8 },
    requirement: 'secret.from-configuration',
    then: qrCodeTells('digits', '8'),
    mutants: ['qr-code-tells-default-digits', 'url-omits-digits', 'digits-is-not-kept'],
  },
  {
    id: 'qr-code-tells-the-configuration',
    method: { period: 60, algorithm: 'SHA256' },
    isExtreme: true,
    requirement: 'secret.from-configuration',
    then: together(qrCodeTells('issuer', issuer), qrCodeTells('period', '60'), qrCodeTells('algorithm', 'SHA256')),
    mutants: [
      'qr-code-tells-default-settings',
      'qr-code-tells-another-issuer',
      ...['issuer', 'period', 'algorithm'].flatMap((field) => [`url-omits-${field}`, `${field}-is-not-kept`]),
    ],
  },
  ...told,
]

/** A configuration without any default value, and a secret of it. */
const whole = {
  isExtreme: true,
  method: { issuer: '{label} & Sons + 50%', period: 60, digits: 8, algorithm: 'SHA512', key_size: 32 },
  requirement: 'secret.from-configuration',
  then: together(
    keyOf(32),
    urlHas('issuer', '{label} & Sons + 50%'),
    urlHas('period', '60'),
    urlHas('digits', '8'),
    urlHas('algorithm', 'SHA512'),
  ),
}
const lacking: SecretRow['mutants'] = [
  'url-does-not-encode-the-issuer',
  ...['issuer', 'period', 'digits', 'algorithm'].map((field) => `url-omits-${field}`),
  ...['issuer', 'period', 'digits', 'algorithm', 'key-size'].map((field) => `${field}-is-not-kept`),
  ...['key-always-20-bytes', 'key-size-in-bits'],
]
const wholes: readonly SecretRow[] = [
  { ...whole, id: 'url-tells-an-issuer-with-signs', mutants: lacking },
  {
    ...whole,
    id: 'a-secret-has-what-its-method-was-changed-to',
    before: {},
    mutants: [
      'secrets-are-of-the-first-configuration',
      'update-keeps-fields',
      ...['issuer', 'period', 'digits', 'algorithm', 'key-size'].map((field) => `update-keeps-${field}`),
      ...lacking,
    ],
  },
  {
    ...whole,
    id: 'a-secret-of-the-caller-is-of-the-configuration',
    by: 'caller',
    mutants: ['generate-ignores-the-configuration', ...lacking],
  },
]

export function secretsOf(variant: Variant): readonly Check[] {
  return [...rows, ...wholes].map(({ id, by, before, method, isExtreme, requirement, then, mutants }) =>
    check(id, {
      requirement: requirementsIn(`${variant.area}.`, requirement),
      given: [
        isExtreme ? definedWhereTaken(variant, fields(before ?? method)) : defined(variant, fields(before ?? method)),
        ...(before === undefined ? [] : [whereTaken(variant.redefine(fields(method)))]),
        ...(by === 'caller' ? caller(variant) : [entity('person')]),
      ],
      when: by === 'caller' ? variant.generate('session', 'userId') : variant.adminGenerate('personId'),
      then: [then],
      mutants: mutantsIn(`${variant.area}/`, mutants),
    }),
  )
}
