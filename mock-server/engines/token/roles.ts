/** The endpoints of token roles. */
import { blocksField } from '../../kernel/auth/addresses.ts'
import { countField, fieldsIn, policiesField, refuseOtherTokenTypes } from '../../kernel/auth/token-fields.ts'
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import { flagField, listField, textField } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { TokenRole } from './role-policies.ts'

type Body = Readonly<Record<string, unknown>>

/** One field of a role: its key in the store, and its names in the API, the current name first. */
interface Field {
  readonly of: Exclude<keyof TokenRole, 'name'>
  readonly names: readonly string[]
  readonly read: (body: Body, name: string) => unknown
}

const aliasesField = (body: Body, name: string): readonly string[] | undefined =>
  listField(body, name)?.map((alias) => alias.toLowerCase())

function suffixField(body: Body, name: string): string | undefined {
  const suffix = textField(body, name)
  if (suffix && !/^\w[\w.-]*\w$/.test(suffix))
    throw badRequest('given role path suffix contains invalid characters; must match \\w[\\w-.]+\\w')
  return suffix
}

const fields: readonly Field[] = [
  { of: 'allowed', names: ['allowed_policies'], read: policiesField },
  { of: 'allowedGlobs', names: ['allowed_policies_glob'], read: policiesField },
  { of: 'disallowed', names: ['disallowed_policies'], read: policiesField },
  { of: 'disallowedGlobs', names: ['disallowed_policies_glob'], read: policiesField },
  { of: 'orphan', names: ['orphan'], read: flagField },
  { of: 'renewable', names: ['renewable'], read: flagField },
  { of: 'pathSuffix', names: ['path_suffix'], read: suffixField },
  { of: 'period', names: ['token_period', 'period'], read: durationField },
  { of: 'explicitMaxTtl', names: ['token_explicit_max_ttl', 'explicit_max_ttl'], read: durationField },
  { of: 'uses', names: ['token_num_uses'], read: countField },
  { of: 'withoutDefaultPolicy', names: ['token_no_default_policy'], read: flagField },
  { of: 'blocks', names: ['token_bound_cidrs', 'bound_cidrs'], read: blocksField },
  { of: 'aliases', names: ['allowed_entity_aliases'], read: aliasesField },
]

const defaults: Omit<TokenRole, 'name'> = {
  ...{ allowed: [], allowedGlobs: [], disallowed: [], disallowedGlobs: [], blocks: [], aliases: [] },
  ...{ orphan: false, renewable: true, pathSuffix: '', period: 0, explicitMaxTtl: 0, uses: 0 },
  withoutDefaultPolicy: false,
}

const view = (role: TokenRole): object => ({
  ...Object.fromEntries(fields.map(({ of, names }) => [names[0], role[of]])),
  allowed_entity_aliases: role.aliases.length > 0 ? role.aliases : null,
  explicit_max_ttl: role.explicitMaxTtl,
  name: role.name,
  period: role.period,
  token_type: 'default-service',
})

export function roleRoutes(roles: Map<string, TokenRole>): readonly Route[] {
  const nameIn = (call: Call): string => call.params.name ?? ''

  function read(call: Call): Reply {
    const role = roles.get(nameIn(call))
    if (!role) throw new Refusal('not-found')
    return { kind: 'data', data: view(role) }
  }
  function write(call: Call): Reply {
    refuseOtherTokenTypes(call.body, 'token_type')
    const name = nameIn(call)
    const known = roles.get(name) ?? { ...defaults, name }
    roles.set(name, { ...known, ...fieldsIn(call.body, fields) })
    return done
  }
  function remove(call: Call): Reply {
    roles.delete(nameIn(call))
    return done
  }

  return [
    {
      ...{ verb: 'LIST', path: 'roles', access: 'token' },
      handle: () => ({ kind: 'data', data: { keys: [...roles.keys()].sort() } }),
    },
    { verb: 'GET', path: 'roles/:name', access: 'token', handle: read },
    {
      ...{ verb: 'POST', path: 'roles/:name', access: 'token', handle: write },
      exists: (call) => roles.has(nameIn(call)),
    },
    { verb: 'DELETE', path: 'roles/:name', access: 'token', handle: remove },
  ]
}
