/** Requests and lists of the dialect that show what a run made. */
import { type Dialect, isObject, isSuccess, type Json, keysOf, type Reply } from '../vocabulary/index.ts'
import type { Question } from '../wire/ask.ts'

/** The name of the list of token accessors in the `inventory` operation. */
export const tokenKind = 'token accessors'

/** Returns the keys of a list, or the keys of an object of objects (mounts); undefined if the reply is neither. */
export function namesIn(reply: Reply): readonly string[] | undefined {
  const json = reply.json
  if (isSuccess(reply) && isObject(json)) {
    const data: Json | undefined = json.data ?? json
    if (isObject(data) && !('keys' in data)) {
      const objects = Object.entries(data).filter(([, value]) => isObject(value))
      if (objects.length > 0) return objects.map(([name]) => name)
    }
  }
  return keysOf(reply)
}

/** Returns the request of an operation that takes an accessor, or undefined if the dialect does not have the
 * operation. */
export function aboutToken(
  dialect: Dialect,
  operation: 'tokenByAccessor' | 'revokeAccessor',
  accessor: string,
): Question | undefined {
  const exchange = dialect.operations[operation]?.({ accessor }).exchanges[0]
  if (!exchange) return undefined
  const { method, path, body } = exchange
  return { method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
}
