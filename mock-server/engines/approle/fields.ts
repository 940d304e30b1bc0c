/** The fields of a role: how they are read from a body, and shown. */
import { flagField, listField, numberField, textField } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Role } from './store.ts'

type Body = Readonly<Record<string, unknown>>

const policies = (body: Body, name: string): readonly string[] | undefined =>
  listField(body, name)?.map((policy) => policy.toLowerCase())

function count(body: Body, name: string): number | undefined {
  const value = numberField(body, name)
  if (value !== undefined && value < 0) throw badRequest(`${name} must not be negative`)
  return value
}

/** A role has this field of the store, under these names of the API, of which the first is shown. */
interface Field {
  readonly of: Exclude<keyof Role, 'roleId'>
  readonly names: readonly string[]
  readonly read: (body: Body, name: string) => unknown
  /** True if the field has an endpoint of its own below the role, named with hyphens. */
  readonly alone?: boolean
}

export const fields: readonly Field[] = [
  { of: 'bindSecretId', names: ['bind_secret_id'], read: flagField, alone: true },
  { of: 'secretIdUses', names: ['secret_id_num_uses'], read: count, alone: true },
  { of: 'secretIdTtl', names: ['secret_id_ttl'], read: durationField, alone: true },
  { of: 'policies', names: ['token_policies', 'policies'], read: policies, alone: true },
  { of: 'ttl', names: ['token_ttl'], read: durationField, alone: true },
  { of: 'maxTtl', names: ['token_max_ttl'], read: durationField, alone: true },
  { of: 'period', names: ['token_period', 'period'], read: durationField, alone: true },
  { of: 'tokenUses', names: ['token_num_uses'], read: count, alone: true },
  { of: 'withoutDefaultPolicy', names: ['token_no_default_policy'], read: flagField },
]

export const defaults: Omit<Role, 'roleId'> = {
  bindSecretId: true,
  secretIdUses: 0,
  secretIdTtl: 0,
  policies: [],
  ttl: 0,
  maxTtl: 0,
  period: 0,
  tokenUses: 0,
  withoutDefaultPolicy: false,
}

/** The server does not see who calls from where, and makes service tokens only, so it does not accept these. */
export function refuseUnserved(body: Body): void {
  for (const name of ['secret_id_bound_cidrs', 'token_bound_cidrs', 'cidr_list', 'bound_cidr_list'])
    if ((listField(body, name) ?? []).length > 0)
      throw badRequest(`${name}: this reference server does not bind credentials to addresses`)
  const type = textField(body, 'token_type') || 'default'
  if (!['default', 'service', 'default-service'].includes(type))
    throw badRequest(`token_type ${type}: this reference server has service tokens only`)
}

export function roleFrom(body: Body, known: Role): Role {
  refuseUnserved(body)
  const given = fields.flatMap(({ of, names, read }) => {
    const value = names.map((name) => read(body, name)).find((one) => one !== undefined)
    return value === undefined ? [] : [[of, value] as const]
  })
  const role: Role = { ...known, ...Object.fromEntries(given) }
  if (role.maxTtl > 0 && role.ttl > role.maxTtl) throw badRequest('token_ttl should not be greater than token_max_ttl')
  return role
}

export const roleView = (role: Role): object => ({
  ...Object.fromEntries(fields.map(({ of, names }) => [names[0], role[of]])),
  ...(role.policies.length > 0 ? { policies: role.policies } : {}),
  ...(role.period > 0 ? { period: role.period } : {}),
  local_secret_ids: false,
  secret_id_bound_cidrs: null,
  token_bound_cidrs: [],
  token_explicit_max_ttl: 0,
  token_type: 'default',
})
