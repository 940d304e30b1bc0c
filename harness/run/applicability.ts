import { formFact } from '../targets/areas-served.ts'
import type { Applies, Blocker, Check, Facts, Requirement } from '../vocabulary/index.ts'
import { requirementsOf, type SafetyClass, safetyClasses, type Topic } from '../vocabulary/index.ts'

type Fact = 'edition' | 'version' | 'form'
/** `true`, `false` or, where the fact is not known, what is missing. */
type Answer = {
  readonly fact: Fact
  readonly holds: boolean | undefined
  readonly wanted: string
  readonly seen: string
  /** Under which name its evidence is, where that is not the fact's own. */
  readonly evidence?: string
}

/** Numeric order of dotted versions; build and pre-release marks are not counted. Undefined where one is no version. */
export function compareVersions(a: string, b: string): number | undefined {
  const parts = [a, b].map((text) =>
    /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/
      .exec(text)
      ?.slice(1, 4)
      .map((part) => Number(part ?? 0)),
  )
  const [left, right] = parts
  if (!left || !right) return undefined
  for (const [index, part] of left.entries()) if (part !== right[index]) return part - (right[index] ?? 0)
  return 0
}

function answers({ editions, since, before, form }: Applies, facts: Facts): Answer[] {
  const found: Answer[] = []
  const version = facts.version
  const order = (bound: string) => (version === undefined ? undefined : compareVersions(version, bound))
  if (editions) {
    const { edition } = facts
    found.push({
      fact: 'edition',
      holds: edition === undefined ? undefined : editions.includes(edition),
      wanted: `edition ${editions.join(' or ')}`,
      seen: String(edition),
    })
  }
  for (const [bound, words, test] of [
    [since, 'from', (n: number) => n >= 0],
    [before, 'before', (n: number) => n < 0],
  ] as const) {
    if (bound === undefined) continue
    const n = order(bound)
    found.push({
      fact: 'version',
      holds: n === undefined ? undefined : test(n),
      wanted: `versions ${words} ${bound}`,
      seen: String(version),
    })
  }
  for (const [subject, wanted] of Object.entries(form ?? {})) {
    const seen = facts.forms?.[subject]
    found.push({
      fact: 'form',
      holds: seen === undefined ? undefined : seen === wanted,
      wanted: `the ${wanted} form of ${subject}`,
      seen: String(seen),
      evidence: formFact(subject),
    })
  }
  return found
}

/** Why statements with these bounds are not judged on this target; undefined where they are. A bound that is certainly
 * not met outweighs a fact that is missing. */
export function outsideOf(
  bounds: readonly (Applies | undefined)[],
  facts: Facts,
  evidence: Readonly<Record<string, string>> = {},
): { readonly verdict: 'not-applicable' | 'not-verified'; readonly blocker: Blocker } | undefined {
  const all = bounds.flatMap((applies) => (applies ? answers(applies, facts) : []))
  const broken = all.find(({ holds }) => holds === false)
  if (broken) {
    const source = evidence[broken.evidence ?? broken.fact] ?? evidence.forms
    const reason = `holds for ${broken.wanted}; the target is ${broken.seen}${source ? ` (${source})` : ''}`
    return { verdict: 'not-applicable', blocker: { kind: broken.fact, reason } }
  }
  const missing = all.find(({ holds }) => holds === undefined)
  if (!missing) return undefined
  return {
    verdict: 'not-verified',
    blocker: {
      kind: 'unknown-fact',
      reason: `holds for ${missing.wanted}, and the target's ${missing.fact} is not known`,
      mend: `give declared.${missing.fact === 'form' ? 'forms' : missing.fact} in the profile`,
    },
  }
}

export const boundsOf = (check: Check, requirements: ReadonlyMap<string, Requirement>): (Applies | undefined)[] => [
  check.applies,
  ...requirementsOf(check).map((id) => requirements.get(id)?.applies),
]

export const safetyOf = (topic: Topic, check: Check): SafetyClass => check.safety ?? topic.safety

export const isAbove = (safety: SafetyClass, ceiling: SafetyClass): boolean =>
  safetyClasses.indexOf(safety) > safetyClasses.indexOf(ceiling)
