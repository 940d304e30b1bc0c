import type { Exchange } from '../../vocabulary/index.ts'
import type { WireRequest } from '../../wire/client.ts'
import { templateOf } from '../undo.ts'

/** Fills the templates of an exchange. */
interface Filled {
  path(exchange: Exchange): string
  query(exchange: Exchange): Readonly<Record<string, string>> | undefined
  body(exchange: Exchange): string | undefined
  /** Returns the headers of the caller, or undefined while its token is not known. */
  headers(exchange: Exchange, body: string | undefined): Readonly<Record<string, string>> | undefined
}

export type Twin = Pick<WireRequest, 'method' | 'path' | 'query' | 'body' | 'headers'> & {
  /** The caller: `operator`, `nobody`, or the name of a token that the check made. */
  readonly as: string
}

/** Returns the positive twin of a check as a request, or undefined while a name in it is not known. */
export function twinOf(
  control: Exchange | undefined,
  filled: Filled,
  prefix: string,
  isKnown: (template: string) => boolean,
): Twin | undefined {
  if (!control || !isKnown(templateOf(control))) return undefined
  const [query, body] = [filled.query(control), filled.body(control)]
  const headers = filled.headers(control, body)
  if (!headers) return undefined
  return {
    ...{ method: control.method, path: `${prefix}/${filled.path(control)}`, headers, as: control.as ?? 'operator' },
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { body }),
  }
}
