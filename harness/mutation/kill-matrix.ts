/** Mutants × checks: which check noticed which fault, and what that says about the suites. Pure. */

/** A cell holds what a check did under one mutant: the expectations that failed, by index in its `then`. */
export interface Cell {
  readonly mutant: string
  readonly check: string
  readonly failed: readonly number[]
}

export interface MatrixCheck {
  readonly address: string
  readonly expectations: readonly string[]
  readonly mutants: readonly string[]
}

export interface Matrix {
  readonly mutants: readonly string[]
  readonly checks: readonly MatrixCheck[]
  /** Only cells in which something failed. */
  readonly cells: readonly Cell[]
}

export type ProblemCode = 'survives' | 'unnamed-kill' | 'nobody-names' | 'unknown-mutant' | 'idle-expectation'

export interface Problem {
  readonly code: ProblemCode
  readonly mutant?: string
  readonly check?: string
  readonly text: string
}

/** Every way in which the suites and the mutants do not fit; empty means that each check is proven able to fail, by each
 * of its expectations, and that no check fails for a fault it does not name. */
export function problemsOf(matrix: Matrix): readonly Problem[] {
  const cell = new Map(matrix.cells.map((one) => [`${one.mutant} ${one.check}`, one.failed]))
  const failedBy = (mutant: string, check: string): readonly number[] => cell.get(`${mutant} ${check}`) ?? []
  const known = new Set(matrix.mutants)
  const problems: Problem[] = []

  for (const mutant of matrix.mutants) {
    const namers = matrix.checks.filter((check) => check.mutants.includes(mutant))
    if (namers.length === 0) problems.push({ code: 'nobody-names', mutant, text: `${mutant} is named by no check` })
    for (const check of matrix.checks) {
      const noticed = failedBy(mutant, check.address).length > 0
      const named = check.mutants.includes(mutant)
      if (named && !noticed)
        problems.push({
          code: 'survives',
          mutant,
          check: check.address,
          text: `${check.address} does not notice ${mutant}`,
        })
      if (!named && noticed) {
        problems.push({
          code: 'unnamed-kill',
          mutant,
          check: check.address,
          text: `${check.address} fails under ${mutant}, which it does not name`,
        })
      }
    }
  }

  for (const check of matrix.checks) {
    for (const mutant of check.mutants.filter((id) => !known.has(id))) {
      problems.push({
        code: 'unknown-mutant',
        mutant,
        check: check.address,
        text: `${check.address} names ${mutant}, which does not exist`,
      })
    }
    check.expectations.forEach((words, index) => {
      const needed = check.mutants.some((mutant) => {
        const failed = failedBy(mutant, check.address)
        return failed.length === 1 && failed[0] === index
      })
      if (needed) return
      problems.push({
        code: 'idle-expectation',
        check: check.address,
        text: `${check.address}: no mutant it names is noticed by "${words}" alone, so nothing proves that this expectation can fail`,
      })
    })
  }
  return problems
}

/** Counts the named mutant–check pairs, and how many of them were noticed. */
export function killsOf(matrix: Matrix): { readonly killed: number; readonly named: number } {
  const failing = new Set(
    matrix.cells.filter((cell) => cell.failed.length > 0).map((cell) => `${cell.mutant} ${cell.check}`),
  )
  const pairs = matrix.checks.flatMap((check) => check.mutants.map((mutant) => `${mutant} ${check.address}`))
  return { killed: pairs.filter((pair) => failing.has(pair)).length, named: pairs.length }
}
