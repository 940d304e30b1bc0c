/** The rules of TOTP MFA for each variant: document 3, TOTP MFA method and the two tables of endpoints. */

import { timingSafeEqual } from 'node:crypto'
import type { Edition, ServerFacts } from '../../kernel/contracts.ts'
import { numberField, textField } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import type { Field, Settings } from './store.ts'
import { algorithms } from './totp/totp.ts'

export const variants = ['legacy', 'identity'] as const
export type Variant = (typeof variants)[number]

type Body = Readonly<Record<string, unknown>>

export interface FieldRule<Value> {
  /** A definition that leaves the field out is refused, or gets this default. */
  readonly absent: 'refused' | { readonly value: Value }
  /** Returns the value, or undefined if the body does not have the field. Refuses a value of another type. */
  readonly read: (body: Body, name: string) => Value | undefined
  readonly fits: (value: Value) => boolean
  /** Describes valid values. */
  readonly wanted: string
}
export type FieldRules = { readonly [Name in Field]: FieldRule<Settings[Name]> }

export type UrlParameter = 'algorithm' | 'digits' | 'issuer' | 'period'

export interface MfaRules {
  readonly available: (facts: ServerFacts) => boolean
  readonly fields: FieldRules
  readonly isId: (text: string) => boolean
  readonly url: { readonly parameters: readonly UrlParameter[]; readonly encode: (value: string) => string }
  readonly isCode: (given: string, right: string) => boolean
  /** Returns the time steps whose codes are accepted, relative to the current one. */
  readonly steps: (settings: Settings) => readonly number[]
  /** Returns whether the maximum of consecutive failures is reached. */
  readonly isExhausted: (failures: number, maximum: number) => boolean
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const largestKey = 1024
const largestPicture = 4096
/** A longer issuer does not fit in a QR code of any size. */
const longestIssuer = 1024

const whole = (fits: (value: number) => boolean, wanted: string, value: number): FieldRule<number> => ({
  ...{ absent: { value }, read: numberField, fits, wanted },
})
const between = (least: number, most: number) => (value: number) => value >= least && value <= most

const fields: FieldRules = {
  issuer: {
    absent: 'refused',
    read: (body, name) => textField(body, name) || undefined,
    fits: (value) => value.length <= longestIssuer,
    wanted: `at most ${longestIssuer} characters`,
  },
  period: { ...whole(between(1, 2 ** 31), 'one second or more', 30), read: durationField },
  key_size: whole(between(1, largestKey), `1 to ${largestKey} bytes`, 20),
  qr_size: whole(between(0, largestPicture), `0 to ${largestPicture} pixels`, 200),
  algorithm: {
    absent: { value: 'SHA1' },
    read: (body, name) => textField(body, name) || undefined,
    fits: (value) => algorithms.some((known) => known === value),
    wanted: algorithms.join(', '),
  },
  digits: whole((value) => value === 6 || value === 8, '6 or 8', 6),
  skew: whole(between(0, 1), '0 or 1', 1),
  max_validation_attempts: {
    ...whole(between(1, 2 ** 31), '1 or more', 5),
    // Real servers read 0 as absent.
    read: (body, name) => numberField(body, name) || undefined,
  },
}

const editions: readonly Edition[] = ['enterprise', 'premium']

const legacy: MfaRules = {
  available: ({ edition, forms }) => editions.includes(edition) && forms['mfa-legacy'] !== 'absent',
  fields,
  isId: (text) => uuid.test(text),
  url: { parameters: ['algorithm', 'digits', 'issuer', 'period'], encode: encodeURIComponent },
  isCode(given, right) {
    const [a, b] = [Buffer.from(given), Buffer.from(right)]
    return a.length === b.length && timingSafeEqual(a, b)
  },
  steps: ({ skew }) => Array.from({ length: 2 * skew + 1 }, (_, index) => index - skew),
  isExhausted: (failures, maximum) => failures >= maximum,
}

export const mfaRules: Readonly<Record<Variant, MfaRules>> = {
  legacy,
  // No document ties the variants to versions, so every version serves both, unless the form excludes one.
  identity: { ...legacy, available: ({ forms }) => forms['mfa-identity'] !== 'absent' },
}
