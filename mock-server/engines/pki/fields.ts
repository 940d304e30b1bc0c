/** Reads body fields by a table, whose rows state type, default and limits of each field. */

import { anyListField, flagField, numberField, textField } from '../../kernel/http/body-fields.ts'
import { durationField, parseDuration } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'

interface Kinds {
  flag: boolean
  text: string
  number: number
  /** A duration, in seconds; 0 means unset. */
  seconds: number
  /** A comma-separated string, a JSON array, or a string that contains a JSON array. */
  list: readonly string[]
}

export interface FieldRow<K extends keyof Kinds = keyof Kinds> {
  readonly kind: K
  /** The default of the field. */
  readonly fallback: Kinds[K]
  readonly required?: boolean
  /** The only valid values. The default is always one of them. */
  readonly oneOf?: readonly string[]
  /** Returns what is wrong with a value of the right type, or undefined. */
  invalid?(value: Kinds[K]): string | undefined
  /** Converts the value before it is read. */
  read?(given: unknown): unknown
}

export type FieldTable = Readonly<Record<string, FieldRow>>
export type ValuesOf<T> = { readonly [F in keyof T]: T[F] extends FieldRow<infer K> ? Kinds[K] : never }

export const flag = (fallback: boolean): FieldRow<'flag'> => ({ kind: 'flag', fallback })
export const text = (fallback = '', more: Partial<FieldRow<'text'>> = {}): FieldRow<'text'> => ({
  kind: 'text',
  fallback,
  ...more,
})
export const number = (fallback: number, more: Partial<FieldRow<'number'>> = {}): FieldRow<'number'> => ({
  kind: 'number',
  fallback,
  ...more,
})
export const seconds = (fallback: number): FieldRow<'seconds'> => ({ kind: 'seconds', fallback })
export const list = (fallback: readonly string[] = [], more: Partial<FieldRow<'list'>> = {}): FieldRow<'list'> => ({
  kind: 'list',
  fallback,
  ...more,
})

type Body = Readonly<Record<string, unknown>>

/** Newer servers of this family implement these fields. No document has them, and this server refuses them, because to
 * ignore them would mislead the caller. */
const unserved = ['not_after', 'use_pss', 'user_ids'] as const

/** Reads all fields of a table. Refuses a wrong type, a value outside the limits, and a missing field. */
export function readFields<T extends FieldTable>(table: T, body: Body): ValuesOf<T> {
  const refused = unserved.find((name) => !['', 'false'].includes(String(body[name] ?? '')))
  if (refused) throw badRequest(`${refused}: this reference server does not carry out this field`)
  const values: Record<string, unknown> = {}
  for (const [name, row] of Object.entries(table)) values[name] = readField(name, row, body)
  return values as ValuesOf<T>
}

function readField(name: string, row: FieldRow, body: Body): unknown {
  const given = row.read && body[name] !== undefined ? { [name]: row.read(body[name]) } : body
  const value = readers[row.kind](given, name)
  if (value === undefined || value === '') {
    if (row.required) throw badRequest(`missing ${name}`)
    return row.fallback
  }
  if (row.oneOf && !row.oneOf.includes(String(value)))
    throw badRequest(`${name} must be one of ${row.oneOf.join(', ')}; not ${JSON.stringify(value)}`)
  const wrong = (row.invalid as ((value: unknown) => string | undefined) | undefined)?.(value)
  if (wrong) throw badRequest(`${name}: ${wrong}`)
  return value
}

const readers: Readonly<Record<keyof Kinds, (body: Body, name: string) => unknown>> = {
  flag: flagField,
  text: textField,
  number: numberField,
  seconds: durationField,
  list: anyListField,
}

export const isDuration = (value: string): boolean => {
  const length = parseDuration(value)
  return length !== undefined && length > 0
}
