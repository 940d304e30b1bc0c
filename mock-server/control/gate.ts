/** Decides which requests the control listener accepts. Web pages can also send requests to loopback addresses,
 * directly or by a name that resolves to one, and so can other accounts of the machine. Only a program that knows the
 * URL is accepted. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface Denial {
  readonly status: number
  readonly error: string
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b))

/** Checks the headers, and that the path begins with `key`. Returns the rest of the path, or the reason for a
 * refusal. */
export function admit(request: IncomingMessage, port: number, key: string): Denial | { readonly path: string } {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = request.headers
  const own = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!own.includes(host.toLowerCase()))
    return { status: 403, error: `the Host header must be ${own[0]}: use the control URL as it was printed` }
  const isForeign = origin !== undefined && !own.includes(origin.toLowerCase().replace(/^http:\/\//, ''))
  if (isForeign || (site !== 'none' && site !== 'same-origin'))
    return { status: 403, error: 'web pages of other origins may not use the control listener' }
  const [, given = '', rest] = /^\/([^/?#]*)(\/.*)?$/.exec(request.url ?? '') ?? []
  if (!isSame(given, key))
    return { status: 404, error: 'the path does not begin with the key of this control listener: use its whole URL' }
  return { path: rest ?? '/' }
}

/** Returns whether the content type is JSON. A browser sends JSON to another origin only with the permission of a
 * preflight request, which the listener does not give. */
export const isJson = (request: IncomingMessage): boolean =>
  /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
