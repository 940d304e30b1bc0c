/** What a reference server says of itself in its health reply, so that it can be checked by URL alone. */
import { type Dialect, fieldOf, isObject, type Json, type Reply } from '../vocabulary/index.ts'

export interface Described {
  readonly isReference: boolean
  readonly forms: Readonly<Record<string, string>>
  readonly placed: Readonly<Record<string, unknown>>
  /** Its control listener, where that and the server are on this machine: what a target says is asked of no other. */
  readonly control?: string
}

const textsOf = (value: Json | undefined): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
      )
    : {}

/** Other servers say nothing of the kind, and what is no description is none. */
export function describedIn(health: Reply | undefined, url: string): Described {
  const told = health ? fieldOf(health, '/reference') : undefined
  if (!isObject(told)) return { isReference: false, forms: {}, placed: {} }
  const { control, ...placed } = isObject(told.placed) ? told.placed : {}
  const isNear = typeof control === 'string' && isLoopback(control) && isLoopback(url)
  return { isReference: true, forms: textsOf(told.forms), placed, ...(isNear ? { control } : {}) }
}

export const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')

export function formsEvidence(dialect: Dialect, version: string | undefined, { forms }: Described): string {
  if (Object.keys(forms).length > 0) return 'its health reply says so'
  return `version ${version} of the ${dialect.id} family`
}
