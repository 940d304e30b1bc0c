import type { Mutant } from './contracts.ts'
import { cellsBetween, watched } from './watched-tables.ts'

/** Is told a mutant, and the name of a cell that it changes and that is about to be read. */
export type OnMet = (id: string, cell: string) => void

/** The mutants of one part of the server. */
export interface MutantSet {
  readonly ids: readonly string[]
  /** Puts the named mutants into effect, and ends all others. */
  load(wanted: ReadonlySet<string>): void
  /** Ends all mutants, and from then on tells which mutants change a cell that was read: until then, they would have
   * changed nothing. */
  watch(onMet: OnMet): void
}

/** The mutants that change a cell, by cell. Each server of a process has the same. */
const known = new WeakMap<readonly unknown[], ReadonlyMap<string, readonly string[]>>()

function idsByCell<Tables>(tables: Tables, mutants: readonly Mutant<Tables>[]): ReadonlyMap<string, readonly string[]> {
  const found = known.get(mutants)
  if (found) return found
  const byCell = new Map<string, string[]>()
  for (const { id, change } of mutants)
    for (const cell of cellsBetween(tables, change(tables))) {
      const ids = byCell.get(cell)
      if (ids) ids.push(id)
      else byCell.set(cell, [id])
    }
  known.set(mutants, byCell)
  return byCell
}

/** `use` receives the tables that apply from then on. */
export const mutantSet = <Tables extends object>(
  tables: Tables,
  mutants: readonly Mutant<Tables>[],
  use: (tables: Tables) => void,
): MutantSet => ({
  ids: mutants.map(({ id }) => id),
  load: (wanted) =>
    use(mutants.filter(({ id }) => wanted.has(id)).reduce((changed, mutant) => mutant.change(changed), tables)),
  watch(onMet) {
    const byCell = idsByCell(tables, mutants)
    use(
      watched(tables, (cell) => {
        for (const id of byCell.get(cell) ?? []) onMet(id, cell)
      }),
    )
  },
})
