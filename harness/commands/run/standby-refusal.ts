/** Refuses to judge a cluster through a standby node, where the active node can be named instead. */
import type { Probe } from '../../targets/probe.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { commandFor } from './conditions.ts'
import type { RunFlags } from './flags.ts'

/** Returns the refusal as one sentence, or undefined if the target can be judged at this address. A declared topology
 * is the operator's consent. */
export function standbyRefusal(
  { nodes }: Pick<Probe, 'nodes'>,
  { url, declared }: ResolvedTarget,
  flags: RunFlags,
): string | undefined {
  if (nodes.topology === 'standby-redirecting' && nodes.isOutOfReach)
    return `${url} is a standby node that redirects to a host which is not named here, and the token follows no address that a reply chooses. ${wayTo(nodes.activeUrl, flags)}, or name its host in "allowedHosts" of a profile`
  if (nodes.topology === 'standby-reading' && declared.topology === undefined)
    return `${url} is a standby node that answers reads by itself, so it may not know yet what was written. ${wayTo(nodes.activeUrl, flags)}; to judge the cluster through this node nevertheless, declare "declared.topology: standby-reading" in a profile`
  return undefined
}

function wayTo(activeUrl: string | undefined, flags: RunFlags): string {
  if (activeUrl === undefined) return 'Give the address of the active node'
  const words = `The active node says that it is at ${activeUrl}; if that is right`
  return flags.profile === undefined
    ? `${words}: ${commandFor({ ...flags, target: activeUrl })}`
    : `${words}, set "url" in ${flags.profile} to it`
}
