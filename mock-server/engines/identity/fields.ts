/** Fields and replies that entities and groups have in common. */
import type { Call, Reply } from '../../kernel/contracts.ts'
import { listField, pairsField, textField } from '../../kernel/http/body-fields.ts'
import { badRequest } from '../../kernel/http/refusal.ts'

export interface SharedFields {
  readonly name?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly policies?: readonly string[]
}

export function sharedFields({ body }: Call): SharedFields {
  const name = textField(body, 'name')
  const metadata = pairsField(body, 'metadata')
  const policies = listField(body, 'policies')?.map((policy) => policy.toLowerCase())
  return { ...(name ? { name } : {}), ...(metadata ? { metadata } : {}), ...(policies ? { policies } : {}) }
}

export const listNames = (names: readonly string[]): Reply => ({ kind: 'data', data: { keys: [...names].sort() } })

/** Lists ids, with details of each in `key_info`. */
export const listIds = (info: Readonly<Record<string, object>>): Reply => ({
  kind: 'data',
  data: { keys: Object.keys(info).sort(), ...(Object.keys(info).length > 0 ? { key_info: info } : {}) },
})

/** The fields by which a lookup finds an entity or a group. A request must have at least one of them. */
export interface Query {
  readonly id: string
  readonly name: string
  readonly aliasId: string
  readonly aliasName: string
  readonly aliasMountAccessor: string
}

export function queryIn({ body }: Call): Query {
  const read = (name: string): string => textField(body, name) ?? ''
  const query = {
    id: read('id'),
    name: read('name'),
    aliasId: read('alias_id'),
    aliasName: read('alias_name'),
    aliasMountAccessor: read('alias_mount_accessor'),
  }
  if (!Object.values(query).some(Boolean)) throw badRequest('query parameter not supplied')
  return query
}
