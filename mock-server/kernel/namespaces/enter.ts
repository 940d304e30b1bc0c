/** Finds the namespace that a request belongs to, by its header and by its path. */
import { badRequest, Refusal } from '../http/refusal.ts'
import { headerOf, type IncomingRequest, type RequestContext } from '../http/request-context.ts'
import type { Kernel } from '../kernel.ts'
import { page } from '../served.ts'
import type { Services } from '../services.ts'
import { servesNamespaces } from './namespaces.ts'

/** Follows the namespaces at the start of a path. Returns the kernel of the last one, and the rest of the path. */
export function enter<Within extends Services>(
  path: string,
  from: Within,
): { readonly kernel: Within; readonly rest: string } {
  let [kernel, rest] = [from, path]
  for (;;) {
    const slash = rest.indexOf('/')
    const child = kernel.namespaces.servicesOf(slash === -1 ? rest : rest.slice(0, slash)) as Within | undefined
    if (!child) return { kernel, rest }
    kernel = child
    rest = slash === -1 ? '' : rest.slice(slash + 1)
  }
}

/** Returns the path in the header without slashes at its ends. It is empty for the root namespace. */
function namespaceIn(request: Pick<RequestContext, 'headers'>): string {
  const given = headerOf(request, 'x-vault-namespace')
  if (given === undefined) return ''
  const path = given.trim().replaceAll(/^\/+|\/+$/g, '')
  return path === 'root' ? '' : path
}

function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Returns the path in the target of a request line, below `/v1/` and decoded. */
export function pathIn(url: string): string {
  const mark = url.indexOf('?')
  let end = mark === -1 ? url.length : mark
  const start = url.startsWith('/v1/') ? 4 : 0
  while (end > start && url[end - 1] === '/') end--
  return decoded(url.slice(start, end))
}

/** Returns the path of a request with its namespace, whether the header or the path names the namespace. */
export function wholePathOf(incoming: Pick<IncomingRequest, 'url' | 'headers'>): string {
  const [namespace, path] = [namespaceIn(incoming), pathIn(incoming.url)]
  return namespace === '' || path === '' ? namespace || path : `${namespace}/${path}`
}

/** These sections of `sys/` belong to the whole server, and exist in the root namespace only. */
const rootOnly: ReadonlySet<string> = new Set([
  ...[
    'audit',
    'audit-hash',
    'config',
    'decode-token',
    'generate-root',
    'generate-root-token',
    'generate-recovery-token',
    'health',
    'init',
  ],
  ...['key-status', 'license', 'metrics', 'plugins', 'quotas', 'raw', 'rekey', 'rekey-recovery-key', 'replication'],
  ...['rotate', 'seal', 'step-down', 'storage', 'unseal'],
])

/** Returns the kernel of the namespace of a request, and removes the namespace from the path of the request. */
export function enterNamespace(request: RequestContext, root: Kernel): Kernel {
  const asked = namespaceIn(request)
  const { facts } = root
  if (asked !== '' && !servesNamespaces(facts))
    throw badRequest(
      `X-Vault-Namespace: this reference server (version ${facts.version}, ${facts.edition} edition) has no namespaces: see ${page}`,
    )
  const start = enter(asked, root)
  if (start.rest !== '') throw new Refusal('wrong-path', { message: `namespace not found: ${asked}/` })
  const { kernel, rest } = enter(request.path, start.kernel)
  request.path = rest
  if (kernel === root) return kernel
  const [first, section = ''] = rest.split('/')
  if (first === 'sys' && rootOnly.has(section))
    throw badRequest(`operation unavailable in namespaces: sys/${section} is in the root namespace only`)
  return kernel
}
