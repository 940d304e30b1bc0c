/** Reduces a server to exactly what the documents state: in their areas, other paths are unknown and replies have only
 * the stated fields. What the documents leave to the family (mounts, tokens, logins, health) does not change. */
import type { Reply } from '../kernel/contracts.ts'
import type { Answer, RequestContext } from '../kernel/http/request-context.ts'
import { areas, engines, type Row, segments } from './documented.ts'

type Members = Record<string, unknown>

const patternOf = ({ path }: Row): RegExp =>
  new RegExp(`^${path.replaceAll(/:(\w+)/g, (_, name: string) => segments[name] ?? '[^/]+')}$`)

const compiled = (tables: Readonly<Record<string, readonly Row[]>>) =>
  new Map(
    Object.entries(tables).map(([key, rows]) => [key, rows.map((row) => ({ row, pattern: patternOf(row) }))] as const),
  )
const [byArea, byEngine] = [compiled(areas), compiled(engines)]

/** Returns the row that documents a request, `undocumented` if there is no such row, or undefined if the path is in no
 * area of the documents. */
export function documented(request: RequestContext, engine: string | undefined): Row | 'undocumented' | undefined {
  const { path, incoming } = request
  const area = [...byArea.keys()].find((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  const rows = area === undefined ? byEngine.get(engine ?? '') : byArea.get(area)
  if (!rows) return undefined
  const rest = area === undefined ? request.rest : path.slice(area.length + 1)
  // The documents do not state PUT, HEAD and `?list=true`.
  const found = rows.find(
    ({ row, pattern }) => row.verb === incoming.method && request.verb === row.verb && pattern.test(rest),
  )
  return found?.row ?? 'undocumented'
}

const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** Returns an answer with the stated fields of a reply, its lease and the id of its wrapping token, as far as it has
 * them. */
export function literalAnswer({ wrapInfo, leaseId, leaseSeconds }: RequestContext, reply: Reply, row: Row): Answer {
  if (reply.kind === 'bare') return { status: reply.status, contentType: reply.contentType, body: reply.bytes }
  const whole: Members = reply.kind === 'data' ? { ...reply.topLevel, ...reply.data } : {}
  const data = Object.fromEntries(row.fields.filter((name) => hasValue(whole[name])).map((name) => [name, whole[name]]))
  const members: Members = {
    ...(leaseId === '' ? {} : { lease_id: leaseId, lease_duration: leaseSeconds }),
    ...(wrapInfo ? { wrap_info: { token: wrapInfo.token } } : {}),
    ...(Object.keys(data).length === 0 || wrapInfo ? {} : { data }),
  }
  const isEmpty = Object.keys(members).length === 0
  const body = isEmpty ? undefined : `${JSON.stringify(members)}\n`
  return { status: isEmpty ? row.empty : 200, contentType: 'application/json', body }
}

/** Removes the body of a refusal: the documents state at most its status. */
export const withoutCause = (answer: Answer): Answer => (answer.status < 400 ? answer : { ...answer, body: undefined })
