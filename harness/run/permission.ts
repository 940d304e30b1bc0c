import type { Dialect, Json, Method } from '../vocabulary/index.ts'
import { fieldOf, isObject, isSuccess } from '../vocabulary/index.ts'
import type { Ask } from '../wire/ask.ts'
import type { Denial } from './scope.ts'

const needed: Readonly<Record<Method, readonly string[]>> = {
  GET: ['read', 'root'],
  LIST: ['list', 'root'],
  POST: ['update', 'root'],
  PUT: ['update', 'root'],
  PATCH: ['patch', 'root'],
  DELETE: ['delete', 'root'],
}

/** Tells whether the target says that the operator's token has what a denied exchange needs. If it does, the denial is
 * the target's fault; if it does not, or will not say, the token is too weak to judge by. */
export async function isGranted(denial: Denial, ask: Ask, dialect: Dialect): Promise<boolean> {
  const exchange = dialect.operations.capabilitiesSelf?.({ paths: [denial.path] }).exchanges[0]
  if (!exchange) return false
  const { reply } = await ask({ method: exchange.method, path: exchange.path, body: JSON.stringify(exchange.body) })
  if (!reply || !isSuccess(reply)) return false
  const data = fieldOf(reply, '/data')
  const held: Json | undefined = (isObject(data) ? data[denial.path] : undefined) ?? fieldOf(reply, 'capabilities')
  const wanted = needed[denial.method as Method]
  return Array.isArray(held) && held.some((capability) => wanted.includes(String(capability)))
}
