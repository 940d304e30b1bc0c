/** Finds out, with throw-away objects, which optional parts of the selected areas the target has, unless the profile
 * declares them. */
import { isForeseen } from '../../run/outcome.ts'
import { exchangeRecorded } from '../../run/recorded-exchange.ts'
import { CheckScope } from '../../run/scope.ts'
import { openSession, type SessionParts } from '../../run/session.ts'
import type { SessionPlan } from '../../run/session-plan.ts'
import { undoAll } from '../../run/taking-back.ts'
import { isAbove } from '../../select/safety-class.ts'
import { factOf } from '../../targets/areas-served.ts'
import { type Features, knownFacts, knownFeatures, subjectOf } from '../../targets/features.ts'
import type { Area, Dialect, Facts, FeatureSeen, Finding, RecordedExchange } from '../../vocabulary/index.ts'

export interface PartsFound {
  readonly observed: Facts
  readonly facts: Facts
  readonly evidence: Readonly<Record<string, string>>
  readonly findings: readonly Finding[]
  readonly exchanges: readonly RecordedExchange[]
}

interface Known {
  readonly observed: Facts
  readonly facts: Facts
  readonly evidence: Readonly<Record<string, string>>
}

/** `areas` are the areas that are not known to be absent. */
export async function findOptionalParts(
  plan: SessionPlan,
  areas: readonly Area[],
  { observed, facts, evidence }: Known,
  dialect: Dialect,
  parts: SessionParts = {},
): Promise<PartsFound> {
  const settled = { ...observed.features, ...plan.target.declared.features }
  const looked = areas.filter(
    (area) =>
      dialect.features?.[area] &&
      knownFeatures.some((name) => subjectOf(name) === area && settled[name] === undefined) &&
      !isAbove('scoped', plan.ceiling),
  )
  const exchanges: RecordedExchange[] = []
  const seen = looked.length > 0 ? await lookedAt(plan, looked, dialect, parts, exchanges) : {}
  const open = Object.entries(seen).filter(([name, { sign }]) => sign !== undefined && settled[name] === undefined)
  const signs = Object.fromEntries(open.map(([name, { sign }]) => [name, sign])) as Features
  const all: Facts = { ...observed, features: { ...observed.features, ...signs } }
  const { judgedAs } = facts
  const known: Facts = { ...knownFacts(plan.target.declared, all), ...(judgedAs === undefined ? {} : { judgedAs }) }
  return {
    observed: all,
    facts: known,
    evidence: { ...evidence, ...Object.fromEntries(open.map(([name, one]) => [factOf(name), one.evidence])) },
    findings: areas.flatMap((area) => mixed(area, known.features ?? {}) ?? []),
    exchanges,
  }
}

async function lookedAt(
  plan: SessionPlan,
  areas: readonly Area[],
  dialect: Dialect,
  parts: SessionParts,
  exchanges: RecordedExchange[],
) {
  const session = await openSession(plan, parts)
  let seen: Readonly<Record<string, FeatureSeen>> = {}
  try {
    for (const area of areas) {
      const sight = dialect.features?.[area]
      const look = async (scope: CheckScope) =>
        sight?.(
          (exchange) => scope.send(exchange),
          (need) => scope.provided(need),
        )
      const scope = new CheckScope(session, ['probe'])
      try {
        seen = { ...seen, ...(await look(scope)) }
      } catch (error) {
        if (!(error instanceof Error) || !isForeseen(error)) throw error
      } finally {
        await undoAll(scope, session)
        exchanges.push(
          ...scope.log.exchanges.map((raw) => exchangeRecorded({ ...raw, phase: 'probe' }, session.redactor)),
        )
      }
    }
  } finally {
    await session.close()
  }
  return seen
}

/** Returns a finding if a target has only a part of the newer form. */
function mixed(subject: string, features: Features): Finding | undefined {
  const named = (presence: string) =>
    knownFeatures.filter((name) => subjectOf(name) === subject && features[name] === presence)
  const [served, absent] = [named('served'), named('absent')]
  if (served.length === 0 || absent.length === 0) return undefined
  return {
    severity: 'note',
    code: 'between-forms',
    text: `this server has only a part of the newer form of ${subject}: served ${served.join(', ')}; not served ${absent.join(', ')}`,
  }
}
