/** Runs without a token, or whose tokens are replaced on the way: checks with one caller can still be judged. */

import type { SelectedCheck } from '../../select/select.ts'
import { loadDialect } from '../../targets/dialects/index.ts'
import { defaultTokenVariable } from '../../targets/resolve.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { touchesOf } from '../../targets/touches.ts'
import { UsageError } from '../../targets/usage-error.ts'
import type { CheckResult } from '../../vocabulary/index.ts'
import type { Judged } from './judging.ts'

/** Returns the checks whose requests are all of one caller. */
export function sentOnlyBy(
  who: 'nobody' | 'operator',
  selected: readonly SelectedCheck[],
  { dialect }: Pick<ResolvedTarget, 'dialect'>,
): SelectedCheck[] {
  const loaded = loadDialect(dialect)
  return selected.filter(({ topic, check }) => touchesOf(topic, check, loaded).every(({ as }) => as === who))
}

/** Throws `UsageError` if every check needs a token and there is none: such a run would show nothing about the
 * target. */
export function assertToken(
  target: ResolvedTarget,
  selected: readonly SelectedCheck[],
  variable = defaultTokenVariable,
): void {
  if (target.token !== undefined || sentOnlyBy('nobody', selected, target).length > 0) return
  const unread = target.unusedVariables === undefined ? '' : ` (not read: ${target.unusedVariables})`
  throw new UsageError(
    `there is no token for ${target.url}, and every selected check needs one: set ${variable}, or "token" or "tokenFile" in a profile${unread}`,
  )
}

/** Judges the open checks, and gives all others the results of `blocked`; in the selected order. */
export async function judgedPartly(
  selected: readonly SelectedCheck[],
  open: readonly SelectedCheck[],
  judge: (open: readonly SelectedCheck[]) => Promise<Judged>,
  blocked: (others: readonly SelectedCheck[]) => readonly CheckResult[],
): Promise<Judged> {
  const rest = blocked(selected.filter((one) => !open.includes(one)))
  const nothing = {
    executed: 0,
    judgingMs: 0,
    leftBehind: [],
    findings: [],
    defects: [],
    measured: [],
    interrupted: false,
  }
  const judged = open.length > 0 ? await judge(open) : { ...nothing, results: [] }
  const byId = new Map([...rest, ...judged.results].map((result) => [result.id, result]))
  return { ...judged, results: selected.flatMap(({ address }) => byId.get(address) ?? []) }
}
