import { type CellCall, cellAt, changedCells, nameOf, watched } from './watched-tables.ts'

/** A fault that changes rules. */
export interface Mutant<Tables> {
  readonly id: string
  readonly does: string
  change(tables: Tables): Tables
}

/** Called with the id of a mutant, and with the name of a cell that the mutant changes and the server used. */
export type OnMet = (id: string, cell: string) => void

/** The mutants of one part of the server. */
export interface MutantSet {
  readonly ids: readonly string[]
  /** Loads the named mutants, and unloads all others. */
  load(wanted: ReadonlySet<string>): void
  /** Unloads all mutants. From then on, `onMet` is called once for each mutant, as soon as the mutant would have
   * changed a cell that is read, or the return value of a function in a cell. */
  watch(onMet: OnMet): void
}

interface Changed<Tables> {
  readonly mutant: Mutant<Tables>
  readonly path: readonly PropertyKey[]
  /** True if the cell is a function both with the mutant and without it. */
  readonly isFunction: boolean
}
type ByCell<Tables> = ReadonlyMap<string, readonly Changed<Tables>[]>

/** Caches the result of `changesByCell` by the list of mutants, which all servers of a process share. */
const known = new WeakMap<readonly unknown[], unknown>()

function changesByCell<Tables>(tables: Tables, mutants: readonly Mutant<Tables>[]): ByCell<Tables> {
  const found = known.get(mutants) as ByCell<Tables> | undefined
  if (found) return found
  const byCell = new Map<string, Changed<Tables>[]>()
  for (const mutant of mutants) {
    const changed = mutant.change(tables)
    for (const path of changedCells(tables, changed)) {
      const isFunction = [tables, changed].every((each) => typeof cellAt(each, path) === 'function')
      const name = nameOf(path)
      byCell.set(name, [...(byCell.get(name) ?? []), { mutant, path, isFunction }])
    }
  }
  known.set(mutants, byCell)
  return byCell
}

const isPlain = (value: unknown): boolean =>
  value === null || !['object', 'function', 'symbol'].includes(typeof value) || isPlainList(value)
const isPlainList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) &&
  value.every((item) => item === null || !['object', 'function', 'symbol'].includes(typeof item))

const isSame = (a: unknown, b: unknown): boolean =>
  isPlainList(a) && isPlainList(b)
    ? a.length === b.length && a.every((value, index) => Object.is(value, b[index]))
    : Object.is(a, b)

/** Returns whether the function of a mutant returns the same as the original did. Only calls with plain values are
 * repeated, because others might have side effects. */
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

/** Reports each mutant as soon as the server uses a cell that the mutant changes. */
class Watch<Tables> {
  readonly #tables: Tables
  readonly #byCell: ByCell<Tables>
  readonly #onMet: OnMet
  /** The functions of mutants. They are made anew for each watch, because a function may keep state between calls. */
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
    const { mutant, path } = changed
    if (!this.#runs.has(changed)) this.#runs.set(changed, cellAt(mutant.change(this.#tables), path))
    return this.#runs.get(changed)
  }

  #meet(changed: Changed<Tables>, cell: string): void {
    this.#met.add(changed)
    this.#onMet(changed.mutant.id, cell)
  }
}

/** Returns the mutants of a part. It is a function, so that they can be loaded when they are first needed. */
export type Mutants<Tables> = () => readonly Mutant<Tables>[]

/** Makes the mutants of a part. `use` is called with the tables that apply from then on. */
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
