/** How far a run may go. Disruptive checks change replication roles and wipe: on a target that is not our own they need
 * its cluster id, typed out, so that nobody does it to the wrong one. */
import { UsageError } from '../../targets/usage-error.ts'
import type { SafetyClass } from '../../vocabulary/index.ts'

interface Wish {
  readonly safety?: SafetyClass
  readonly allowDisruptive?: string
}

/** An allowance that allows nothing is a mistake: whoever typed it expects disruptive checks. Throws `UsageError`. */
export function refuseIdleAllowance({ safety, allowDisruptive }: Wish): void {
  if (allowDisruptive !== undefined && safety !== 'disruptive')
    throw new UsageError('--allow-disruptive does nothing by itself: add --safety disruptive, or leave it out')
}

/** What was asked for, before the target has shown which cluster it is. */
export const wishedCeiling = ({ safety }: Wish, isEmbedded: boolean): SafetyClass =>
  safety ?? (isEmbedded ? 'disruptive' : 'scoped')

/** Throws `UsageError`. */
export function ceilingOf(wish: Wish, isEmbedded: boolean, clusterId: string | undefined): SafetyClass {
  const ceiling = wishedCeiling(wish, isEmbedded)
  if (isEmbedded || ceiling !== 'disruptive') return ceiling
  if (clusterId === undefined)
    throw new UsageError('--safety disruptive needs the cluster id of the target, and the target shows none')
  if (wish.allowDisruptive === undefined)
    throw new UsageError(
      `--safety disruptive may wipe ${clusterId}: if that is meant, type it out with --allow-disruptive <cluster-id>`,
    )
  if (wish.allowDisruptive !== clusterId)
    throw new UsageError(
      `--allow-disruptive ${wish.allowDisruptive} is not this target, whose cluster id is ${clusterId}: see --target`,
    )
  return ceiling
}
