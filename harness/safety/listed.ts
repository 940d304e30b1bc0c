/** What the target is asked, through the dialect, about the things that a run made. */
import type { Dialect, Json, Reply } from '../vocabulary/index.ts'
import { isObject, isSuccess, keysOf } from '../vocabulary/index.ts'
import type { Question } from '../wire/ask.ts'

/** The `inventory` operation gives this name to the list of token accessors. */
export const tokenKind = 'token accessors'

/** The keys of a list, or the keys of an object of objects (mounts); undefined where the reply is neither. */
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

/** The exchange of an operation that takes an accessor. */
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
