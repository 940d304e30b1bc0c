/** Tells whether a spelling or a circumstance is why a check differs. Such a check is judged again as written. If it passes
 * then, it is judged with one of them at a time, and the first that differs again is the finding. If none does, it is judged
 * with all of them again: two together may be why. */

import { levelOf } from '../run/check-result.ts'
import type { Outcome } from '../run/outcome.ts'
import type { CheckScope } from '../run/scope.ts'
import type { Session } from '../run/session.ts'
import { withFurther } from '../verdict/told-once.ts'
import {
  addressOf,
  type Check,
  type Circumstance,
  type Companion,
  type FoundMismatch,
  requirementsOf,
  type SpellingSite,
  type Topic,
  type Varied,
} from '../vocabulary/index.ts'
import { isCircumstance } from '../vocabulary/is-circumstance.ts'

export interface Judged {
  readonly outcome: Outcome
  readonly scope: CheckScope
}

/** Obstacles that the spelling of a request cannot have caused. */
const unrelated: ReadonlySet<string> = new Set([
  'area',
  'edition',
  'version',
  'feature',
  'unknown-fact',
  'safety',
  'need',
  'permission',
  'transport',
  'interrupted',
  'time',
  'failing-target',
  'reply-size',
])

/** Returns what may be why a check differs. */
function suspectsOf({ outcome: { verdict, blocker }, scope }: Judged): readonly Varied[] {
  if (verdict === 'pass') return []
  const isOtherwise = blocker !== undefined && unrelated.has(blocker.kind)
  const suspects = [...new Set([...scope.spellings.sent.map(({ site }) => site), ...scope.circumstances])]
  return isOtherwise ? suspects.filter(({ id }) => id === 'other-caller' && blocker.kind === 'permission') : suspects
}

/** `judged` judges the check in rounds, with what makes no difference on a correct server. */
export async function judgedInSpellings(
  topic: Topic,
  check: Check,
  session: Session,
  judged: (varied: readonly Varied[]) => Promise<Judged>,
): Promise<Judged> {
  const first = await judged(session.spellings.of(addressOf(topic, check)))
  const suspects = suspectsOf(first)
  if (suspects.length === 0) return first
  const drop = ({ scope }: Judged) => session.kept.giveBack(scope.log.exchanges)
  drop(first)
  const plain = await judged([])
  if (plain.outcome.verdict !== 'pass') return plain
  const all = suspects.length > 1 ? [suspects] : []
  for (const some of [...suspects.map((suspect) => [suspect]), ...all]) {
    const again = await judged(some)
    const outcome = suspectsOf(again).length > 0 && differingOutcome(check, session, some, again)
    if (outcome) {
      drop(plain)
      for (const suspect of some) session.spellings.isUnknown(suspect)
      return { ...again, outcome }
    }
    drop(again)
  }
  return plain
}

/** Returns what a difference says of the target; undefined if it says nothing. */
function differingOutcome(
  check: Check,
  session: Session,
  suspects: readonly Varied[],
  again: Judged,
): Outcome | undefined {
  const [suspect, ...others] = suspects
  if (suspect && others.length === 0 && !isCircumstance(suspect)) return outcomeOf(check, session, suspect, again)
  const { outcome, scope } = again
  const { blocker, mismatches } = outcome
  // What the planned policy does not allow on this target says nothing (readings of the documents, 71).
  const caller = suspects.find(({ id }) => id === 'other-caller')
  if (caller && (scope.own.denied.length > 0 || makesNoToken(blocker))) {
    session.spellings.isUnknown(caller)
    return undefined
  }
  if (blocker?.kind === 'suite') return outcome
  const companion = isRefused(outcome) ? onlyCompanionIn(suspects) : undefined
  if (companion) return refusedField(check, session, companion, again)
  const words = [
    ...new Set(suspects.map((one) => (isCircumstance(one) ? only[one.id] : 'if they are spelled otherwise'))),
  ].join(', and ')
  const saw = (text: string): string => `${text}, but only ${words}`
  if (mismatches) return { ...outcome, mismatches: mismatches.map((one) => ({ ...one, saw: saw(one.saw) })) }
  const mismatch: FoundMismatch = {
    ...{ asked: askedIn(check), at: 'request', expectation: 0, wanted: 'the same as otherwise' },
    saw: saw(blocker?.reason ?? outcome.verdict),
  }
  return { verdict: levelOf(check, session) === 'must' ? 'fail' : 'warn', mismatches: [mismatch] }
}

/** Returns whether a token of a check was refused. No document says what a token may hand out to tokens that it makes. */
const makesNoToken = (blocker: Outcome['blocker']): boolean =>
  blocker?.code === 'step-refused' &&
  (blocker.facts as { readonly asked: string }).asked.startsWith('POST auth/token/create')

export const askedIn = ({ when }: Check): string =>
  when.kind === 'exchange' ? `${when.method} ${when.path}` : 'the judged requests'

const only: Readonly<Record<Circumstance['id'], string>> = {
  'other-caller': 'if a token other than the operator’s sends the requests',
  capitals: 'if names have a capital letter',
  neighbours: 'if requests for other objects come first',
  companions: 'if its requests have further fields',
}

function outcomeOf(check: Check, session: Session, site: SpellingSite, { outcome, scope }: Judged): Outcome {
  const [sent] = scope.spellings.sent
  return contradicting(check, session, {
    ...{ asked: sent?.asked ?? site.path, at: 'spelling', expectation: 0, requirement: site.row },
    wanted: `the same as for the usual spelling, if it is sent ${sent?.words}`,
    saw: differenceIn(outcome),
    ...(sent?.exchange === undefined ? {} : { exchange: sent.exchange }),
  })
}

const differenceIn = ({ mismatches: [differs] = [], blocker, verdict }: Outcome): string =>
  differs
    ? `${differs.asked}: ${differs.at} wanted ${differs.wanted}; saw ${differs.saw}`
    : (blocker?.reason ?? verdict)

const onlyCompanionIn = ([suspect, ...others]: readonly Varied[]): Companion | undefined =>
  suspect && 'companions' in suspect && others.length === 0 ? suspect.companions[0] : undefined

const isRefused = ({ blocker, mismatches = [] }: Outcome): boolean =>
  blocker !== undefined || mismatches.some(({ at, wanted }) => at === 'status' && wanted === '2xx')

/** A server that refuses requests for a field does not contradict what the check decides, but that they may have the field. */
function refusedField(check: Check, session: Session, { field, row }: Companion, { outcome }: Judged): Outcome {
  const [differs] = outcome.mismatches ?? []
  return contradicting(check, session, {
    ...{ asked: differs?.asked ?? askedIn(check), at: `request with \`${field}\``, expectation: 0, requirement: row },
    wanted: 'the same as without the field',
    saw: differenceIn(outcome),
    ...(differs?.exchange === undefined ? {} : { exchange: differs.exchange }),
  })
}

/** Returns the outcome of a check that passes but for what contradicts another statement. */
const contradicting = (check: Check, session: Session, mismatch: FoundMismatch): Outcome =>
  withFurther(
    { verdict: 'pass' },
    { broken: [mismatch], deciding: requirementsOf(check) },
    (id) => session.requirements.get(id)?.level ?? 'must',
  )
