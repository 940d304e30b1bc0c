/** Matches requests with the site of a fault, and derives paths of related requests. */
import type { FaultSite } from '../vocabulary/index.ts'
import type { WireRequest } from '../wire/client.ts'

export type Sent = Pick<WireRequest, 'method' | 'path' | 'query'>

/** Matches the segment of a throw-away mount. Other mounts do not belong to the checks. */
const mount = 'assay-[^/]+'

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

const patterns = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const parts = path.split('/').map((part) => {
    if (/^\{.+\}$/.test(part)) return `/${mount}`
    if (part.startsWith(':')) return part.endsWith('?') ? '(?:/[^/]+)?' : '/[^/]+'
    return `/${escaped(part)}`
  })
  const pattern = new RegExp(`^/v\\d+${parts.join('')}/?$`)
  patterns.set(path, pattern)
  return pattern
}

/** Returns the method of a request. A GET with `list=true` counts as LIST, a PUT as POST. */
export function verbOf({ method, query }: Sent): string {
  if (method === 'GET' && query?.list === 'true') return 'LIST'
  return method === 'PUT' ? 'POST' : method
}

export const isAt = (sent: Sent, { method, path, except = [] }: FaultSite): boolean =>
  verbOf(sent) === method &&
  patternOf(path).test(sent.path) &&
  !except.some((other) => patternOf(other).test(sent.path))

/** Returns the index of a named segment in the parts of a path, or undefined if the path does not have it. The parts
 * begin with an empty text and the version (`/v1`), which the pattern lacks. */
function indexIn(pattern: string, name: string, path: string): number | undefined {
  const at = pattern.split('/').findIndex((part) => part.replace(/\?$/, '') === `:${name}`)
  return at >= 0 && path.split('/').length > at + 2 ? at + 2 : undefined
}

/** Returns the value of a named segment: `one` for `name` in `/v1/things/one` at `things/:name`. */
export function segmentOf({ path }: Sent, site: FaultSite, name: string): string | undefined {
  const index = indexIn(site.path, name, path)
  return index === undefined ? undefined : path.split('/')[index]
}

/** Returns the request with another value of a named segment of its path. */
export function withSegment<Request extends Sent>(
  request: Request,
  site: FaultSite,
  name: string,
  value: string,
): Request {
  const index = indexIn(site.path, name, request.path)
  return index === undefined ? request : { ...request, path: request.path.split('/').with(index, value).join('/') }
}

/** Returns the path of the reader for the object of a request: mount and names are taken from the request, segment
 * by segment. Returns undefined if the request does not contain all names that the reader needs. */
export function readerBeside(reader: FaultSite, { path }: Sent): string | undefined {
  const [prefix = '', ...given] = path.replace(/^\//, '').split('/')
  const mounted = given.find((part) => new RegExp(`^${mount}$`).test(part))
  const parts = reader.path.split('/').map((part, index) => {
    if (/^\{.+\}$/.test(part)) return mounted
    return part.startsWith(':') ? given[index] : part
  })
  return parts.some((part) => part === undefined) ? undefined : `/${prefix}/${parts.join('/')}`
}

const mountAt = (site: FaultSite): number => site.path.split('/').findIndex((part) => /^\{.+\}$/.test(part))

/** Returns the mount in the path of a request at a site, or an empty text if it has none. */
export function mountIn(path: string, site: FaultSite): string {
  const at = mountAt(site)
  // In the parts of a path, the mount comes after an empty text and the version.
  return at < 0 ? '' : (path.split('/')[at + 2] ?? '')
}

/** Returns the path of a twin with its mount replaced by that of the request. A twin may use another mount, but the
 * fault has to act on that of the request. */
export function onMountOf({ path }: Sent, site: FaultSite, twin: string): string {
  const at = mountAt(site)
  if (at < 0) return twin
  const [own, other] = [path.split('/'), twin.split('/')]
  return other.map((part, index) => (index === at + 2 ? (own[index] ?? part) : part)).join('/')
}

/** Splits a path into the part before the last segment, and the last segment. */
export function namedIn(path: string): { readonly collection: string; readonly name: string } {
  const bare = path.replace(/\/$/, '')
  const at = bare.lastIndexOf('/')
  return { collection: bare.slice(0, at), name: bare.slice(at + 1) }
}
