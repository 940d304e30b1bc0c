import type { Mutant } from './contracts.ts'

/** The deliberate faults of one part of the server. */
export interface MutantSet {
  readonly ids: readonly string[]
  /** Puts those of its faults that are named into effect, and takes back every other. */
  load(wanted: ReadonlySet<string>): void
}

/** `use` is given the tables that hold from then on. */
export const mutantSet = <Tables>(
  tables: Tables,
  mutants: readonly Mutant<Tables>[],
  use: (tables: Tables) => void,
): MutantSet => ({
  ids: mutants.map(({ id }) => id),
  load: (wanted) =>
    use(mutants.filter(({ id }) => wanted.has(id)).reduce((changed, mutant) => mutant.change(changed), tables)),
})
