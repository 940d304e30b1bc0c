/** Starts the nodes of a cluster. Each has a listener of its own. Standby nodes forward requests to the active node. */
import type { Nodes } from './kernel/cluster/nodes.ts'
import { type ListenerOptions, listen } from './kernel/http/listener.ts'
import { type Answer, headerOf, type IncomingRequest } from './kernel/http/request-context.ts'

export interface NodeListeners {
  readonly urls: readonly string[]
  close(): Promise<void>
}

const mostNodes = 9

/** A standby node answers these paths about itself. */
const ownPaths: ReadonlySet<string> = new Set(['/v1/sys/health', '/v1/sys/leader', '/v1/sys/step-down'])

const isOwn = (url: string): boolean => ownPaths.has((url.split('?', 1)[0] ?? '').replace(/\/+$/, ''))
const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'LIST'])

/** Answers as one of the nodes. If the request has the header that forbids forwarding, a standby node redirects it to
 * the active node. */
export const serveAsNode =
  (node: number, serve: ListenerOptions['serve'], nodes: Nodes, isSealed: () => boolean) =>
  (incoming: IncomingRequest): Answer | Promise<Answer> => {
    if (nodes.active === node) return serve(incoming)
    const { method, url } = incoming
    if (isOwn(url)) return serve({ ...incoming, isStandby: true })
    const staysHere = headerOf(incoming, 'x-vault-no-request-forwarding') !== undefined
    // A sealed node does not know which node is active.
    if (!staysHere || isSealed() || (nodes.performanceStandbys && reads.has(method))) return serve(incoming)
    const location = (nodes.urls[nodes.active] ?? '') + url
    return { status: 307, contentType: 'application/json', body: undefined, headers: ['Location', location] }
  }

export function assertNodes(nodes: number): void {
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > mostNodes)
    throw new RangeError(`nodes must be a whole number from 1 to ${mostNodes}; saw ${nodes}`)
}

/** Opens the listeners of all nodes. Only the first node gets the port of the options; the others get free ports. */
export async function startNodes(
  count: number,
  options: ListenerOptions,
  serveBy: (node: number) => ListenerOptions['serve'],
): Promise<NodeListeners> {
  const listeners: Awaited<ReturnType<typeof listen>>[] = []
  const close = async (): Promise<void> => {
    await Promise.all(listeners.map((listener) => listener.close()))
  }
  try {
    for (let node = 0; node < count; node++)
      listeners.push(await listen({ ...options, port: node === 0 ? options.port : 0, serve: serveBy(node) }))
  } catch (error) {
    await close()
    throw error
  }
  return { urls: listeners.map(({ url }) => url), close }
}
