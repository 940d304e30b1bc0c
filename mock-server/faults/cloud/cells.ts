/** Makes faults of the cloud engine. */
import type { Context } from '../../engines/cloud/context.ts'
import type { CloudRules } from '../../engines/cloud/rules/index.ts'
import { type Fault, faultsOf } from '../fault.ts'

export const { fault, rule, around, stored, noting } = faultsOf<Context>('cloud', 'cloud')
export type CloudMutant = Fault<Context>
export type Change = (rules: CloudRules) => CloudRules

export const mutant = (id: string, does: string, change: Change): CloudMutant => fault(id, does, rule(change))

/** Changes some cells of one table. */
export const inTable =
  <Name extends keyof CloudRules>(name: Name, cells: Partial<CloudRules[Name]>): Change =>
  (tables) => ({ ...tables, [name]: { ...(tables[name] as object), ...(cells as object) } })

/** Changes some cells of one row of a table. */
export const inRow =
  <Name extends keyof CloudRules, Row extends keyof CloudRules[Name]>(
    name: Name,
    row: Row,
    cells: Partial<CloudRules[Name][Row]>,
  ): Change =>
  (tables) =>
    inTable(name, { [row]: { ...(tables[name][row] as object), ...(cells as object) } } as Partial<CloudRules[Name]>)(
      tables,
    )

export const kebab = (name: string): string => name.replaceAll('_', '-')
