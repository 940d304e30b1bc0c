/** Turns the outcome of a check into its redacted result. */

import type { Redactor } from '../redaction/redaction.ts'
import { withoutNumbers } from '../safety/names.ts'
import { safetyOf } from '../select/safety-class.ts'
import {
  aboutField,
  addressOf,
  type Blocker,
  type CheckResult,
  type FoundMismatch,
  type Level,
  type RecordedExchange,
  refusalOf,
  requirementsOf,
  stepWords,
  type Verdict,
} from '../vocabulary/index.ts'
import type { Outcome } from './outcome.ts'
import { exchangeRecorded, type RawExchange, type RecordBudget, shortened, withheld } from './recorded-exchange.ts'
import type { CheckScope } from './scope.ts'
import type { Task } from './session.ts'
import type { SessionPlan } from './session-plan.ts'

export const levelOf = ({ check, session }: Task): Level =>
  session.requirements.get(requirementsOf(check)[0] ?? '')?.level ?? 'must'

/** Returns the statement that a mismatch contradicts whose expectation names none, if a check decides several: the only
 * one that no other expectation names, or the one about the field that differs. */
function contradictedAt(at: string, { check, session: { requirements } }: Task): { requirement?: string } {
  const all = requirementsOf(check)
  // What contradicts a spelling names it.
  const unnamed = all.filter(
    (id) => !requirements.get(id)?.spelling && check.then.every(({ requirement }) => requirement !== id),
  )
  const [only, ...others] = unnamed
  return only !== undefined && others.length === 0 && all.length > 1
    ? { requirement: only }
    : aboutField(at, unnamed, requirements)
}

/** A result as plain data, with everything that it may show, before it is redacted. */
export interface Unrecorded {
  readonly result: Omit<CheckResult, 'exchanges'>
  /** They include those that prepared the ground of the check. */
  readonly sent: readonly (RawExchange & { readonly isShared?: true })[]
  readonly names: readonly (readonly [string, string])[]
  /** True if there were more secrets than can be searched for. */
  readonly isFull: boolean
}

/** Recording needs these parts. */
export interface Recorder {
  readonly redactor: Redactor
  readonly record: RecordBudget
  readonly plan: Pick<SessionPlan, 'runId' | 'record'>
}

export function unrecordedOf(
  task: Task,
  { outcome, scope }: { readonly outcome: Outcome; readonly scope?: CheckScope },
  startedAt: number,
  durationMs: number,
): Unrecorded {
  const { topic, check, session } = task
  const { verdict, blocker, mismatches = [], own } = outcome
  const refusal = refusalOf(check)
  const withStatement = (found: FoundMismatch) => ({ ...contradictedAt(found.at, task), ...found })
  const result = {
    id: addressOf(topic, check),
    topic: topic.id,
    area: topic.area,
    kind: topic.kind,
    level: levelOf(task),
    safety: safetyOf(topic, check),
    requirements: requirementsOf(check),
    verdict,
    ...(blocker ? { blocker } : {}),
    mismatches: mismatches.map(withStatement),
    ...(refusal ? { refusal } : {}),
    ...(own
      ? {
          own: {
            verdict: own.verdict,
            mismatches: (own.mismatches ?? []).map(withStatement),
            ...(own.blocker ? { blocker: own.blocker } : {}),
          },
        }
      : {}),
    given: (check.given ?? []).map(stepWords),
    when: stepWords(check.when),
    then: check.then.map(({ words }) => words),
    ...(check.control ? { control: stepWords(check.control) } : {}),
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(durationMs * 1000) / 1000,
  }
  return { result, sent: sentIn(scope), names: scope?.names() ?? [], isFull: session.redactor.isFull }
}

/** Records a result. Everything that came from the target is redacted here, with all secrets known by then. */
export function recordedOf({ result, sent, names: all, isFull }: Unrecorded, recorder: Recorder): CheckResult {
  const { redactor, plan } = recorder
  const exchanges = exchangesRecorded(sent, recorder, result.verdict, isFull)
  const withIndex = indexedBy(sent, exchanges.length)
  // Without recorded exchanges no name can be shown, and searching names for secrets would take long for thousands of
  // checks.
  const names = plan.record === 'none' ? undefined : namesRecorded(all, exchanges, redactor)
  const isWithheld = sent.some((exchange) => exchange.isWithheld)
  // Redacting may learn further secrets, so `isFull` is read only now.
  const clean = (text: string) => (isFull || redactor.isFull ? withheld : shortened(redactor.redact(text)))
  // What a check saw may quote a withheld body.
  const cleanSight = (text: string) => (isWithheld ? withheld : clean(text))
  const blockedIn = (by: Blocker | undefined) =>
    by ? { blocker: withIndex(cleanBlocker(by, (text) => withoutNumbers(plan.runId, cleanSight(text)))) } : {}
  const cleanMismatch = ({ asked, at, wanted, saw, ...more }: FoundMismatch) =>
    withIndex({ ...{ asked: clean(asked), at: clean(at), wanted: cleanSight(wanted), saw: cleanSight(saw) }, ...more })
  const { blocker, mismatches, own } = result
  return {
    ...result,
    ...blockedIn(blocker),
    mismatches: mismatches.map(cleanMismatch),
    ...(own ? { own: { ...own, mismatches: own.mismatches.map(cleanMismatch), ...blockedIn(own.blocker) } } : {}),
    ...(names ? { names } : {}),
    exchanges,
  }
}

/** Maps the number of an exchange among all that were sent to its index among the recorded ones. */
function indexedBy(sent: Unrecorded['sent'], recorded: number) {
  const numbers = sent.slice(0, recorded).map(({ number }) => number)
  return <About extends { readonly exchange?: number | undefined }>({ exchange, ...about }: About) => {
    // Polling records only its last exchange, so numbers and indices differ.
    const index = exchange === undefined ? -1 : numbers.indexOf(exchange)
    return { ...about, ...(index < 0 ? {} : { exchange: index }) }
  }
}

/** Returns the exchanges of a check, with those that prepared its ground. */
function sentIn(scope: CheckScope | undefined): Unrecorded['sent'] {
  if (!scope) return []
  const { ofGround, isOnFoundGround, log } = scope
  const isShared = true as const
  return [...(isOnFoundGround ? ofGround.map((one) => ({ ...one, isShared })) : ofGround), ...log.exchanges]
}

/** Returns the recorded exchanges: none if there were more secrets than can be searched for, and no further ones once
 * the results of the run are full. */
function exchangesRecorded(
  sent: Unrecorded['sent'],
  { redactor, record }: Recorder,
  verdict: Verdict,
  isFull: boolean,
): readonly RecordedExchange[] {
  const recorded: RecordedExchange[] = []
  for (const { isShared, ...raw } of sent) {
    const detail = record.detailFor(verdict)
    if (detail === 'none') break
    const exchange = { ...exchangeRecorded(raw, redactor, detail), ...(isShared ? { isShared } : {}) }
    record.spend(detail, JSON.stringify(exchange).length)
    recorded.push(exchange)
  }
  return isFull || redactor.isFull ? [] : recorded
}

/** The template name of the run's prefix, which is the same for all checks and says nothing about one. */
const nameOfRun = 'run'

/** Returns the names of a check with their values. A value that no recorded exchange shows is left out, because it may
 * be a secret that the redactor does not know. */
function namesRecorded(
  names: Unrecorded['names'],
  exchanges: readonly RecordedExchange[],
  redactor: Redactor,
): CheckResult['names'] {
  const recordedText = exchanges
    .flatMap(({ url, requestBody = '', attempts }) => [
      url,
      requestBody,
      ...attempts.map(({ responseBody = '' }) => responseBody),
    ])
    .join('\n')
  const shown = names.flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (name === nameOfRun || value === '') return []
    const redacted = redactor.redact(value)
    const isShown = recordedText.includes(redacted) || recordedText.includes(JSON.stringify(redacted).slice(1, -1))
    return isShown && redacted === value ? [[name, shortened(value)]] : []
  })
  return shown.length === 0 ? undefined : Object.fromEntries(shown)
}

/** Redacts reason and facts, which may quote the target; code, kind and `mend` do not. */
function cleanBlocker({ facts, ...blocker }: Blocker, clean: (text: string) => string): Blocker {
  const each = (value: unknown): unknown =>
    typeof value === 'string' ? clean(value) : Array.isArray(value) ? value.map(each) : value
  const cleaned = Object.entries(facts ?? {}).map(([name, value]) => [name, each(value)])
  return { ...blocker, reason: clean(blocker.reason), ...(facts ? { facts: Object.fromEntries(cleaned) } : {}) }
}
