/** Where document 3 says what is registered of the cloud engine. */
import type { Applies, Level, Requirement, Source } from '../../harness/vocabulary/index.ts'

const at = (section: string, row: string, reading?: number): Source => ({
  document: 3,
  section,
  row,
  ...(reading === undefined ? {} : { reading }),
})

export const rootField = (name: string, reading?: number): Source => at('Cloud root configuration', name, reading)
export const leaseField: Source = at('Lease configuration', '`lease`, `lease_max`')
export const roleField = (name: string, reading?: number): Source => at('Role', name, reading)
export const staticField = (row: string, reading?: number): Source => at('Static role', row, reading)
export const transition = (row: string, reading?: number): Source => at('States and transitions', row, reading)
export const endpoint = (row: string, reading?: number): Source => at('Cloud credentials engine', row, reading)
export const rule = (n: number, reading?: number): Source => at('Generate-credentials rules', `rule ${n}`, reading)
export const error = (row: string, reading?: number): Source => at('Errors', row, reading)
export const limit = (row: string, reading?: number): Source => at('Limits', row, reading)
export const versioning = (row: string, reading?: number): Source => at('Versioning', row, reading)

export const newer: Applies = { form: { cloud: 'newer' } }
export const older: Applies = { form: { cloud: 'older' } }
export const enterprise: Applies = { editions: ['enterprise', 'premium'], ...newer }

export type Rows = Readonly<Record<string, Omit<Requirement, 'id' | 'area'>>>
type Row = readonly [says: string, source: Source, applies?: Applies]

/** A table of rows of one level. */
export const rowsOf = (level: Level, rows: Readonly<Record<string, Row>>): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([id, [says, source, applies]]) => [
      id,
      { level, says, source, ...(applies ? { applies } : {}) },
    ]),
  )
export const must = (rows: Readonly<Record<string, Row>>): Rows => rowsOf('must', rows)
export const should = (rows: Readonly<Record<string, Row>>): Rows => rowsOf('should', rows)
