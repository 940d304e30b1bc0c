/** A reference server says in its health reply which forms of an API it has. Nothing else is read there: a reply must
 * not choose an address that is called, a file that is used, or what a check is given. */
import { fieldOf, isObject, type Json, type Reply } from '../vocabulary/index.ts'

export interface Described {
  readonly forms: Readonly<Record<string, string>>
}

const textsOf = (value: Json | undefined): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
      )
    : {}

/** Other servers say nothing of the kind, and a description that is not an object is ignored. */
export function describedIn(health: Reply | undefined): Described {
  const told = health ? fieldOf(health, '/reference') : undefined
  return { forms: isObject(told) ? textsOf(told.forms) : {} }
}

export const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')
