/** The kill matrix: the mutants that each check must notice, as `assay selftest --mutants --update` has recorded them. */
import type { Topic } from '../harness/vocabulary/index.ts'
import record from './kill-matrix.json' with { type: 'json' }

/** The ids of the mutants, separated by blanks, by the address of the check. */
export const killMatrix: Readonly<Record<string, string>> = record

/** Gives the checks of a topic their mutants. Throws if a check names some itself, since that would have no effect. */
export const withMutants = (topic: Topic): Topic => ({
  ...topic,
  checks: topic.checks.map((check) => {
    const address = `${topic.id}/${check.id}`
    if (check.mutants.length > 0)
      throw new Error(`${address} names mutants: leave them out, and record them in suites/kill-matrix.json`)
    return { ...check, mutants: killMatrix[address]?.split(' ') ?? [] }
  }),
})
