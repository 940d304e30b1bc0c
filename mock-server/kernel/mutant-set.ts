import type { Mutant } from './contracts.ts'

/** The mutants of one part of the server. */
export interface MutantSet {
  readonly ids: readonly string[]
  /** Puts the named mutants into effect, and ends all others. */
  load(wanted: ReadonlySet<string>): void
}

/** `use` receives the tables that apply from then on. */
export const mutantSet = <Tables>(
  tables: Tables,
  mutants: readonly Mutant<Tables>[],
  use: (tables: Tables) => void,
): MutantSet => ({
  ids: mutants.map(({ id }) => id),
  load: (wanted) =>
    use(mutants.filter(({ id }) => wanted.has(id)).reduce((changed, mutant) => mutant.change(changed), tables)),
})
