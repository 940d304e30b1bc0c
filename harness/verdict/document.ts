import { createHash } from 'node:crypto'
import { defined } from '../vocabulary/defined.ts'
import {
  type AcceptedEntry,
  brokenBy,
  type CheckResult,
  type Documents,
  type Finding,
  isContradicted,
  type Requirement,
  type ResultDocument,
  resultSchemaId,
} from '../vocabulary/index.ts'
import { causesOf } from './causes.ts'
import { definitionsHash } from './definitions.ts'
import { type Circumstances, countsOf, verdictOf } from './verdict.ts'

export interface Assembly
  extends Pick<Circumstances, 'checks' | 'leftBehind' | 'cleanCommands' | 'lacked' | 'resultFile'> {
  readonly suite: ResultDocument['suite']
  readonly requirements: readonly Requirement[]
  readonly documents?: Documents | undefined
  readonly paths?: readonly string[] | undefined
  readonly faults?: ResultDocument['register']['faults']
  readonly run: ResultDocument['run']
  readonly target: ResultDocument['target']
  readonly findings: readonly Finding[]
  readonly accepted?: readonly AcceptedEntry[]
  readonly defects?: readonly string[]
  readonly regressed?: readonly string[]
  readonly outdated?: readonly string[]
}

export const registerHash = (requirements: readonly Requirement[]): string =>
  createHash('sha256').update(JSON.stringify(requirements)).digest('hex')

/** The codes of the findings that the assembly makes itself. */
export const derivedCodes: readonly string[] = ['suite-defect', 'left-behind', 'acceptance-outdated']

const withBroken = (check: CheckResult): CheckResult =>
  isContradicted(check) ? { ...check, breaks: brokenBy(check) } : check

/** Assembles the result document from its parts, which must be redacted, and from what follows from them: causes,
 * verdict and counts. */
export function assemble(parts: Assembly): ResultDocument {
  const {
    suite,
    requirements,
    documents,
    paths,
    faults,
    run,
    target,
    findings,
    checks,
    leftBehind,
    cleanCommands = [],
    lacked = [],
    resultFile,
  } = parts
  const { accepted = [], defects = [], regressed = [], outdated = [] } = parts
  const causes = causesOf(checks, { requirements, paths })
  const error =
    (code: string) =>
    (text: string): Finding => ({ severity: 'error', code, text })
  return {
    schema: resultSchemaId,
    suite,
    register: {
      hash: registerHash(requirements),
      definitions: definitionsHash(checks, requirements),
      requirements,
      ...defined({ documents, paths, faults }),
    },
    run,
    target,
    findings: [
      ...findings,
      ...outdated.map(error('acceptance-outdated')),
      ...defects.map(error('suite-defect')),
      ...leftBehind.map(error('left-behind')),
    ],
    checks: checks.map(withBroken),
    causes,
    leftBehind,
    accepted,
    verdict: verdictOf({
      checks,
      requirements,
      ...(run.failOn ? { failOn: run.failOn } : {}),
      causes,
      leftBehind,
      cleanCommands,
      lacked,
      resultFile,
      defects,
      regressed,
      outdated,
      interrupted: run.interrupted,
      asked: run.selection.asked,
      absentAreas: target.absentAreas,
      leftOut: run.leftOut,
      isShard: run.shard !== undefined,
    }),
    counts: countsOf(checks),
  }
}
