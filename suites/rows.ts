/** Tables of checks: what each row has, and how its short ids become whole ones. */
import type { CheckBody } from '../harness/vocabulary/index.ts'

export type Mutants = CheckBody['mutants']

/** Every row of a table of checks has these members. A table adds the members in which its rows differ. */
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

/** Makes the mutants of an area from ids without its name. */
export const mutantsOf =
  (area: string) =>
  (...ids: Mutants): Mutants =>
    mutantsIn(`${area}/`, ids)

export const requirementsIn = (prefix: string, ids: string | readonly string[]): readonly string[] =>
  [ids].flat().map((id) => `${prefix}${id}`)
