/** Tells whether a spelling is why a check differs. Such a check is judged again as written. If it passes then, it is judged
 * with one spelling at a time, and the first that differs again is the finding. */

import type { Outcome } from '../run/outcome.ts'
import type { CheckScope } from '../run/scope.ts'
import type { Session } from '../run/session.ts'
import { withFurther } from '../verdict/told-once.ts'
import {
  addressOf,
  type Check,
  type FoundMismatch,
  requirementsOf,
  type SpellingSite,
  type Topic,
} from '../vocabulary/index.ts'

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

function mayBeSpelling({ outcome: { verdict, blocker }, scope }: Judged): boolean {
  return verdict !== 'pass' && scope.respelled.length > 0 && !(blocker && unrelated.has(blocker.kind))
}

/** `judged` judges the check in rounds, with its requests spelled otherwise at these sites. */
export async function judgedInSpellings(
  topic: Topic,
  check: Check,
  session: Session,
  judged: (sites: readonly SpellingSite[]) => Promise<Judged>,
): Promise<Judged> {
  const spelled = await judged(session.spellings.of(addressOf(topic, check)))
  if (!mayBeSpelling(spelled)) return spelled
  const drop = ({ scope }: Judged) => session.kept.giveBack(scope.exchanges)
  drop(spelled)
  const plain = await judged([])
  if (plain.outcome.verdict !== 'pass') return plain
  for (const site of new Set(spelled.scope.respelled.map((one) => one.site))) {
    const alone = await judged([site])
    if (mayBeSpelling(alone)) {
      drop(plain)
      session.spellings.isUnknown(site)
      return { ...alone, outcome: outcomeOf(check, session, site, alone) }
    }
    drop(alone)
  }
  return plain
}

function outcomeOf(check: Check, session: Session, site: SpellingSite, { outcome, scope }: Judged): Outcome {
  const [sent] = scope.respelled
  const [differs] = outcome.mismatches ?? []
  const saw = differs
    ? `${differs.asked}: ${differs.at} wanted ${differs.wanted}; saw ${differs.saw}`
    : (outcome.blocker?.reason ?? outcome.verdict)
  const mismatch: FoundMismatch = {
    ...{ asked: sent?.asked ?? site.path, at: 'spelling', expectation: 0, requirement: site.row },
    wanted: `the same as for the usual spelling, if it is sent ${sent?.words}`,
    saw,
    ...(sent?.exchange === undefined ? {} : { exchange: sent.exchange }),
  }
  return withFurther(
    { verdict: 'pass' },
    { broken: [mismatch], deciding: requirementsOf(check) },
    (id) => session.requirements.get(id)?.level ?? 'must',
  )
}
