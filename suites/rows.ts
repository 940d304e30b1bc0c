/** Tells what the rows of tables of checks have in common, and how their short ids become full ids. */

/** Every row of a table of checks has these members. A table adds the members that differ between its rows. */
export interface CheckRow<Requirement = string> {
  /** The id of the check. */
  readonly id: string
  /** Requirements may lack the prefix that the whole table has in common. */
  readonly requirement: Requirement
}

export const requirementsIn = (prefix: string, ids: string | readonly string[]): readonly string[] =>
  [ids].flat().map((id) => `${prefix}${id}`)

/** Returns the rows of a table, whose keys are the ids. */
export const rowsOf = <Row extends { readonly id: string }>(rows: Readonly<Record<string, Omit<Row, 'id'>>>) =>
  Object.entries(rows).map(([id, row]) => ({ id, ...row }) as Row)
