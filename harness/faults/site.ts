/** A site says which requests a fault is about. */
import type { FaultSite } from '../vocabulary/index.ts'
import type { WireRequest } from '../wire/client.ts'

export type Sent = Pick<WireRequest, 'method' | 'path' | 'query'>

/** Throw-away mounts are one segment; other mounts belong to somebody else. */
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

/** LIST may be asked as a GET with a parameter, and a POST as a PUT. */
export function verbOf({ method, query }: Sent): string {
  if (method === 'GET' && query?.list === 'true') return 'LIST'
  return method === 'PUT' ? 'POST' : method
}

export const isAt = (sent: Sent, { method, path, except = [] }: FaultSite): boolean =>
  verbOf(sent) === method &&
  patternOf(path).test(sent.path) &&
  !except.some((other) => patternOf(other).test(sent.path))

/** Where a named segment of a pattern stands in a path, whose first part is the prefix; undefined where it has none. */
function placeIn(pattern: string, name: string, path: string): number | undefined {
  const at = pattern.split('/').findIndex((part) => part.replace(/\?$/, '') === `:${name}`)
  return at >= 0 && path.split('/').length > at + 2 ? at + 2 : undefined
}

/** The value of a named segment: `one` for `name` in `/v1/things/one` at `things/:name`. */
export function segmentOf({ path }: Sent, site: FaultSite, name: string): string | undefined {
  const place = placeIn(site.path, name, path)
  return place === undefined ? undefined : path.split('/')[place]
}

/** The path with another value of a named segment. */
export function withSegment<Request extends Sent>(
  request: Request,
  site: FaultSite,
  name: string,
  value: string,
): Request {
  const place = placeIn(site.path, name, request.path)
  return place === undefined ? request : { ...request, path: request.path.split('/').with(place, value).join('/') }
}

/** The path of a reader beside a request: its mount and its names are those of the request, segment by segment. Undefined
 * where the request does not name all that the reader needs. */
export function readerBeside(reader: FaultSite, { path }: Sent): string | undefined {
  const [prefix = '', ...given] = path.replace(/^\//, '').split('/')
  const mounted = given.find((part) => new RegExp(`^${mount}$`).test(part))
  const parts = reader.path.split('/').map((part, index) => {
    if (/^\{.+\}$/.test(part)) return mounted
    return part.startsWith(':') ? given[index] : part
  })
  return parts.some((part) => part === undefined) ? undefined : `/${prefix}/${parts.join('/')}`
}

/** The path on the mount that the request is on: a twin may have a mount of its own, and does there what the request should
 * have done here. */
export function onMountOf({ path }: Sent, site: FaultSite, twin: string): string {
  const at = site.path.split('/').findIndex((part) => /^\{.+\}$/.test(part))
  if (at < 0) return twin
  // Behind the leading slash and the version.
  const [own, other] = [path.split('/'), twin.split('/')]
  return other.map((part, index) => (index === at + 2 ? (own[index] ?? part) : part)).join('/')
}

/** The path without its last segment, and the last segment. */
export function namedIn(path: string): { readonly collection: string; readonly name: string } {
  const bare = path.replace(/\/$/, '')
  const at = bare.lastIndexOf('/')
  return { collection: bare.slice(0, at), name: bare.slice(at + 1) }
}
