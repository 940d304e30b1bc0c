import { createHash } from 'node:crypto'
import type { CheckResult, ResultDocument } from '../../harness/vocabulary/index.ts'
import { excerpt, oneLine, shorten, visible, withoutCommands } from './escape.ts'
import { reasonAndMend, statementOf, wantedSaw, withFullStop } from './wording.ts'

type Severity = 'blocker' | 'critical' | 'major' | 'minor' | 'info'

/** An entry of a code quality report, as GitLab reads it. */
interface Entry {
  readonly check_name: string
  readonly description: string
  /** The same in each run, so that a merge request shows what is new and what is fixed. */
  readonly fingerprint: string
  readonly severity: Severity
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } }
}

/** GitLab wants a file. The result is one that lies beside each report. */
const location = { path: 'result.json', lines: { begin: 1 } } as const

/** For merge requests of GitLab: what a reader must act on, after the verdict of a run that is not green. What is accepted is
 * not among it. */
export function renderCodeQuality(document: ResultDocument): string {
  const { exitCode, title, headline } = document.verdict
  const entries = [
    ...(exitCode === 0 ? [] : [entry('verdict', 'blocker', `${title}: ${headline}`)]),
    ...document.checks.flatMap((check) => {
      const severity = severityOf(check)
      return severity ? [entry(check.id, severity, describe(check, document))] : []
    }),
  ]
  // An empty list has a line break of its own, by which it is known as ours.
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
