/** Reads the fields of a role from a request body, and shows them in replies. */
import { blocksField } from '../../kernel/auth/addresses.ts'
import {
  countField,
  fieldsIn,
  noSettings,
  settingsFrom,
  settingsView,
  type TokenField,
  tokenFieldsWith,
} from '../../kernel/auth/token-fields.ts'
import { flagField } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Role } from './store.ts'

type Body = Readonly<Record<string, unknown>>

/** One field of a role: its key in the store, and its names in the API. Reads of a role show the first name. */
interface Field extends Omit<TokenField, 'of'> {
  readonly of: Exclude<keyof Role, 'roleId'>
}

const ownFields: readonly Field[] = [
  { of: 'bindSecretId', names: ['bind_secret_id'], read: flagField },
  { of: 'secretIdUses', names: ['secret_id_num_uses'], read: countField },
  { of: 'secretIdTtl', names: ['secret_id_ttl'], read: durationField },
  { of: 'secretIdBlocks', names: ['secret_id_bound_cidrs', 'bound_cidr_list'], read: blocksField },
]

const tokenFields = tokenFieldsWith('policies', 'period')
const hasNone: ReadonlySet<string> = new Set(['explicitMaxTtl', 'withoutDefaultPolicy'])
/** The fields that have an endpoint of their own below the role, which has the oldest name of the field. */
export const single: readonly Field[] = [...ownFields, ...tokenFields.filter(({ of }) => !hasNone.has(of))]

export const defaults: Omit<Role, 'roleId'> = {
  ...noSettings,
  ...{ bindSecretId: true, secretIdUses: 0, secretIdTtl: 0, secretIdBlocks: [] },
}

export function roleFrom(body: Body, known: Role): Role {
  const role = { ...defaults, ...settingsFrom(body, known, tokenFields), ...fieldsIn(body, ownFields) }
  if (!role.bindSecretId && role.secretIdBlocks.length === 0 && role.blocks.length === 0)
    throw badRequest('at least one constraint should be enabled on the role')
  return role
}

export const roleView = (role: Role): object => ({
  ...Object.fromEntries(ownFields.map(({ of, names }) => [names[0], role[of]])),
  ...settingsView({ ...defaults, ...role }),
  ...(role.policies.length > 0 ? { policies: role.policies } : {}),
  ...(role.period > 0 ? { period: role.period } : {}),
  secret_id_bound_cidrs: (role.secretIdBlocks ?? []).length > 0 ? role.secretIdBlocks : null,
  local_secret_ids: false,
})
