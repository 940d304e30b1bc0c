/** The ceiling: the highest safety class of a run. Disruptive checks change replication roles and wipe clusters. On a
 * target that is not our own they need its cluster id, typed by the operator, so that nobody wipes the wrong one. */
import { boundsOf, outsideOf } from '../../run/applicability.ts'
import type { SessionPlan } from '../../run/session-plan.ts'
import { isAbove, safetyOf } from '../../select/safety-class.ts'
import type { SelectedCheck } from '../../select/select.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { type LeftOut, type SafetyClass, safetyClasses } from '../../vocabulary/index.ts'

interface Wish {
  readonly safety?: SafetyClass
  readonly allowDisruptive?: string
}

/** Throws `UsageError` for an allowance without effect, because whoever typed it expects disruptive checks. */
export function refuseIdleAllowance({ safety, allowDisruptive }: Wish): void {
  if (allowDisruptive !== undefined && safety !== 'disruptive')
    throw new UsageError('--allow-disruptive has no effect on its own: add --safety disruptive, or leave it out')
}

/** Returns the requested ceiling, before the target has shown which cluster it is. */
export const wishedCeiling = ({ safety }: Wish, isEmbedded: boolean): SafetyClass =>
  safety ?? (isEmbedded ? 'disruptive' : 'scoped')

const whereToRead = 'which its own tools show ("cluster_id" in the reply of its health endpoint)'

/** Throws `UsageError` if a disruptive run does not name the cluster of the target. */
export function ceilingOf(wish: Wish, isEmbedded: boolean, clusterId: string | undefined): SafetyClass {
  const ceiling = wishedCeiling(wish, isEmbedded)
  if (isEmbedded || ceiling !== 'disruptive') return ceiling
  if (clusterId === undefined)
    throw new UsageError('--safety disruptive needs the cluster id of the target, but the target shows none')
  // The id is not printed: someone who copied it from here would not have checked which cluster they are about to wipe.
  if (wish.allowDisruptive === undefined)
    throw new UsageError(
      `--safety disruptive may wipe the target: if you want that, add --allow-disruptive with its cluster id, ${whereToRead}`,
    )
  if (wish.allowDisruptive !== clusterId)
    throw new UsageError(
      `--allow-disruptive does not name this target: check that --target is the server you mean, and give its cluster id, ${whereToRead}`,
    )
  return ceiling
}

/** Splits off the checks above the ceiling: they are left out of the run, and are not `not-verified`. A check that does
 * not apply to the target stays, because that is known without touching anything. */
export function withinReach(
  selected: readonly SelectedCheck[],
  plan: Pick<SessionPlan, 'ceiling' | 'facts' | 'evidence' | 'requirements' | 'absentAreas'>,
): { readonly reached: readonly SelectedCheck[]; readonly above: readonly LeftOut[] } {
  const { ceiling, facts, evidence, requirements, absentAreas = [] } = plan
  const register = new Map(requirements.map((one) => [one.id, one]))
  const isLeftOut = ({ topic, check }: SelectedCheck) =>
    isAbove(safetyOf(topic, check), ceiling) &&
    !absentAreas.some(({ area }) => area === topic.area) &&
    outsideOf(boundsOf(check, register), facts, evidence)?.verdict !== 'not-applicable'
  const left = selected.filter(isLeftOut)
  return {
    reached: selected.filter((one) => !isLeftOut(one)),
    above: safetyClasses.flatMap((needs): LeftOut[] => {
      const ids = left.filter(({ topic, check }) => safetyOf(topic, check) === needs).map(({ address }) => address)
      return ids.length > 0 ? [{ cause: 'safety', checks: ids.length, ids, needs }] : []
    }),
  }
}
