/** Refuses to judge a cluster through nodes that may not know the latest writes: the documents speak of the service, and
 * a finding would be one about a node. */
import type { Probe } from '../../targets/probe.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { isNamed } from '../../targets/topology.ts'
import type { Topology } from '../../vocabulary/index.ts'
import { hostOf } from '../../wire/retries.ts'
import { commandFor } from './conditions.ts'
import type { RunFlags } from './flags.ts'

const lagging: Readonly<Partial<Record<Topology, string>>> = {
  'standby-reading': 'a standby node that answers reads by itself',
  mixed: 'a load balancer before nodes that answer reads by themselves',
}

/** Returns the refusal as one sentence, or undefined if the target can be judged at this address. A declared topology
 * is the operator's consent; with it, what the run makes is taken back at the active node. */
export function standbyRefusal(
  { nodes }: Pick<Probe, 'nodes'>,
  target: ResolvedTarget,
  flags: RunFlags,
): string | undefined {
  const { url, declared } = target
  if (nodes.topology === 'standby-redirecting' && nodes.isOutOfReach)
    return `${url} is a standby node that redirects to a host which is not named here, and the token follows no address that a reply chooses. ${wayTo(nodes.activeUrl, flags)}, or name its host in "allowedHosts" of a profile`
  const through = declared.topology === undefined && nodes.topology ? lagging[nodes.topology] : undefined
  if (through !== undefined)
    return `${url} is ${through}, so a read may not show yet what was written. ${wayTo(nodes.activeUrl, flags)}; to judge the service through this address nevertheless, declare "declared.topology: ${nodes.topology}" in a profile, with the hosts of all nodes in "allowedHosts"`
  const { activeUrl } = nodes
  if (!(declared.topology && lagging[declared.topology]) || activeUrl === undefined || isNamed(activeUrl, target))
    return undefined
  return `a standby node may answer a removal by itself, so what a run makes is taken back at the active node, which says that it is at ${activeUrl}. If that is right, add the hosts of all nodes to the profile: "allowedHosts": ["${hostOf(new URL(activeUrl))}", …]`
}

function wayTo(activeUrl: string | undefined, flags: RunFlags): string {
  if (activeUrl === undefined) return 'Give the address of the active node'
  const words = `The active node says that it is at ${activeUrl}; if that is right`
  return flags.profile === undefined
    ? `${words}: ${commandFor({ ...flags, target: activeUrl })}`
    : `${words}, set "url" in ${flags.profile} to it`
}
