/** Makes the causes and verdicts of the sample documents, similar to those of the harness but by simpler means. */
import type { Cause, CheckResult, RunVerdict, Verdict } from '../../../harness/vocabulary/index.ts'

export type Outcome = 'conformant' | 'non-conformant' | 'incomplete'

const order = ['fail', 'warn', 'error', 'not-verified', 'not-applicable'] as const

export const sampleCauses = (checks: readonly CheckResult[]): readonly Cause[] =>
  order.flatMap((verdict) => {
    const own = checks.filter((check) => check.verdict === verdict)
    const groups = [...Map.groupBy(own, keyOf).values()].sort((one, other) => other.length - one.length)
    return groups.map((group): Cause => {
      const { blocker } = group[0] ?? {}
      const ids = group.map(({ id }) => id)
      const requirements = group[0]?.requirements.slice(0, 1) ?? []
      if (!blocker) return { verdict, says: keyOf(group[0]), requirements, checks: ids }
      const { kind, reason, mend } = blocker
      return { verdict, says: reason, ...(mend ? { mend } : {}), obstacle: kind, checks: ids }
    })
  })

function keyOf(check: CheckResult | undefined): string {
  if (check?.blocker) return JSON.stringify(check.blocker)
  const [first] = check?.mismatches ?? []
  if (!first) return 'the difference was not recorded'
  return `\`${first.asked.replace(/assay-[\w-]+/, '{policy}')}\` shows \`${first.at}\` otherwise than stated`
}

/** Returns a verdict as the harness would return it, with fewer words. */
export function sampleVerdict(
  outcome: Outcome,
  counts: Readonly<Record<Verdict, number>>,
  causes: readonly Cause[],
): RunVerdict {
  const failed = causes.filter(({ verdict }) => verdict === 'fail')
  const findings = failed.reduce((sum, { checks }) => sum + checks.length, 0)
  const first = { says: failed[0]?.says ?? 'nothing', findings: failed[0]?.checks.length ?? 0 }
  const reasons = {
    conformant: [],
    'non-conformant': [
      {
        code: 'failed' as const,
        facts: {
          ...{ failed: counts.fail, judged: counts.pass + counts.fail },
          ...{
            sentences: { contradicted: failed.length, decided: failed.length },
            causes: failed.length,
            findings,
            first,
          },
        },
        says: `${failed.length} causes, ${findings} findings: ${first.says} (${first.findings}), and more; ${counts.fail} must checks failed.`,
        mend: 'Fix the target.',
      },
    ],
    incomplete: [
      {
        code: 'not-verified' as const,
        facts: { checks: counts['not-verified'] },
        says: `${counts['not-verified']} must checks could not be verified, so this is no proof of conformance.`,
        mend: 'Give the run what is missing.',
      },
    ],
  }[outcome]
  return {
    word: outcome,
    exitCode: outcome === 'conformant' ? 0 : outcome === 'non-conformant' ? 1 : 3,
    title: counts.accepted > 0 ? `${outcome} (${counts.accepted} accepted)` : outcome,
    headline: reasons[0]?.says ?? `All ${counts.pass} must checks that apply to the target hold.`,
    lines: sampleLines(outcome, counts, failed.length),
    reasons,
    accepted: { fail: counts.accepted, notVerified: 0 },
    leftOut: 0,
    notes: [],
  }
}

function sampleLines(
  outcome: Outcome,
  { pass, fail, 'not-verified': open }: Parameters<typeof sampleVerdict>[1],
  causes: number,
) {
  if (outcome === 'conformant') return [`All ${pass} must checks that apply to the target hold.`]
  if (outcome === 'incomplete') return [`${open} must checks could not be verified.`]
  return [
    `${fail} of ${pass + fail} must sentences are contradicted.`,
    `${fail} of ${pass + fail} must checks failed, from ${causes} causes.`,
  ]
}
