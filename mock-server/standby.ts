/** Standby nodes of a cluster: each has a listener of its own, and passes requests on to the active node. */
import { type ListenerOptions, listen } from './kernel/http/listener.ts'
import { type Answer, headerOf, type IncomingRequest } from './kernel/http/request-context.ts'

export interface Standbys {
  readonly urls: readonly string[]
  close(): Promise<void>
}

const mostNodes = 9

/** A standby node speaks for itself at these paths. */
const ownPaths: ReadonlySet<string> = new Set(['/v1/sys/health', '/v1/sys/leader'])

const isOwn = (url: string): boolean => ownPaths.has((url.split('?', 1)[0] ?? '').replace(/\/+$/, ''))

/** Answers as a standby node. A client that does not want its request passed on is sent to the active node. */
export const serveAsStandby =
  (serve: ListenerOptions['serve'], active: { readonly url: string; readonly isSealed: () => boolean }) =>
  (incoming: IncomingRequest): Answer | Promise<Answer> => {
    const { url } = incoming
    if (isOwn(url)) return serve({ ...incoming, isStandby: true })
    const staysHere = headerOf(incoming, 'x-vault-no-request-forwarding') !== undefined
    // A sealed node does not know who is active.
    if (!staysHere || active.isSealed()) return serve(incoming)
    return { status: 307, contentType: 'application/json', body: undefined, headers: ['Location', active.url + url] }
  }

export function assertNodes(nodes: number): void {
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > mostNodes)
    throw new RangeError(`nodes must be a whole number from 1 to ${mostNodes}; saw ${nodes}`)
}

/** Opens the listeners of all nodes but the active one, on free ports of its host. */
export async function startStandbys(nodes: number, options: Omit<ListenerOptions, 'port'>): Promise<Standbys> {
  const listeners: Awaited<ReturnType<typeof listen>>[] = []
  for (let node = 1; node < nodes; node++) listeners.push(await listen({ ...options, port: 0 }))
  return {
    urls: listeners.map(({ url }) => url),
    async close() {
      await Promise.all(listeners.map((listener) => listener.close()))
    },
  }
}
