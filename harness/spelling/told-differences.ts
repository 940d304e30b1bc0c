/** Tells what it says of a target that a check differs in some spellings and circumstances only. */
import { levelOf } from '../run/check-result.ts'
import type { Outcome } from '../run/outcome.ts'
import type { Task } from '../run/session.ts'
import { withFurther } from '../verdict/told-once.ts'
import {
  type Check,
  type Circumstance,
  type Companion,
  type FoundMismatch,
  requirementsOf,
  type SpellingSite,
  type Varied,
} from '../vocabulary/index.ts'
import { isCircumstance } from '../vocabulary/is-circumstance.ts'
import type { Judged } from './judged.ts'

/** Returns what a difference says of the target; undefined if it says nothing. */
export function differingOutcome(task: Task, suspects: readonly Varied[], again: Judged): Outcome | undefined {
  const circumstances = suspects.filter(isCircumstance)
  const sites = suspects.filter((one): one is SpellingSite => !isCircumstance(one))
  const { outcome } = again
  const { blocker, mismatches } = outcome
  const denied = circumstances.find((one) => isDenied(one, again))
  if (denied) {
    task.session.spellings.isUnknown(denied)
    return undefined
  }
  // Requests that came first may have brought about the state already.
  if (blocker?.code === 'no-effect' && circumstances.some(({ id }) => id === 'neighbours')) return undefined
  const words = circumstances.map(({ id }) => only[id])
  const site = onlyOne(sites)
  if (site) return outcomeOf(task, site, again, words)
  if (blocker?.kind === 'suite') return outcome
  const companion = isRefused(outcome) ? onlyOne(circumstances.flatMap(companionsIn)) : undefined
  if (companion && sites.length === 0) return refusedField(task, companion, again)
  const all = [...new Set([...sites.map(() => 'if they are spelled otherwise'), ...words])].join(', and ')
  if (mismatches) return withWords(outcome, `but only ${all}`)
  const mismatch: FoundMismatch = {
    ...{ asked: askedIn(task.check), at: 'request', expectation: 0, wanted: 'the same as otherwise' },
    saw: `${blocker?.reason ?? outcome.verdict}, but only ${all}`,
  }
  return { verdict: levelOf(task) === 'must' ? 'fail' : 'warn', mismatches: [mismatch] }
}

/** Returns a finding with further words about what was seen. */
export function withWords(outcome: Outcome, words: string): Outcome {
  const { mismatches, own } = outcome
  if (!mismatches) return outcome
  const told = mismatches.map((one) => ({ ...one, saw: `${one.saw}, ${words}` }))
  return { ...outcome, mismatches: told, ...(own ? { own: withWords(own, words) } : {}) }
}

/** Returns whether a circumstance differs by what the target denies. That says nothing (readings of the documents, 71). */
export function isDenied({ id }: Circumstance, { outcome: { blocker }, scope }: Judged): boolean {
  if (id === 'neighbours') return scope.neighbours.areDenied
  return id === 'other-caller' && (scope.own.denied.some(({ isOther }) => isOther) || makesNoToken(blocker))
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

/** A server that takes the usual spelling in some circumstances contradicts that the other one is equal there. */
function outcomeOf(
  task: Task,
  site: SpellingSite,
  { outcome, scope }: Judged,
  circumstances: readonly string[],
): Outcome {
  const [sent] = scope.spellings.sent
  const sentAs = [`if it is sent ${sent?.words}`, ...circumstances].join(', and ')
  return contradicting(task, {
    ...{ asked: sent?.asked ?? site.path, at: 'spelling', expectation: 0, requirement: site.row },
    wanted: `the same as for the usual spelling, ${sentAs}`,
    saw: differenceIn(outcome),
    ...(sent?.exchange === undefined ? {} : { exchange: sent.exchange }),
  })
}

const differenceIn = ({ mismatches: [differs] = [], blocker, verdict }: Outcome): string =>
  differs
    ? `${differs.asked}: ${differs.at} wanted ${differs.wanted}; saw ${differs.saw}`
    : (blocker?.reason ?? verdict)

const onlyOne = <T>([first, ...others]: readonly T[]): T | undefined => (others.length === 0 ? first : undefined)
export const companionsIn = (one: Circumstance): readonly Companion[] => ('companions' in one ? one.companions : [])

export const refusals = ({ mismatches = [] }: Outcome): readonly FoundMismatch[] =>
  mismatches.filter(({ at, wanted }) => (at === 'status' && wanted === '2xx') || at === 'connection')

export const hasFields = ({ asked }: FoundMismatch): boolean => /^(?:POST|PUT|the) /.test(asked)

const isRefused = (outcome: Outcome): boolean => outcome.blocker !== undefined || refusals(outcome).length > 0

/** A server that refuses requests for a field does not contradict what the check decides, but that they may have the field. */
function refusedField(task: Task, { field, row }: Companion, { outcome }: Judged): Outcome {
  const [differs] = outcome.mismatches ?? []
  return contradicting(task, {
    ...{
      asked: differs?.asked ?? askedIn(task.check),
      at: `request with \`${field}\``,
      expectation: 0,
      requirement: row,
    },
    wanted: 'the same as without the field',
    saw: differenceIn(outcome),
    ...(differs?.exchange === undefined ? {} : { exchange: differs.exchange }),
  })
}

/** Returns the outcome of a check that passes but for what contradicts another statement. */
const contradicting = ({ check, session }: Task, mismatch: FoundMismatch): Outcome =>
  withFurther(
    { verdict: 'pass' },
    { broken: [mismatch], deciding: requirementsOf(check) },
    (id) => session.requirements.get(id)?.level ?? 'must',
  )
