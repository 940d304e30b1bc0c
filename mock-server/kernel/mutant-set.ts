import type { Mutant } from './contracts.ts'
import { type CellCall, cellAt, nameOf, placesBetween, watched } from './watched-tables.ts'

/** Is told a mutant, and the name of a cell that it changes and that the server acts on. */
export type OnMet = (id: string, cell: string) => void

/** The mutants of one part of the server. */
export interface MutantSet {
  readonly ids: readonly string[]
  /** Puts the named mutants into effect, and ends all others. */
  load(wanted: ReadonlySet<string>): void
  /** Ends all mutants, and from then on tells which mutants change a cell that was read, or what a function in a cell
   * returned: until then, they would have changed nothing. */
  watch(onMet: OnMet): void
}

interface Changed<Tables> {
  readonly mutant: Mutant<Tables>
  readonly place: readonly PropertyKey[]
  /** There is a function in the cell, with the mutant and without it. */
  readonly isFunction: boolean
}
type ByCell<Tables> = ReadonlyMap<string, readonly Changed<Tables>[]>

/** By the mutants of a part: which of them change a cell. Each server of a process has the same. */
const known = new WeakMap<readonly unknown[], unknown>()

function changesByCell<Tables>(tables: Tables, mutants: readonly Mutant<Tables>[]): ByCell<Tables> {
  const found = known.get(mutants) as ByCell<Tables> | undefined
  if (found) return found
  const byCell = new Map<string, Changed<Tables>[]>()
  for (const mutant of mutants) {
    const changed = mutant.change(tables)
    for (const place of placesBetween(tables, changed)) {
      const isFunction = [tables, changed].every((some) => typeof cellAt(some, place) === 'function')
      const name = nameOf(place)
      byCell.set(name, [...(byCell.get(name) ?? []), { mutant, place, isFunction }])
    }
  }
  known.set(mutants, byCell)
  return byCell
}

const isPlain = (value: unknown): boolean =>
  value === null || !['object', 'function', 'symbol'].includes(typeof value) || isPlainList(value)
const isPlainList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.every((one) => one === null || !['object', 'function', 'symbol'].includes(typeof one))

const isSame = (one: unknown, other: unknown): boolean =>
  isPlainList(one) && isPlainList(other)
    ? one.length === other.length && one.every((value, index) => Object.is(value, other[index]))
    : Object.is(one, other)

/** Tells whether the function of a mutant does the same. Only what is given plain values is tried, so that nothing is done
 * twice. */
function doesTheSame(run: unknown, { by, given, outcome }: CellCall): boolean {
  if (typeof run !== 'function' || !given.every(isPlain)) return false
  if (!('returned' in outcome) || !isPlain(outcome.returned)) return false
  try {
    const copies = given.map((value) => (isPlainList(value) ? [...value] : value))
    return isSame(Reflect.apply(run, by, copies), outcome.returned)
  } catch {
    return false
  }
}

/** Tells mutants as soon as the server acts on a cell that they change. */
class Watch<Tables> {
  readonly #tables: Tables
  readonly #byCell: ByCell<Tables>
  readonly #onMet: OnMet
  /** A function may remember what it was given, and begins anew with each watch. */
  readonly #runs = new Map<Changed<Tables>, unknown>()
  readonly #met = new Set<Changed<Tables>>()

  constructor(tables: Tables, mutants: readonly Mutant<Tables>[], onMet: OnMet) {
    this.#tables = tables
    this.#byCell = changesByCell(tables, mutants)
    this.#onMet = onMet
  }

  read(cell: string): void {
    for (const changed of this.#changes(cell, false)) this.#meet(changed, cell)
  }

  called(cell: string, call: CellCall): void {
    for (const changed of this.#changes(cell, true))
      if (!doesTheSame(this.#runOf(changed), call)) this.#meet(changed, cell)
  }

  #changes(cell: string, isFunction: boolean): readonly Changed<Tables>[] {
    const changes = this.#byCell.get(cell) ?? []
    return changes.filter((changed) => changed.isFunction === isFunction && !this.#met.has(changed))
  }

  #runOf(changed: Changed<Tables>): unknown {
    const { mutant, place } = changed
    if (!this.#runs.has(changed)) this.#runs.set(changed, cellAt(mutant.change(this.#tables), place))
    return this.#runs.get(changed)
  }

  #meet(changed: Changed<Tables>, cell: string): void {
    this.#met.add(changed)
    this.#onMet(changed.mutant.id, cell)
  }
}

/** The mutants of a part, which may be loaded only when somebody asks for them. */
export type Mutants<Tables> = () => readonly Mutant<Tables>[]

/** `use` receives the tables that apply from then on. */
export const mutantSet = <Tables extends object>(
  tables: Tables,
  mutants: Mutants<Tables>,
  use: (tables: Tables) => void,
): MutantSet => ({
  get ids() {
    return mutants().map(({ id }) => id)
  },
  load: (wanted) =>
    use(
      mutants()
        .filter(({ id }) => wanted.has(id))
        .reduce((changed, mutant) => mutant.change(changed), tables),
    ),
  watch: (onMet) => use(watched(tables, new Watch(tables, mutants(), onMet))),
})
