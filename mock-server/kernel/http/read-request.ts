import type { Verb } from '../contracts.ts'
import type { KernelTables } from '../tables.ts'
import { parseBoundedJson } from './bounded-json.ts'
import { Refusal } from './refusal.ts'
import type { RequestContext } from './request-context.ts'

const verbs: Readonly<Record<string, Verb>> = {
  GET: 'GET',
  HEAD: 'GET',
  LIST: 'LIST',
  POST: 'POST',
  PUT: 'POST',
  PATCH: 'PATCH',
  DELETE: 'DELETE',
}
const prefix = '/v1/'
/** What servers of this family take for true in a query. */
const truths: ReadonlySet<string | null> = new Set(['1', 't', 'T', 'true', 'True', 'TRUE'])

/** Reads verb, path, query and body off the request. */
export function readRequest(request: RequestContext, { tables }: { readonly tables: KernelTables }): void {
  const { method, url, body } = request.incoming
  const verb = Object.hasOwn(verbs, method) ? verbs[method] : undefined
  if (!verb) throw new Refusal('unknown-method')
  request.verb = verb

  const target = url.startsWith('/') ? url : pathOf(url)
  const mark = target.indexOf('?')
  request.path = readPath(mark === -1 ? target : target.slice(0, mark))
  if (mark !== -1) request.query = new URLSearchParams(target.slice(mark + 1))
  if (method === 'GET' && truths.has(request.query.get('list'))) request.verb = 'LIST'
  if (body !== undefined && (verb === 'POST' || verb === 'PATCH'))
    request.body = readBody(tables.cutBody === 'completed' ? completed(body) : body)
}

/** Of a request line with a whole URL. */
function pathOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? parsed.pathname + parsed.search : url
}

function readPath(raw: string): string {
  if (!raw.startsWith(prefix)) throw new Refusal('unsupported-path')
  let end = raw.length
  while (end > prefix.length && raw[end - 1] === '/') end--
  const path = raw.slice(prefix.length, end)
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    throw new Refusal('bad-request', { message: `the path holds a broken percent escape: ${path}` })
  }
}

function completed(bytes: Buffer): Buffer {
  try {
    parseBoundedJson(bytes.toString('utf8'))
    return bytes
  } catch {
    return Buffer.concat([bytes, Buffer.from('}')])
  }
}

function readBody(bytes: Buffer): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) return {}
  let value: unknown
  try {
    value = parseBoundedJson(bytes.toString('utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal('bad-request', { message: `failed to parse JSON input: ${reason}` })
  }
  if (value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Refusal('bad-request', { message: 'failed to parse JSON input: an object is expected' })
}
