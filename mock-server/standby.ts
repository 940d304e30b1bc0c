/** Starts the nodes of a cluster. Each has a listener of its own; a load balancer may stand in front of them. */
import { type Nodes, type StandbyTreatment, standbyTreatments } from './kernel/cluster/nodes.ts'
import type { Edition } from './kernel/contracts.ts'
import { type ListenerOptions, listen } from './kernel/http/listener.ts'
import { type Answer, headerOf, type IncomingRequest } from './kernel/http/request-context.ts'

export interface NodeListeners {
  readonly urls: readonly string[]
  /** The origin of the load balancer. */
  readonly balancerUrl: string | undefined
  close(): Promise<void>
}

const mostNodes = 9

/** A standby node answers these paths about itself. */
const ownPaths: ReadonlySet<string> = new Set(['/v1/sys/health', '/v1/sys/leader', '/v1/sys/step-down'])

export const isAboutNode = (url: string): boolean => ownPaths.has((url.split('?', 1)[0] ?? '').replace(/\/+$/, ''))
export const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'LIST'])

/** Answers as one of the nodes. A standby node that must not forward a request redirects it to the active node. */
export const serveAsNode =
  (node: number, serve: ListenerOptions['serve'], nodes: Nodes, isSealed: () => boolean) =>
  (incoming: IncomingRequest): Answer | Promise<Answer> => {
    if (nodes.active === node) return serve(incoming)
    const asStandby = { ...incoming, isStandby: true }
    if (isAboutNode(incoming.url)) return serve(asStandby)
    // A sealed node does not know which node is active.
    if (isSealed()) return serve(incoming)
    const treatment = treatmentOf(incoming, nodes.standbys)
    if (treatment === 'read') return serve(asStandby)
    if (treatment === 'forward') return serve(incoming)
    const location = (nodes.urls[nodes.active] ?? '') + incoming.url
    return { status: 307, contentType: 'application/json', body: undefined, headers: ['Location', location] }
  }

/** A standby node that reads also looks at what it then forwards. A client can forbid forwarding by a header. */
function treatmentOf(incoming: IncomingRequest, standbys: StandbyTreatment): StandbyTreatment {
  const mayForward = headerOf(incoming, 'x-vault-no-request-forwarding') === undefined
  if (standbys === 'read') return mayForward || reads.has(incoming.method) ? 'read' : 'redirect'
  return mayForward ? standbys : 'redirect'
}

/** The options of a server about its nodes. */
export interface NodeOptions {
  /** 1 by default. All nodes but one are standby nodes: they listen on free ports and forward to the active node. */
  readonly nodes?: number
  /** If true, the standby nodes are performance standbys: they answer `sys/health` with 473, and reads themselves. */
  readonly performanceStandbys?: boolean
  /** What a standby node does with a request: `forward` it to the active node (the default), `read` by itself what can be
   * read and forward the rest, or `redirect` the client to the active node. */
  readonly standbys?: StandbyTreatment
  /** How long the reads of standby nodes are behind the active node, in milliseconds; 0 by default. */
  readonly readLagMs?: number
  /** If true, a load balancer listens on a port of its own, and gives each request to the next node. */
  readonly balance?: boolean
  /** If true, the load balancer lets the active node answer what nodes answer about themselves. */
  readonly hidesNodes?: boolean
}

/** Throws a RangeError if the options contradict each other. */
export function assertNodes(options: NodeOptions & { readonly edition: Edition }): void {
  const {
    nodes = 1,
    standbys,
    performanceStandbys = false,
    readLagMs = 0,
    balance = false,
    hidesNodes = false,
    edition,
  } = options
  const isReading = performanceStandbys || standbys === 'read'
  const contradictions: readonly (readonly [boolean, string])[] = [
    [
      !Number.isInteger(nodes) || nodes < 1 || nodes > mostNodes,
      `nodes must be a whole number from 1 to ${mostNodes}; saw ${nodes}`,
    ],
    [
      performanceStandbys && edition === 'community',
      'performanceStandbys: the community edition has no performance standbys',
    ],
    [
      standbys !== undefined && !standbyTreatments.includes(standbys),
      `standbys ${JSON.stringify(standbys)} is not one of ${standbyTreatments.join(', ')}`,
    ],
    [
      performanceStandbys && standbys !== undefined && standbys !== 'read',
      `performanceStandbys answer reads, so standbys cannot be ${standbys}`,
    ],
    [!(readLagMs >= 0), `readLagMs must be 0 or more; saw ${readLagMs}`],
    [readLagMs > 0 && !isReading, 'readLagMs is for standby nodes that answer reads: set standbys to read'],
    [
      nodes === 1 && (standbys !== undefined || balance),
      'standbys and balance need several nodes: set nodes to 2 or more',
    ],
    [hidesNodes && !balance, 'hidesNodes is for a load balancer: set balance to true'],
  ]
  for (const [isSo, words] of contradictions) if (isSo) throw new RangeError(words)
}

/** Opens the listeners of all nodes. Only the first node gets the port of the options; the others get free ports. */
export async function startNodes(
  { nodes: count = 1, balance = false, hidesNodes = false }: NodeOptions,
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
    // What is served without a node is what the active one answers.
    const balanced = inTurn(count, serveBy)
    const serve: ListenerOptions['serve'] = (incoming) =>
      hidesNodes && isAboutNode(incoming.url) ? options.serve(incoming) : balanced(incoming)
    if (balance) listeners.push(await listen({ ...options, port: 0, serve }))
  } catch (error) {
    await close()
    throw error
  }
  const urls = listeners.map(({ url }) => url)
  return { urls: urls.slice(0, count), balancerUrl: urls[count], close }
}

/** Gives each request to the next node, as a round-robin load balancer does. */
function inTurn(count: number, serveBy: (node: number) => ListenerOptions['serve']): ListenerOptions['serve'] {
  const serves = Array.from({ length: count }, (_, node) => serveBy(node))
  let turn = 0
  return (incoming) => (serves[turn++ % count] as ListenerOptions['serve'])(incoming)
}
