/** Makes faults of the PKI engine. */
import type { Context } from '../../engines/pki/context.ts'
import type { PkiRules } from '../../engines/pki/rules/index.ts'
import type { NamingOperation, NamingRow } from '../../engines/pki/rules/naming.ts'
import type { CaEvent, CaStep } from '../../engines/pki/rules/states.ts'
import type { CaState } from '../../engines/pki/store.ts'
import type { Fault, Form, Scene } from '../fault.ts'
import { operationsOf } from '../operations.ts'

const operations = operationsOf<Context>('pki', 'pki')
export const { after, around, fault, naming, on, refusing, refusingAfterwards } = operations
export const { remembering, rule, sending, showing, whenRefused } = operations
export type PkiMutant = Fault<Context>
export type Here = Scene<Context>
export type Forms = Form<Context> | readonly Form<Context>[]
export type Change = (rules: PkiRules) => PkiRules

/** Makes a fault of changes of the rules, and of other forms. */
export const mutant = (id: string, does: string, ...changes: readonly (Change | Forms)[]): PkiMutant =>
  fault(id, does, ...changes.map((change) => (typeof change === 'function' ? rule(change) : change)))

/** Makes a change with state, which is new each time the mutant is loaded. */
export const fresh =
  (make: () => Change): Change =>
  (rules) =>
    make()(rules)

export const part =
  <K extends keyof PkiRules>(key: K, cells: Partial<PkiRules[K]>): Change =>
  (rules) => ({ ...rules, [key]: { ...(rules[key] as object), ...cells } })

/** Changes cells of a table within a table. */
export const cell =
  <K extends keyof PkiRules, L extends keyof PkiRules[K]>(key: K, row: L, cells: Partial<PkiRules[K][L]>): Change =>
  (rules) => {
    const table = rules[key] as Readonly<Record<PropertyKey, object>>
    return { ...rules, [key]: { ...table, [row]: { ...table[row], ...cells } } }
  }

interface FieldChange {
  readonly fallback?: unknown
  readonly required?: boolean
  readonly oneOf?: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: the type of the value depends on the field, which the mutant knows
  readonly invalid?: (value: any) => string | undefined
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
  (names: keyof PkiRules['roleFields'] | readonly (keyof PkiRules['roleFields'])[], change: FieldChange): Change =>
  (rules) => ({
    ...rules,
    roleFields: withFields(rules.roleFields, [names].flat(), change) as PkiRules['roleFields'],
  })

type RequestOperation = keyof PkiRules['requestFields']

export const requestField =
  (
    operations: RequestOperation | readonly RequestOperation[],
    names: string | readonly string[],
    change: FieldChange,
  ): Change =>
  (rules) => ({
    ...rules,
    requestFields: {
      ...rules.requestFields,
      ...Object.fromEntries(
        [operations]
          .flat()
          .map((operation) => [operation, withFields(rules.requestFields[operation], [names].flat(), change)]),
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
  (rules) => ({
    ...rules,
    naming: {
      ...rules.naming,
      ...Object.fromEntries(
        operations.map((operation) => [operation, { ...rules.naming[operation], ...change(rules.naming[operation]) }]),
      ),
    },
  })

export const caStep =
  (state: CaState, event: CaEvent, change: Partial<CaStep>): Change =>
  (rules) => {
    const { ca } = rules.states
    const step = ca[state][event]
    if (!step) throw new Error(`no step for ${event} in ${state}`)
    const steps = { ...ca, [state]: { ...ca[state], [event]: { ...step, ...change } } }
    return { ...rules, states: { ...rules.states, ca: steps } }
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
