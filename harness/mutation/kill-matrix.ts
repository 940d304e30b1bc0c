/** The kill matrix (mutants × checks) records which check noticed which fault; `problemsOf` finds what is wrong with
 * the suites by it. Pure. */

/** Stands in `failed` for a broken condition of the topic. */
export const byCondition = -1

/** The judgement of a check under one mutant. */
export interface Cell {
  readonly mutant: string
  readonly check: string
  /** Indexes in `then` of the expectations that failed, and `byCondition`. */
  readonly failed: readonly number[]
  /** Present if the unchanged server, judged by this check, read nothing that the mutant changes. */
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
  /** Contains only cells in which an expectation failed. */
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

/** Returns the indexes of the expectations of a check that failed under a mutant. */
type FailedBy = (mutant: string, check: string) => readonly number[]

/** Returns every mismatch between the suites and the mutants. If there is none, each expectation of each check is
 * proven able to fail, and no check fails under a mutant that it does not name. `isPart`: the matrix holds only some
 * checks, so each of its mutants may be named by others. */
export function problemsOf({ mutants, checks, cells }: Matrix, isPart = false): readonly Problem[] {
  const cell = new Map(cells.map((one) => [`${one.mutant} ${one.check}`, one.failed]))
  const failedBy: FailedBy = (mutant, check) => cell.get(`${mutant} ${check}`) ?? []
  const known = new Set(mutants)
  return [
    ...(isPart
      ? []
      : mutants.filter((mutant) => !checks.some((check) => check.mutants.includes(mutant))).map(nobodyNames)),
    ...mutants.flatMap((mutant) => problemsOfMutant(mutant, checks, failedBy)),
    ...checks.flatMap((check) => problemsOfCheck(check, known, failedBy)),
    ...cells.filter(({ isUnmet }) => isUnmet).map(unmetKill),
  ]
}

/** Checks are not judged alone under mutants that they do not meet. A kill by such a mutant shows that this shortcut
 * is wrong. */
const unmetKill = ({ mutant, check }: Cell): Problem => ({
  ...{ code: 'unmet-kill', mutant, check },
  text: `${check} fails under ${mutant}, although the unchanged server, judged by this check, reads nothing that ${mutant} changes`,
})

const nobodyNames = (mutant: string): Problem => ({
  ...{ code: 'nobody-names', mutant },
  text: `no check names ${mutant}`,
})

function problemsOfMutant(mutant: string, checks: readonly MatrixCheck[], failedBy: FailedBy): readonly Problem[] {
  return checks.flatMap(({ address, mutants }): Problem | readonly [] => {
    const failed = failedBy(mutant, address)
    const isNamed = mutants.includes(mutant)
    // A check may meet a broken condition under any mutant, because other checks report it.
    const noticed = isNamed ? failed.length > 0 : failed.some((index) => index !== byCondition)
    if (noticed === isNamed) return []
    const of = { mutant, check: address }
    return noticed
      ? { code: 'unnamed-kill', ...of, text: `${address} fails under ${mutant}, which it does not name` }
      : { code: 'survives', ...of, text: `${address} does not notice ${mutant}` }
  })
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
    const isProvenBy = (mutant: string) => isAlone(failedBy(mutant, address).filter((one) => one !== byCondition))
    if (mutants.some(isProvenBy)) return []
    const text = `${address}: under no mutant that it names does "${words}" fail alone, so nothing proves that this expectation can fail`
    return { code: 'idle-expectation', check: address, text }
  })
  return [...unknown, ...idle]
}

/** Counts the pairs in which a check names a mutant, and in how many of them the check noticed it. */
export function killsOf(matrix: Matrix): { readonly killed: number; readonly named: number } {
  const failing = new Set(
    matrix.cells.filter((cell) => cell.failed.length > 0).map((cell) => `${cell.mutant} ${cell.check}`),
  )
  const pairs = matrix.checks.flatMap((check) => check.mutants.map((mutant) => `${mutant} ${check.address}`))
  return { killed: pairs.filter((pair) => failing.has(pair)).length, named: pairs.length }
}

/** Returns a record of the kill matrix, brought up to date: each judged check has the mutants that it noticed, those that
 * it named before in their order. A fault that many checks notice (`shared`) is not judged with checks that do not name
 * it, so it stays with those that do. */
export function withNoticed(
  record: Readonly<Record<string, string>>,
  { checks, cells }: Matrix,
  addresses: readonly string[],
): Readonly<Record<string, string>> {
  const noticed = checks.map(({ address, mutants }) => {
    const ofCheck = cells.filter(({ check, failed }) => check === address && failed.length > 0)
    const others = ofCheck.filter(({ failed }) => failed.some((index) => index !== byCondition))
    const kept = mutants.filter((id) => ofCheck.some(({ mutant }) => mutant === id))
    return [address, [...new Set([...kept, ...others.map(({ mutant }) => mutant)])].join(' ')] as const
  })
  const whole = { ...record, ...Object.fromEntries(noticed) }
  const present = addresses.filter((address) => whole[address]).toSorted()
  return Object.fromEntries(present.map((address) => [address, whole[address] ?? '']))
}
