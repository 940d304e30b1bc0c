/** The fields of users and roles that determine the tokens of their logins. */
import { flagField, listField, numberField, textField } from '../http/body-fields.ts'
import { durationField } from '../http/duration.ts'
import { badRequest } from '../http/refusal.ts'
import { blocksField } from './addresses.ts'

type Body = Readonly<Record<string, unknown>>

export interface TokenSettings {
  readonly policies: readonly string[]
  /** In seconds, like all lifetimes here; 0 means the default of the mount. */
  readonly ttl: number
  readonly maxTtl: number
  /** The maximum lifetime, which renewals cannot exceed either; 0 means that there is no such bound. */
  readonly explicitMaxTtl: number
  readonly period: number
  readonly uses: number
  readonly withoutDefaultPolicy: boolean
  readonly blocks: readonly string[]
}

export const noSettings: TokenSettings = {
  ...{ policies: [], ttl: 0, maxTtl: 0, explicitMaxTtl: 0, period: 0, uses: 0 },
  ...{ withoutDefaultPolicy: false, blocks: [] },
}

export const policiesField = (body: Body, name: string): readonly string[] | undefined =>
  listField(body, name)?.map((policy) => policy.toLowerCase())

/** Reads a number that must not be negative. */
export function countField(body: Body, name: string): number | undefined {
  const value = numberField(body, name)
  if (value !== undefined && value < 0) throw badRequest(`${name} must not be negative`)
  return value
}

/** A field of the settings, with its names in the API: the first name is the current one, the others are older. */
export interface TokenField {
  readonly of: keyof TokenSettings
  readonly names: readonly string[]
  readonly read: (body: Body, name: string) => unknown
}

const allFields: readonly TokenField[] = [
  { of: 'policies', names: ['token_policies', 'policies'], read: policiesField },
  { of: 'ttl', names: ['token_ttl', 'ttl'], read: durationField },
  { of: 'maxTtl', names: ['token_max_ttl', 'max_ttl'], read: durationField },
  { of: 'explicitMaxTtl', names: ['token_explicit_max_ttl'], read: durationField },
  { of: 'period', names: ['token_period', 'period'], read: durationField },
  { of: 'uses', names: ['token_num_uses'], read: countField },
  { of: 'withoutDefaultPolicy', names: ['token_no_default_policy'], read: flagField },
  { of: 'blocks', names: ['token_bound_cidrs', 'bound_cidrs'], read: blocksField },
]

/** Returns all fields with their current names, and with the given older names, which only some engines accept. */
export const tokenFieldsWith = (...older: readonly string[]): readonly TokenField[] =>
  allFields.map((field) => ({
    ...field,
    names: field.names.filter((name) => name.startsWith('token_') || older.includes(name)),
  }))

export function fieldsIn<Field extends Omit<TokenField, 'of'> & { readonly of: string }>(
  body: Body,
  fields: readonly Field[],
): Readonly<Record<string, unknown>> {
  const given = fields.flatMap(({ of, names, read }) => {
    const value = names.map((name) => read(body, name)).find((found) => found !== undefined)
    return value === undefined ? [] : [[of, value] as const]
  })
  return Object.fromEntries(given)
}

/** Refuses token types other than service tokens, the only type that this server has. */
export function refuseOtherTokenTypes(body: Body, name: string): void {
  const type = textField(body, name) || 'default'
  if (!['default', 'service', 'default-service'].includes(type))
    throw badRequest(`${name} ${type}: this reference server supports service tokens only`)
}

export function settingsFrom<Known extends TokenSettings>(
  body: Body,
  known: Known,
  fields: readonly TokenField[],
): Known {
  refuseOtherTokenTypes(body, 'token_type')
  const settings = { ...known, ...fieldsIn(body, fields) }
  if (settings.maxTtl > 0 && settings.ttl > settings.maxTtl)
    throw badRequest('token_ttl should not be greater than token_max_ttl')
  return settings
}

/** Returns the settings as a read shows them. */
export const settingsView = (settings: TokenSettings): object => ({
  ...Object.fromEntries(allFields.map(({ of, names }) => [names[0], settings[of]])),
  token_type: 'default',
})
