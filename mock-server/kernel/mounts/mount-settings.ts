/** Refuses mount settings that this server does not support, instead of ignoring them silently. */
import type { ServerFacts } from '../contracts.ts'
import { badRequest } from '../http/refusal.ts'

type Fields = Readonly<Record<string, unknown>>

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** These settings change the behavior of other servers of the family, but have no effect here. */
const unserved = [
  'allowed_managed_keys',
  'allowed_response_headers',
  'audit_non_hmac_request_keys',
  'audit_non_hmac_response_keys',
  'delegated_auth_accessors',
  'external_entropy_access',
  'identity_token_key',
  'passthrough_request_headers',
  'trim_request_trailing_slashes',
  'user_lockout_config',
] as const

/** The token types that mean service tokens, the only type that this server has. */
const tokenTypes: readonly unknown[] = ['', 'default', 'service', 'default-service']

export function assertServed(fields: Fields): void {
  const refused = unserved.find((name) => !isEmpty(fields[name]))
  if (refused) throw badRequest(`${refused}: this reference server does not support this mount setting`)
  const { token_type: type } = fields
  if (!isEmpty(type) && !tokenTypes.includes(type))
    throw badRequest(`token_type ${type}: this reference server supports service tokens only`)
  const { listing_visibility: listing } = fields
  if (!isEmpty(listing) && listing !== 'unauth' && listing !== 'hidden')
    throw badRequest(`listing_visibility ${listing}: expected unauth, hidden or an empty string`)
}

const settings: readonly string[] = [
  ...['default_lease_ttl', 'max_lease_ttl', 'force_no_cache', 'listing_visibility', 'token_type'],
  ...['plugin_name', 'plugin_version', ...unserved],
]
const known = {
  mount: ['type', 'description', 'config', 'options', 'local', 'seal_wrap', ...settings],
  config: settings,
  tune: ['description', 'options', ...settings],
} as const

/** Returns a warning if there are unknown fields, as servers of this family do. */
export function ignoredIn(fields: Fields, part: keyof typeof known): readonly string[] {
  const ignored = Object.keys(fields).filter((name) => !known[part].includes(name))
  return ignored.length === 0 ? [] : [`Endpoint ignored these unrecognized parameters: [${ignored.sort().join(' ')}]`]
}

/** Refuses unknown options. Of the built-in engines, only `kv` has an option: its version. */
export function assertOptions(type: string, options: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(options)) {
    const isVersion = name === 'version' && (type === 'kv' ? ['', '1', '2'] : ['', '1']).includes(value)
    if (isVersion || value === '') continue
    const has = type === 'kv' ? 'its only option is version, which is 1 or 2' : 'it has no options'
    throw badRequest(`options.${name} ${value}: the engine ${type} of this reference server does not accept it; ${has}`)
  }
}

/** Refuses a version for a built-in engine unless it is that of the server, with the mark of a built-in plugin. */
export function assertBuiltIn(version: string | undefined, type: string, facts: ServerFacts): void {
  if (!version || version.startsWith(`v${facts.version}+builtin`)) return
  throw badRequest(`plugin_version ${version}: no plugin ${type} of this version is registered`)
}
