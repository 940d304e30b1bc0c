/** Only a program of this machine that knows the URL may drive the control listener. Web pages reach loopback addresses
 * too, directly or by a name that resolves to one, and so do other accounts of the machine. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface Denial {
  readonly status: number
  readonly error: string
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other))

/** `key` is the first segment of every path. The returned path begins after it. */
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

/** A browser asks the listener before it sends JSON to another origin, and is not allowed to. */
export const isJson = (request: IncomingMessage): boolean =>
  /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
