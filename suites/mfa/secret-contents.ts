/** Checks of the values that a generated secret takes from its method, for both variants. */
import type { Check, Expectation, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import { about, check, together } from '../../harness/vocabulary/index.ts'
import { attempted, entity, whereTaken } from '../given.ts'
import { type CheckRow, requirementsIn, rowsOf } from '../rows.ts'
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
  /** The size of the key in bytes, if the secret is looked at as a whole. */
  readonly bytes?: number
}

const told: readonly SecretRow[] = [
  { name: 'issuer', value: issuer },
  { name: 'period', value: 60 },
  { name: 'digits', value: 8 },
  { name: 'algorithm', value: 'SHA256' },
].map(({ name, value }) => ({
  id: `url-tells-the-${name}`,
  method: { [name]: value },
  isExtreme: name === 'period',
  requirement: 'secret.from-configuration',
  then: urlHas(name, String(value)),
}))

const rows: readonly SecretRow[] = [
  ...rowsOf<SecretRow>({
    'key-has-20-bytes-by-default': { requirement: 'key-size.bytes', then: keyOf(20) },
    'key-has-the-bytes-asked-for': {
      method: { key_size: 64 },
      isExtreme: true,
      requirement: 'key-size.bytes',
      then: keyOf(64),
    },
    'a-long-key-has-the-bytes-asked-for': {
      method: { key_size: 100 },
      isExtreme: true,
      requirement: 'key-size.bytes',
      then: keyOf(100),
    },
    'a-short-key-has-the-bytes-asked-for': {
      method: { key_size: 10 },
      isExtreme: true,
      requirement: 'key-size.bytes',
      then: keyOf(10),
    },
    'qr-code-has-200-pixels-by-default': { requirement: 'qr-size.pixels', then: qrCodeOf(200) },
    'qr-code-has-the-pixels-asked-for': {
      method: { qr_size: 600 },
      isExtreme: true,
      requirement: 'qr-size.pixels',
      then: qrCodeOf(600),
    },
    'qr-code-of-the-caller-has-the-pixels-asked-for': {
      by: 'caller',
      method: { qr_size: 300 },
      isExtreme: true,
      requirement: 'qr-size.pixels',
      then: qrCodeOf(300),
    },
    'a-secret-of-the-caller-has-the-sizes-of-the-changed-method': {
      by: 'caller',
      before: {},
      method: { key_size: 33, qr_size: 301 },
      isExtreme: true,
      requirement: ['key-size.bytes', 'qr-size.pixels'],
      then: together(keyOf(33), qrCodeOf(301)),
    },
    'qr-code-carries-the-secret': { requirement: 'qr-code.readable', then: qrCodeCarriesTheSecret },
    'qr-code-tells-the-digits': {
      method: { digits: 8 },
      requirement: 'secret.from-configuration',
      then: qrCodeTells('digits', '8'),
    },
    'qr-code-tells-the-configuration': {
      method: { period: 60, algorithm: 'SHA256' },
      isExtreme: true,
      requirement: 'secret.from-configuration',
      then: together(qrCodeTells('issuer', issuer), qrCodeTells('period', '60'), qrCodeTells('algorithm', 'SHA256')),
    },
  }),
  ...told,
]

/** A configuration without any default value, and a secret of it. */
const wholeOf = (name: string): Omit<SecretRow, 'id'> => ({
  isExtreme: true,
  method: { issuer: name, period: 60, digits: 8, algorithm: 'SHA512', key_size: 32 },
  requirement: 'secret.from-configuration',
  bytes: 32,
  then: together(urlHas('issuer', name), urlHas('period', '60'), urlHas('digits', '8'), urlHas('algorithm', 'SHA512')),
})
const whole = wholeOf('{label} & Sons + 50%')
const wholes: readonly SecretRow[] = [
  // A server may refuse a colon, which ends the issuer in the label of a URL.
  { ...wholeOf('{label}: R & D + 50%'), id: 'url-tells-an-issuer-with-signs' },
  { ...whole, id: 'a-secret-has-what-its-method-was-changed-to', before: {} },
  { ...whole, id: 'a-secret-of-the-caller-is-of-the-configuration', by: 'caller' },
]

/** A secret of another entity was made before the change, because a server could keep the values that it took for that
 * one. */
const changedAfterUse = (variant: Variant, body: JsonObject): readonly Step[] => [
  entity('other'),
  attempted(variant.adminGenerate('otherId')),
  whereTaken(variant.redefine(body)),
]

export function secretsOf(variant: Variant): readonly Check[] {
  return [...rows, ...wholes].map(({ id, by, before, method, isExtreme, requirement, then, bytes }) =>
    check(id, {
      requirement: requirementsIn(`${variant.area}.`, requirement),
      given: [
        isExtreme ? definedWhereTaken(variant, fields(before ?? method)) : defined(variant, fields(before ?? method)),
        ...(before === undefined ? [] : changedAfterUse(variant, fields(method))),
        ...(by === 'caller' ? caller(variant) : [entity('person')]),
      ],
      when: by === 'caller' ? variant.generate('session', 'userId') : variant.adminGenerate('personId'),
      then: [then, ...(bytes === undefined ? [] : [about(`${variant.area}.key-size.bytes`, keyOf(bytes))])],
    }),
  )
}
