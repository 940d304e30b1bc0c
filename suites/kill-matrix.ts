/** The kill matrix: the mutants that each check must notice, as `assay selftest --mutants --update` has recorded them. */
import type { Topic } from '../harness/vocabulary/index.ts'
import record from './kill-matrix.json' with { type: 'json' }

/** The ids of the mutants, separated by blanks, by the address of the check. */
export const killMatrix: Readonly<Record<string, string>> = record

export const withMutants = (topic: Topic): Topic => ({
  ...topic,
  checks: topic.checks.map((check) => ({
    ...check,
    mutants: killMatrix[`${topic.id}/${check.id}`]?.split(' ') ?? [],
  })),
})
