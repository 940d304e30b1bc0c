/** Reads the body fields of this engine, beyond the readers of the kernel. A reader returns undefined if a field is
 * absent. */

import { anyListField, parseBoundedJson, textField } from '../../kernel/http/body-fields.ts'
import { badRequest } from '../../kernel/http/refusal.ts'

export type Body = Readonly<Record<string, unknown>>

function parsed(value: string): unknown {
  try {
    return parseBoundedJson(value)
  } catch {
    return undefined
  }
}

/** Accepts a map of strings, or a list (or comma-separated string) of `key=value`. */
export function tags(body: Body, name: string): Readonly<Record<string, string>> | undefined {
  const value = body[name]
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const entries = Object.entries(value)
    if (!entries.every(([, item]) => typeof item === 'string')) throw badRequest(`${name} must be a map of strings`)
    return Object.fromEntries(entries)
  }
  const pairs = anyListField(body, name)
  if (!pairs) return undefined
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      if (equals < 1) throw badRequest(`${name}: ${JSON.stringify(pair)} is not key=value`)
      return [pair.slice(0, equals), pair.slice(equals + 1)]
    }),
  )
}

/** Accepts a policy document as JSON text or as an object. Returns it as JSON text without spaces. */
export function policy(body: Body, name: string): string | undefined {
  const value = body[name]
  if (value !== null && typeof value === 'object') return JSON.stringify(value)
  const text = textField(body, name)
  if (text === undefined || text === '') return text
  const document = parsed(text)
  if (document === null || typeof document !== 'object')
    throw badRequest(`${name} is not a policy document: expected JSON`)
  return JSON.stringify(document)
}

export const isDocument = (text: string): boolean => typeof parsed(text) === 'object'
