import type { Exchange } from '../vocabulary/index.ts'
import type { WireRequest } from '../wire/client.ts'

/** Fills the templates of an exchange. */
interface Filled {
  path(exchange: Exchange): string
  query(exchange: Exchange): Readonly<Record<string, string>> | undefined
  body(exchange: Exchange): string | undefined
}

export type Twin = Pick<WireRequest, 'method' | 'path' | 'query' | 'body'>

/** The positive twin of a check as a request. */
export function twinOf(control: Exchange | undefined, filled: Filled, prefix: string): Twin | undefined {
  if (!control) return undefined
  const [query, body] = [filled.query(control), filled.body(control)]
  return {
    ...{ method: control.method, path: `${prefix}/${filled.path(control)}` },
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { body }),
  }
}
