/** What the rows of tables of checks have in common, and how their short ids become full ids. */
import type { CheckBody } from '../harness/vocabulary/index.ts'

export type Mutants = CheckBody['mutants']

/** Every row of a table of checks has these members. A table adds the members that differ between its rows. */
export interface CheckRow<Requirement = string> {
  /** The id of the check. */
  readonly id: string
  /** Requirements and mutants may lack the prefix that the whole table has in common. */
  readonly requirement: Requirement
  readonly mutants: Mutants
}

export const mutantsIn = (prefix: string, [first, ...others]: Mutants): Mutants => [
  `${prefix}${first}`,
  ...others.map((id) => `${prefix}${id}`),
]

/** Adds the name of an area to ids of mutants. */
export const mutantsOf =
  (area: string) =>
  (...ids: Mutants): Mutants =>
    mutantsIn(`${area}/`, ids)

export const requirementsIn = (prefix: string, ids: string | readonly string[]): readonly string[] =>
  [ids].flat().map((id) => `${prefix}${id}`)
