/** Finds out whether one server or several nodes stand behind the address of a target. Nothing is changed by what is sent. */
import { type Dialect, type Exchange, type Finding, fieldOf, type Reply, type Topology } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'
import { hostOf, isRedirect } from '../wire/retries.ts'
import type { AskExchange } from './governing.ts'
import type { ResolvedTarget } from './target.ts'

type Nodes = NonNullable<Dialect['nodes']>

export interface TopologySeen {
  /** Undefined if the replies do not show it. */
  readonly topology?: Topology
  readonly evidence?: string
  /** The address at which the active node says it is. It is only shown, never called: a reply does not choose where the
   * token goes. */
  readonly activeUrl?: string
  /** True if a redirect to the active node was not followed, because the operator has not named its host. */
  readonly isOutOfReach?: boolean
}

/** How many requests show whether a load balancer mixes nodes. They are sent together, so that they use several
 * connections: some balancers choose a node for each connection. */
const samples = 6

/** `health` is the reply of the first request to the target. */
export async function topologyOf(health: Reply | undefined, dialect: Dialect, ask: AskExchange): Promise<TopologySeen> {
  const { nodes } = dialect
  // A sealed server also says that it is a standby node.
  if (!nodes || (health && fieldOf(health, 'sealed') === true)) return {}
  const leader = (await ask(nodes.leader)).reply
  const isGrouped = leader && fieldOf(leader, 'ha_enabled')
  if (isGrouped === true || (health && fieldOf(health, 'standby') === true))
    return whileOneIsActive(dialect, nodes, ask, leader)
  return isGrouped === false ? { topology: 'single', evidence: 'sys/leader answers that it has no other nodes' } : {}
}

/** How often the nodes are asked anew because another one has become the active node meanwhile. */
const mostElections = 3

/** A node that steps down while it is asked looks like two nodes. So what was seen counts only if the same node was the
 * active one before and after. */
async function whileOneIsActive(
  dialect: Dialect,
  nodes: Nodes,
  ask: AskExchange,
  leader: Reply | undefined,
): Promise<TopologySeen> {
  let before = addressIn(leader)
  for (let election = 0; election < mostElections; election += 1) {
    const seen = await amongNodes(dialect, nodes, ask)
    const after = addressIn((await ask(nodes.leader)).reply)
    if (after.activeUrl === before.activeUrl) return { ...seen, ...after }
    before = after
  }
  return { evidence: 'other nodes of the cluster became the active one while they were asked', ...before }
}

async function amongNodes({ operations }: Dialect, nodes: Nodes, ask: AskExchange): Promise<TopologySeen> {
  const [health] = operations.health?.({}).exchanges ?? []
  const [lookup] = operations.lookupSelf?.({}).exchanges ?? []
  if (!health || !lookup) return {}
  const replies = await askOften(health, samples, ask)
  const seen = replies.flatMap(({ reply }) => (reply ? [fieldOf(reply, 'standby')] : []))
  const shown = seen.filter((one) => one === true).length
  const hidden = shown === 0 ? await standbysHidden(nodes, ask) : 0
  const words =
    hidden > 0
      ? `${hidden} of ${samples} requests to remove what does not exist went to a standby node`
      : `${shown} of ${seen.length} health replies are of a standby node`
  if (shown + hidden === 0) return { topology: 'active', evidence: words }
  const isMixed = hidden > 0 ? hidden < samples : shown < seen.length
  return treatmentOf(lookup, { words, isMixed }, nodes, ask)
}

/** Finds out what standby nodes do with a read. */
async function treatmentOf(
  lookup: Exchange,
  { words, isMixed }: { readonly words: string; readonly isMixed: boolean },
  { unforwarded }: Nodes,
  ask: AskExchange,
): Promise<TopologySeen> {
  const plain = (await askOften(lookup, samples, ask)).filter(wasRedirected)
  if (plain.length > 0)
    return {
      ...{ topology: 'standby-redirecting', evidence: `${words}, which redirects to the active node` },
      ...(plain.some(({ reply }) => !reply) ? { isOutOfReach: true } : {}),
    }
  // A standby node that sends everything on to the active node redirects what it must not send on.
  const alone = await askOften({ ...lookup, headers: unforwarded }, samples, ask)
  return alone.some(wasRedirected)
    ? {
        topology: isMixed ? 'active' : 'standby-forwarding',
        evidence: `${words}, which sends reads on to the active node`,
      }
    : { topology: isMixed ? 'mixed' : 'standby-reading', evidence: `${words}, which answers reads by itself` }
}

/** Returns how many requests reach a standby node that only the active node carries out. Something in front of the nodes
 * may answer the health request for all of them. */
async function standbysHidden(nodes: Nodes, ask: AskExchange): Promise<number> {
  const removal = { ...removalOfNothing(nodes), headers: nodes.unforwarded }
  return (await askOften(removal, samples, ask)).filter(wasRedirected).length
}

/** Removes what does not exist: a request that only the active node carries out, and that changes nothing. */
export function removalOfNothing({ mark }: Nodes): Exchange {
  const { remove } = mark('')
  // Marks have throw-away names, so this is the name of nothing.
  return { ...remove, path: remove.path.replace('{mark}', 'no-mark') }
}

const askOften = (exchange: Exchange, times: number, ask: AskExchange): Promise<readonly WireOutcome[]> =>
  Promise.all(Array.from({ length: times }, () => ask(exchange)))

const wasRedirected = ({ attempts }: WireOutcome): boolean => attempts.some(({ status }) => isRedirect(status))

/** Returns the origin in a reply, if it is one. */
export function addressIn(leader: Reply | undefined): Pick<TopologySeen, 'activeUrl'> {
  const text = leader && fieldOf(leader, 'leader_address')
  const url = typeof text === 'string' ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? { activeUrl: url.origin } : {}
}

/** Returns whether the operator has named the host of an address. */
export const isNamed = (
  address: string,
  { url, allowedHosts }: Pick<ResolvedTarget, 'url' | 'allowedHosts'>,
): boolean => [hostOf(new URL(url)), ...allowedHosts].includes(hostOf(new URL(address)))

const settling =
  'what the run writes is read back until every node shows it, before anything is judged by it, and "immediately" counts from then'

const words: Readonly<Partial<Record<Topology, string>>> = {
  active: 'this is the active node of a cluster',
  'standby-forwarding': 'this is a standby node, which sends every request on to the active node',
  'standby-reading': `this is a standby node, which answers reads by itself and may be behind: ${settling}`,
  'standby-redirecting': 'this is a standby node, which redirects requests to the active node',
  mixed: `a load balancer mixes the nodes of a cluster, some of which may be behind: ${settling}`,
}

const othersHelp =
  '; "allowedHosts" of a profile can name the other nodes, where a run takes back what it made if one of them becomes the active node'

function topologyFindings(
  { declared, allowedHosts }: ResolvedTarget,
  { evidence = 'as declared', topology }: TopologySeen,
): Finding[] {
  const shown = declared.topology ?? topology
  const text = shown && words[shown]
  const help = shown === 'active' && allowedHosts.length === 0 ? othersHelp : ''
  return text === undefined ? [] : [{ severity: 'note', code: 'nodes', text: `${text}${help} (${evidence})` }]
}

/** Finds out the topology for the probe, and notes what showed it. */
export async function nodesBehind(
  health: Reply | undefined,
  { target, dialect }: { readonly target: ResolvedTarget; readonly dialect: Dialect },
  ask: AskExchange,
  { evidence, findings }: { readonly evidence: Record<string, string>; readonly findings: Finding[] },
): Promise<TopologySeen> {
  const seen = await topologyOf(health, dialect, ask)
  if (seen.evidence) evidence.topology = seen.evidence
  findings.push(...topologyFindings(target, seen))
  return seen
}
