/** Mutants × checks: which check noticed which fault, and what that says about the suites. Pure. */

/** A cell holds what a check did under one mutant: the expectations that failed, by index in its `then`. */
export interface Cell {
  readonly mutant: string
  readonly check: string
  readonly failed: readonly number[]
  /** The unchanged server, judged by that check, read nothing that the mutant changes. */
  readonly isUnmet?: true
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

export type ProblemCode =
  | 'survives'
  | 'unnamed-kill'
  | 'nobody-names'
  | 'unknown-mutant'
  | 'idle-expectation'
  | 'unmet-kill'

export interface Problem {
  readonly code: ProblemCode
  readonly mutant?: string
  readonly check?: string
  readonly text: string
}

/** The expectations of a check that failed under a mutant. */
type FailedBy = (mutant: string, check: string) => readonly number[]

/** Every way in which the suites and the mutants do not fit; empty means that each check is proven able to fail, by each
 * of its expectations, and that no check fails for a fault it does not name. */
export function problemsOf({ mutants, checks, cells }: Matrix): readonly Problem[] {
  const cell = new Map(cells.map((one) => [`${one.mutant} ${one.check}`, one.failed]))
  const failedBy: FailedBy = (mutant, check) => cell.get(`${mutant} ${check}`) ?? []
  const known = new Set(mutants)
  return [
    ...mutants.flatMap((mutant) => problemsOfMutant(mutant, checks, failedBy)),
    ...checks.flatMap((check) => problemsOfCheck(check, known, failedBy)),
    ...cells.filter(({ isUnmet }) => isUnmet).map(unmetKill),
  ]
}

/** Checks are spared mutants that they do not meet, so this says that they are spared too much. */
const unmetKill = ({ mutant, check }: Cell): Problem => ({
  ...{ code: 'unmet-kill', mutant, check },
  text: `${check} fails under ${mutant}, although the unchanged server reads nothing for it that ${mutant} changes`,
})

function problemsOfMutant(mutant: string, checks: readonly MatrixCheck[], failedBy: FailedBy): readonly Problem[] {
  const isNamed = checks.some((check) => check.mutants.includes(mutant))
  const found = checks.flatMap(({ address, mutants }): Problem | readonly [] => {
    const noticed = failedBy(mutant, address).length > 0
    if (noticed === mutants.includes(mutant)) return []
    const of = { mutant, check: address }
    return noticed
      ? { code: 'unnamed-kill', ...of, text: `${address} fails under ${mutant}, which it does not name` }
      : { code: 'survives', ...of, text: `${address} does not notice ${mutant}` }
  })
  return isNamed ? found : [{ code: 'nobody-names', mutant, text: `${mutant} is named by no check` }, ...found]
}

function problemsOfCheck(
  { address, mutants, expectations }: MatrixCheck,
  known: ReadonlySet<string>,
  failedBy: FailedBy,
): readonly Problem[] {
  const unknown = mutants
    .filter((id) => !known.has(id))
    .map((mutant): Problem => {
      const text = `${address} names ${mutant}, which does not exist`
      return { code: 'unknown-mutant', mutant, check: address, text }
    })
  const idle = expectations.flatMap((words, index): Problem | readonly [] => {
    const isAlone = ([first, ...others]: readonly number[]): boolean => first === index && others.length === 0
    if (mutants.some((mutant) => isAlone(failedBy(mutant, address)))) return []
    const text = `${address}: no mutant it names is noticed by "${words}" alone, so nothing proves that this expectation can fail`
    return { code: 'idle-expectation', check: address, text }
  })
  return [...unknown, ...idle]
}

/** Counts the named mutant–check pairs, and how many of them were noticed. */
export function killsOf(matrix: Matrix): { readonly killed: number; readonly named: number } {
  const failing = new Set(
    matrix.cells.filter((cell) => cell.failed.length > 0).map((cell) => `${cell.mutant} ${cell.check}`),
  )
  const pairs = matrix.checks.flatMap((check) => check.mutants.map((mutant) => `${mutant} ${check.address}`))
  return { killed: pairs.filter((pair) => failing.has(pair)).length, named: pairs.length }
}
