import { createHash } from 'node:crypto'
import type { CheckResult, ResultDocument } from '../../harness/vocabulary/index.ts'
import { excerpt, oneLine, shorten, visible, withoutCommands } from './escape.ts'
import { reasonAndMend, statementOf, wantedSaw, withFullStop } from './wording.ts'

type Severity = 'blocker' | 'critical' | 'major' | 'minor' | 'info'

/** An entry of a code quality report in GitLab's format. */
interface Entry {
  readonly check_name: string
  readonly description: string
  /** Identifies a finding across runs, so that a merge request shows what is new and what is fixed. */
  readonly fingerprint: string
  readonly severity: Severity
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } }
}

/** GitLab requires a file; `result.json` lies beside every report. */
const location = { path: 'result.json', lines: { begin: 1 } } as const

/** Renders a code quality report for merge requests of GitLab: the verdict of a run unless it is conformant, then every
 * check that needs attention. Accepted findings are left out. */
export function renderCodeQuality(document: ResultDocument): string {
  const { exitCode, title, headline } = document.verdict
  const entries = [
    ...(exitCode === 0 ? [] : [entry('verdict', 'blocker', `${title}: ${headline}`)]),
    ...document.checks.flatMap((check) => {
      const severity = severityOf(check)
      return severity ? [entry(check.id, severity, describe(check, document))] : []
    }),
  ]
  // The line break in an empty list identifies the file as ours to `stale.ts`.
  return entries.length === 0 ? '[\n]\n' : `${JSON.stringify(entries, null, 2)}\n`
}

function entry(name: string, severity: Severity, description: string): Entry {
  return {
    check_name: `assay/${visible(name)}`,
    description: shorten(withoutCommands(oneLine(visible(description))), 1000),
    fingerprint: createHash('sha256').update(`assay/${name}`).digest('hex'),
    severity,
    location,
  }
}

function severityOf({ verdict, level }: CheckResult): Severity | undefined {
  if (verdict === 'fail') return 'critical'
  if (verdict === 'warn') return 'minor'
  if (verdict === 'not-verified' || verdict === 'error') return level === 'must' ? 'major' : 'info'
  return undefined
}

function describe(check: CheckResult, document: ResultDocument): string {
  const statement = statementOf(check, document)
  if (check.blocker) return `${statement} ${reasonAndMend(check.blocker)}`
  const [first] = check.mismatches
  if (!first) return statement
  return `${statement} ${withFullStop(`${first.asked}: ${wantedSaw({ at: first.at, ...excerpt(first) })}`)}`
}
