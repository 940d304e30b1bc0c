/** Makes faults of the PKI engine from changed rules and fields. */

import { isDeepStrictEqual } from 'node:util'
import { type FieldRow, type FieldTable, readFields } from '../../engines/pki/fields.ts'
import type { PkiRules } from '../../engines/pki/rules/index.ts'
import type { CaEvent, CaStep } from '../../engines/pki/rules/states.ts'
import type { CaState, Role } from '../../engines/pki/store.ts'
import { Refusal } from '../../kernel/http/refusal.ts'
import { asRole, type Forms, rule, sending, usingRoles } from './pki-operations.ts'

export const part = <K extends keyof PkiRules>(key: K, cells: Partial<PkiRules[K]>) =>
  rule((rules) => ({ [key]: { ...(rules[key] as object), ...cells } }))

/** Changes cells of a table within a table. */
export const cell = <K extends keyof PkiRules, L extends keyof PkiRules[K]>(
  key: K,
  row: L,
  cells: Partial<PkiRules[K][L]>,
) =>
  rule((rules) => {
    const table = rules[key] as Readonly<Record<PropertyKey, object>>
    return { [key]: { ...table, [row]: { ...table[row], ...cells } } }
  })

interface FieldChange {
  readonly fallback?: unknown
  readonly required?: boolean
  readonly oneOf?: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: the type of the value depends on the field, which the fault knows
  readonly invalid?: (value: any) => string | undefined
  readonly read?: (given: unknown) => unknown
  /** Converts the value that the engine acts on. Reads show it as it was written. */
  // biome-ignore lint/suspicious/noExplicitAny: the type of the value depends on the field, which the fault knows
  readonly used?: (value: any) => unknown
}

type Rows = Readonly<Record<string, object>>
const withFields = (table: Rows, names: readonly string[], change: object): Rows => ({
  ...table,
  ...Object.fromEntries(names.map((name) => [name, { ...table[name], ...change }])),
})
const isChanged = (change: object): boolean => Object.keys(change).length > 0

/** Returns the values that a change makes other ones, by name. */
const converted = (values: object, names: readonly string[], used: NonNullable<FieldChange['used']>): object =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = (values as Readonly<Record<string, unknown>>)[name]
      return value === undefined || isDeepStrictEqual(used(value), value) ? [] : [[name, used(value)]]
    }),
  )

export function roleField(
  named: keyof PkiRules['roleFields'] | readonly (keyof PkiRules['roleFields'])[],
  { used, ...change }: FieldChange,
): Forms {
  const names = [named].flat()
  const changedRole = (role: Role): Role => {
    const changes = used ? converted(role, names, used) : {}
    return isChanged(changes) ? { ...role, ...changes } : role
  }
  return [
    ...(isChanged(change)
      ? [rule(({ roleFields }) => ({ roleFields: withFields(roleFields, names, change) as typeof roleFields }))]
      : []),
    ...(used ? asRole(usingRoles, changedRole) : []),
  ]
}

type RequestOperation = keyof PkiRules['requestFields']

const routes: Readonly<Record<RequestOperation, readonly string[]>> = {
  issue: ['POST issue/:name'],
  sign: ['POST sign/:name'],
  signVerbatim: ['POST sign-verbatim', 'POST sign-verbatim/:name'],
  root: ['POST root/generate/:type'],
  intermediate: ['POST intermediate/generate/:type'],
  signIntermediate: ['POST root/sign-intermediate'],
  signSelfIssued: ['POST root/sign-self-issued'],
  setSigned: ['POST intermediate/set-signed'],
  configCa: ['POST config/ca'],
  configCrl: ['POST config/crl'],
  configUrls: ['POST config/urls'],
  revoke: ['POST revoke'],
  tidy: ['POST tidy'],
}
export const routesOf = (operations: readonly RequestOperation[]): readonly string[] =>
  operations.flatMap((operation) => routes[operation])

/** Returns the values of the fields that are valid. */
function readable(table: FieldTable, body: Readonly<Record<string, unknown>>): object {
  const valid = ([name, row]: readonly [string, FieldRow]): object => {
    try {
      return readFields({ [name]: row }, body)
    } catch (error) {
      if (error instanceof Refusal) return {}
      throw error
    }
  }
  return Object.assign({}, ...Object.entries(table).map(valid)) as object
}

/** A list that was sent as a string stays one, because some fields refuse an array. */
const sentAs = (given: unknown, value: unknown): unknown =>
  typeof given === 'string' && Array.isArray(value) ? value.join(',') : value

export function requestField(
  operation: RequestOperation | readonly RequestOperation[],
  named: string | readonly string[],
  { used, ...change }: FieldChange,
): Forms {
  const [operations, names] = [[operation].flat(), [named].flat()]
  const changedTables = ({ requestFields }: PkiRules) =>
    Object.fromEntries(operations.map((one) => [one, withFields(requestFields[one], names, change)]))
  return [
    ...(isChanged(change)
      ? [
          rule(({ requestFields, ...rules }) => ({
            requestFields: { ...requestFields, ...changedTables({ requestFields, ...rules }) },
          })),
        ]
      : []),
    ...(used
      ? operations.flatMap((one) =>
          sending(routes[one], (body, _call, { context: { rules } }) => {
            const rows = Object.entries(rules.requestFields[one]).filter(([name]) => names.includes(name))
            const changes = converted(readable(Object.fromEntries(rows), body), names, used)
            return Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, sentAs(body[name], value)]))
          }),
        )
      : []),
  ]
}

/** The endpoints that accept names. Document 2 gives the same fields to all four. */
export const namingOperations = ['issue', 'root', 'intermediate', 'signIntermediate'] as const

export const caStep = (state: CaState, event: CaEvent, change: Partial<CaStep>) =>
  rule(({ states }) => {
    const step = states.ca[state][event]
    if (!step) throw new Error(`no step for ${event} in ${state}`)
    return {
      states: { ...states, ca: { ...states.ca, [state]: { ...states.ca[state], [event]: { ...step, ...change } } } },
    }
  })

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
