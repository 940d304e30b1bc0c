/** Goes through the phases of a check once: given, when, then, and the control. */

import { framed } from '../ground/frame.ts'
import { isOwn } from '../verdict/told-once.ts'
import {
  type Check,
  DoesNotApply,
  type Exchange,
  type FoundMismatch,
  isNotReady,
  isOfTheWay,
  isSuccess,
  type Level,
  mismatchesIn,
  type Reply,
  StepFailed,
  statusSeen,
} from '../vocabulary/index.ts'
import { OfTheWay } from '../way/interruptions.ts'
import { isForeseen, type Outcome } from './outcome.ts'
import type { CheckScope } from './scope.ts'

export async function outcomeOf(check: Check, level: Level, scope: CheckScope): Promise<Outcome> {
  await prepare(check, scope)
  scope.phase = 'before'
  const before: unknown[] = []
  for (const expectation of check.then) before.push(await expectation.before?.(scope))
  const changesIn = await framed(check, scope)
  scope.phase = 'when'
  const reply = check.when.kind === 'ceremony' ? await check.when.run(scope) : await scope.send(check.when)
  scope.phase = 'then'
  const { mismatches: all, broken } = await expectationsOf(check, reply, before, scope)
  // A defect of the suite is never hidden, not even by a finding. Other errors do not hide a finding.
  if (broken && !isForeseen(broken)) throw broken
  if (all.length > 0 && isOfTheWay(reply)) throw new OfTheWay(reply)
  const mismatches = all.filter((one) => isOwn(one, scope.deciding))
  scope.broken.push(...all.filter((one) => !isOwn(one, scope.deciding)))
  if (mismatches.length > 0) return failure(level, mismatches)
  if (broken) throw broken
  scope.broken.push(...(await changesIn(reply)))
  if (check.control) await requireControl(check.control, scope)
  for (const [index, expectation] of check.then.entries()) await expectation.confirm?.(scope, before[index])
  return { verdict: 'pass' }
}

async function prepare({ given = [], when }: Check, scope: CheckScope): Promise<void> {
  for (const step of given) await scope.perform(step)
  if (when.kind === 'exchange') await scope.sendAhead(when)
}

const failure = (level: Level, mismatches: readonly FoundMismatch[]): Outcome => ({
  verdict: level === 'must' ? 'fail' : 'warn',
  mismatches,
})

/** What could not be read takes precedence over what the target need not have, and a defect of the suite over both. */
const isLess = (one: Error, other: Error): boolean =>
  one instanceof DoesNotApply || (isForeseen(one) && !isForeseen(other))

/** Judges every expectation, also after a mismatch or an error in another one. */
async function expectationsOf(check: Check, reply: Reply, before: readonly unknown[], scope: CheckScope) {
  const mismatches: FoundMismatch[] = []
  let firstError: Error | undefined
  for (const [index, expectation] of check.then.entries()) {
    try {
      const found = await expectation.judge({ reply, scope }, before[index])
      const { requirement } = expectation
      const named = requirement === undefined ? {} : { requirement }
      mismatches.push(...mismatchesIn(found).map((mismatch) => ({ ...mismatch, expectation: index, ...named })))
    } catch (error) {
      const thrown = error instanceof Error ? error : new Error(String(error))
      if (!firstError || isLess(firstError, thrown)) firstError = thrown
    }
  }
  return { mismatches, broken: firstError }
}

/** Sends the positive twin, which must succeed; otherwise the refusal proves nothing. */
async function requireControl(control: Exchange, scope: CheckScope): Promise<void> {
  scope.phase = 'control'
  const first = await scope.send(control)
  // An earlier change of role may still be in progress.
  const isEarly = control.isTrigger && isNotReady(first)
  const reply = isEarly ? await scope.poll(control, (seen) => !isNotReady(seen)) : first
  if (isSuccess(reply)) return
  throw new StepFailed('control-refused', { asked: reply.asked, answer: statusSeen(reply) }, reply)
}
