/** Makes mutants that change one cell of the tables. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { CaState } from '../store.ts'
import type { PkiTables } from '../tables/index.ts'
import type { NamingOperation, NamingRow } from '../tables/naming.ts'
import type { CaEvent, CaStep } from '../tables/states.ts'

export type PkiMutant = Mutant<PkiTables>
type Change = PkiMutant['change']

export const mutant = (id: string, does: string, ...changes: readonly Change[]): PkiMutant => ({
  id: `pki/${id}`,
  does,
  change: (tables) => changes.reduce((changed, change) => change(changed), tables),
})

/** Makes a change with state, which is new each time the mutant is loaded. */
export const fresh =
  (make: () => Change): Change =>
  (tables) =>
    make()(tables)

export const part =
  <K extends keyof PkiTables>(key: K, cells: Partial<PkiTables[K]>): Change =>
  (tables) => ({ ...tables, [key]: { ...(tables[key] as object), ...cells } })

/** Changes cells of a table within a table. */
export const cell =
  <K extends keyof PkiTables, L extends keyof PkiTables[K]>(key: K, row: L, cells: Partial<PkiTables[K][L]>): Change =>
  (tables) => {
    const table = tables[key] as Readonly<Record<PropertyKey, object>>
    return { ...tables, [key]: { ...table, [row]: { ...table[row], ...cells } } }
  }

interface FieldChange {
  readonly fallback?: unknown
  readonly required?: boolean
  readonly oneOf?: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: the type of the value depends on the field, which the mutant knows
  readonly fault?: (value: any) => string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the type of the value depends on the field, which the mutant knows
  readonly used?: (value: any) => unknown
  readonly read?: (given: unknown) => unknown
}

type Rows = Readonly<Record<string, object>>
const withFields = (table: Rows, names: readonly string[], change: FieldChange): Rows => ({
  ...table,
  ...Object.fromEntries(names.map((name) => [name, { ...table[name], ...change }])),
})

export const roleField =
  (names: keyof PkiTables['roleFields'] | readonly (keyof PkiTables['roleFields'])[], change: FieldChange): Change =>
  (tables) => ({
    ...tables,
    roleFields: withFields(tables.roleFields, [names].flat(), change) as PkiTables['roleFields'],
  })

type RequestOperation = keyof PkiTables['requestFields']

export const requestField =
  (
    operations: RequestOperation | readonly RequestOperation[],
    names: string | readonly string[],
    change: FieldChange,
  ): Change =>
  (tables) => ({
    ...tables,
    requestFields: {
      ...tables.requestFields,
      ...Object.fromEntries(
        [operations]
          .flat()
          .map((operation) => [operation, withFields(tables.requestFields[operation], [names].flat(), change)]),
      ),
    },
  })

/** The endpoints that accept names. Document 2 gives the same fields to all four. */
export const namingOperations = [
  'issue',
  'root',
  'intermediate',
  'signIntermediate',
] as const satisfies readonly NamingOperation[]

export const namingCell =
  (operations: readonly NamingOperation[], change: (row: NamingRow) => Partial<NamingRow>): Change =>
  (tables) => ({
    ...tables,
    naming: {
      ...tables.naming,
      ...Object.fromEntries(
        operations.map((operation) => [
          operation,
          { ...tables.naming[operation], ...change(tables.naming[operation]) },
        ]),
      ),
    },
  })

export const caStep =
  (state: CaState, event: CaEvent, change: Partial<CaStep>): Change =>
  (tables) => {
    const { ca } = tables.states
    const step = ca[state][event]
    if (!step) throw new Error(`no step for ${event} in ${state}`)
    const steps = { ...ca, [state]: { ...ca[state], [event]: { ...step, ...change } } }
    return { ...tables, states: { ...tables.states, ca: steps } }
  }

/** Reads a comma-separated string as one entry. */
export const commaListIsOne = (given: unknown): unknown => (typeof given === 'string' ? [given] : given)
export const commaListKeepsFirst = (given: unknown): unknown =>
  typeof given === 'string' ? (given.split(',')[0] ?? '') : given
export const arrayKeepsFirst = (given: unknown): unknown => (Array.isArray(given) ? given.slice(0, 1) : given)
export const arrayCutAtCommas = (given: unknown): unknown =>
  Array.isArray(given) ? given.flatMap((value) => (typeof value === 'string' ? value.split(',') : [value])) : given
export const keepsFirst = (values: readonly string[]): readonly string[] => values.slice(0, 1)
export const none = (): readonly string[] => []
/** Keeps the first entries of a list, as a server with a limit that no document states would. */
export const keepsTwo = (values: readonly string[]): readonly string[] => values.slice(0, 2)
export const keepsTen = (values: readonly string[]): readonly string[] => values.slice(0, 10)
