import { createHash } from 'node:crypto'
import {
  type Documents,
  type Finding,
  type Requirement,
  type ResultDocument,
  resultSchemaId,
} from '../vocabulary/index.ts'
import { type Circumstances, countsOf, exitCodeOf, verdictOf } from './verdict.ts'

export interface Assembly extends Omit<Circumstances, 'interrupted' | 'defects' | 'regressions'> {
  readonly suite: ResultDocument['suite']
  readonly requirements: readonly Requirement[]
  readonly documents?: Documents | undefined
  readonly run: ResultDocument['run']
  readonly target: ResultDocument['target']
  readonly findings: readonly Finding[]
  readonly defects?: readonly string[]
  readonly regressions?: number
}

/** The same for the same requirements in the same order, whatever wrote them. */
export const registerHash = (requirements: readonly Requirement[]): string =>
  createHash('sha256').update(JSON.stringify(requirements)).digest('hex')

/** The result document: everything given, which must be redacted by now, and what follows from it. */
export function assemble(parts: Assembly): ResultDocument {
  const {
    suite,
    requirements,
    documents,
    run,
    target,
    findings,
    checks,
    leftBehind,
    defects = [],
    regressions = 0,
  } = parts
  const circumstances = { checks, leftBehind, defects, regressions, interrupted: run.interrupted }
  return {
    schema: resultSchemaId,
    suite,
    register: { hash: registerHash(requirements), requirements, ...(documents ? { documents } : {}) },
    run,
    target,
    findings: [
      ...findings,
      ...defects.map((text): Finding => ({ severity: 'error', code: 'suite-defect', text })),
      ...leftBehind.map((text): Finding => ({ severity: 'error', code: 'left-behind', text })),
    ],
    checks,
    leftBehind,
    verdict: verdictOf(checks),
    exitCode: exitCodeOf(circumstances),
    counts: countsOf(checks),
  }
}
