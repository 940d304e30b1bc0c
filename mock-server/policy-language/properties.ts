/** The names to which a document can refer without defining them. */

/** The fields of a name. `open`: any field may exist, because callers choose them. `value`: it has no fields. */
export type Shape = 'value' | 'open' | { readonly [field: string]: Shape }

const entity: Shape = {
  aliases: 'value',
  creation_time: 'value',
  id: 'value',
  last_update_time: 'value',
  merged_entity_ids: 'value',
  metadata: 'open',
  name: 'value',
  policies: 'value',
}

export const properties = {
  namespace: { id: 'value', path: 'value' },
  request: {
    data: 'open',
    operation: 'value',
    path: 'value',
    policy_override: 'value',
    unauthenticated: 'value',
    wrapping: { ttl: 'value', ttl_seconds: 'value' },
  },
  replication: { dr: { mode: 'value' }, performance: { mode: 'value' } },
  token: {
    creation_time: 'value',
    creation_time_unix: 'value',
    creation_ttl: 'value',
    creation_ttl_seconds: 'value',
    display_name: 'value',
    entity_id: 'value',
    explicit_max_ttl: 'value',
    explicit_max_ttl_seconds: 'value',
    meta: 'open',
    metadata: 'open',
    num_uses: 'value',
    path: 'value',
    period: 'value',
    period_seconds: 'value',
    policies: 'value',
    role: 'value',
    type: 'value',
  },
  identity: { entity, groups: { by_id: 'open', by_name: 'open' } },
} as const satisfies Readonly<Record<string, Shape>>

/** The values of the properties. A part that a request does not have is left out, and is undefined in the language. */
export type Properties = { readonly [Name in keyof typeof properties]: object }

/** Returns the first path that does not have the next field, with its known fields, or undefined if all fields may
 * exist. */
export function unknownField(
  root: string,
  shape: Shape,
  keys: readonly string[],
): { readonly path: string; readonly key: string; readonly known: readonly string[] } | undefined {
  let path = root
  let present = shape
  for (const key of keys) {
    if (typeof present === 'string') return undefined
    const next: Shape | undefined = Object.hasOwn(present, key) ? present[key] : undefined
    if (next === undefined) return { path, key, known: Object.keys(present) }
    path += `.${key}`
    present = next
  }
  return undefined
}
