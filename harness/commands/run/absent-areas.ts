/** Finds out which of the selected areas the target does not have. The run shows them first, because nothing else about
 * these areas is worth reading. */
import { isForeseen } from '../../run/outcome.ts'
import { exchangeRecorded } from '../../run/recorded-exchange.ts'
import { CheckScope } from '../../run/scope.ts'
import { openSession, type Session, type SessionParts } from '../../run/session.ts'
import type { SessionPlan } from '../../run/session-plan.ts'
import { undoAll } from '../../run/taking-back.ts'
import { isAbove } from '../../select/safety-class.ts'
import type { SelectedCheck } from '../../select/select.ts'
import { type AreaSeen, type AreasSeen, areaAttempted } from '../../targets/areas-served.ts'
import type { AbsentArea, Area, AreaQuestion, Dialect, RecordedExchange } from '../../vocabulary/index.ts'
import { counted } from '../output/wording.ts'

export interface AreasFound {
  readonly absent: readonly AbsentArea[]
  /** The exchanges of the attempts, for the report. */
  readonly exchanges: readonly RecordedExchange[]
}

/** Makes the attempts for areas that the probe could not decide, if the ceiling of `plan` permits creating things. What
 * an attempt creates is journaled and undone at once. */
export async function findAbsentAreas(
  plan: SessionPlan,
  areas: readonly Area[],
  asked: AreasSeen,
  dialect: Dialect,
  parts: SessionParts = {},
): Promise<AreasFound> {
  const open = areas.filter((area) => asked[area]?.sign !== 'served')
  const tried = open.filter(
    (area) => asked[area]?.sign === undefined && dialect.areas?.[area]?.attempt && !isAbove('scoped', plan.ceiling),
  )
  const attempts = tried.length > 0 ? await attempted(plan, tried, dialect, parts) : { seen: {}, exchanges: [] }
  const absent = open.flatMap((area): AbsentArea[] => {
    const seen = attempts.seen[area] ?? asked[area]
    return seen?.sign === 'absent' ? [{ area, name: dialect.areas?.[area]?.name ?? area, evidence: seen.evidence }] : []
  })
  return { absent, exchanges: attempts.exchanges }
}

async function attempted(plan: SessionPlan, areas: readonly Area[], dialect: Dialect, parts: SessionParts) {
  const session = await openSession(plan, parts)
  const seen: Partial<Record<Area, AreaSeen>> = {}
  const exchanges: RecordedExchange[] = []
  try {
    for (const area of areas) {
      const { attempt } = dialect.areas?.[area] ?? {}
      if (attempt) seen[area] = await attemptedOn(session, attempt, exchanges)
    }
  } finally {
    await session.close()
  }
  return { seen, exchanges }
}

/** If no reply arrives, or a reply of the way, the attempt shows nothing. */
async function attemptedOn(session: Session, attempt: AreaQuestion, exchanges: RecordedExchange[]): Promise<AreaSeen> {
  const scope = new CheckScope(session, ['probe'])
  try {
    return await areaAttempted(attempt, (exchange) => scope.send(exchange))
  } catch (error) {
    if (!(error instanceof Error) || !isForeseen(error)) throw error
    return { sign: undefined, evidence: error.message }
  } finally {
    await undoAll(scope, session)
    exchanges.push(...scope.log.exchanges.map((raw) => exchangeRecorded({ ...raw, phase: 'probe' }, session.redactor)))
  }
}

export function absenceLines(
  absent: readonly AbsentArea[],
  selected: readonly SelectedCheck[],
  asked: readonly Area[],
): readonly string[] {
  return absent.map(({ area, name, evidence }) => {
    const checks = selected.filter(({ topic }) => topic.area === area).length
    const mend = asked.includes(area) ? `; leave the area ${area} out` : ''
    const verb = checks === 1 ? 'does' : 'do'
    return `this target has no ${name} (${evidence}): ${counted(checks, 'check')} of ${area} ${verb} not apply${mend}`
  })
}
