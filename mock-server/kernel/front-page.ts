/** The answers at `/` and `/v1/`, which name the server and what it serves. They need no token. */
import { posix } from 'node:path'
import type { Answer, IncomingRequest } from './http/request-context.ts'
import type { Kernel } from './kernel.ts'
import { page, servedBy } from './served.ts'
import { reportedVersion } from './versions.ts'

const paths: ReadonlySet<string> = new Set(['/', '/v1', '/v1/'])

/** Returns the front page, or undefined for every other request. A literal server has no front page, because no
 * document states one. */
export function frontPage({ method, url }: IncomingRequest, kernel: Kernel): Answer | undefined {
  if (kernel.literal || (method !== 'GET' && method !== 'HEAD') || !paths.has(url)) return undefined
  const { secretEngines, authMethods, system } = servedBy(kernel)
  const content = {
    server: 'Assay reference server, for conformance runs and tests of clients',
    version: reportedVersion(kernel.facts),
    edition: kernel.facts.edition,
    api: '/v1/',
    secret_engines: secretEngines,
    auth_methods: authMethods,
    system: system.map((section) => `sys/${section}`),
    page,
  }
  return { status: 200, contentType: 'application/json', body: `${JSON.stringify(content, null, 2)}\n` }
}

/** Redirects a path with doubled slashes or dot segments, such as that of a base URL with a slash at its end, to the path
 * without them. Returns undefined for every other request. */
export function toCleanPath({ url }: IncomingRequest, { literal }: Kernel): Answer | undefined {
  const [path = ''] = url.split('?', 1)
  if (literal || !path.startsWith('/') || !/\/\/|\/\.\.?(?:\/|$)/.test(path)) return undefined
  const location = posix.normalize(path) + url.slice(path.length)
  return { status: 307, contentType: 'application/json', body: undefined, headers: ['Location', location] }
}
