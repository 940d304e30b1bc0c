/** Makes mutants that change one cell of the tables. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { CloudTables } from '../tables/index.ts'

export type CloudMutant = Mutant<CloudTables>
export type Change = CloudMutant['change']

export const mutant = (id: string, does: string, change: Change): CloudMutant => ({ id: `cloud/${id}`, does, change })

/** Changes some cells of one table. */
export const inTable =
  <Name extends keyof CloudTables>(name: Name, cells: Partial<CloudTables[Name]>): Change =>
  (tables) => ({ ...tables, [name]: { ...(tables[name] as object), ...(cells as object) } })

/** Changes some cells of one row of a table. */
export const inRow =
  <Name extends keyof CloudTables, Row extends keyof CloudTables[Name]>(
    name: Name,
    row: Row,
    cells: Partial<CloudTables[Name][Row]>,
  ): Change =>
  (tables) =>
    inTable(name, { [row]: { ...(tables[name][row] as object), ...(cells as object) } } as Partial<CloudTables[Name]>)(
      tables,
    )

export const kebab = (name: string): string => name.replaceAll('_', '-')
