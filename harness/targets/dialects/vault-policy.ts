/** Writes ACL policies of this family in HCL: those that checks create, and the least policy that a token needs for
 * a plan. */
import { type AclRule, type Exchange, isObject, type Json, type Method } from '../../vocabulary/index.ts'

const order = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo', 'deny']

export function aclText(rules: readonly AclRule[], language: 'hcl' | 'json' = 'hcl'): string {
  const sorted = rules.map(({ path, capabilities }) => ({
    path,
    capabilities: [...capabilities].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
  }))
  if (language === 'json')
    return JSON.stringify({ path: Object.fromEntries(sorted.map(({ path, ...rule }) => [path, rule])) })
  return sorted
    .map(
      ({ path, capabilities }) =>
        `path ${JSON.stringify(path)} {\n  capabilities = [${capabilities.map((one) => JSON.stringify(one)).join(', ')}]\n}\n`,
    )
    .join('\n')
}

/** No document says which capability a write needs: a server may ask for `create` where it makes something, also below `sys/`. */
export const capabilitiesOf: Readonly<Record<Method, readonly string[]>> = {
  GET: ['read'],
  LIST: ['list'],
  POST: ['create', 'update'],
  PUT: ['create', 'update'],
  PATCH: ['patch'],
  DELETE: ['delete'],
}

type Asked = Pick<Exchange, 'method' | 'path'> & Partial<Pick<Exchange, 'body'>>

/** The requests for which the family requires `sudo` besides the usual capability, and why. Paths have templates, as
 * in checks. */
const sudoRules: readonly { readonly path: RegExp; readonly why: string; readonly when?: (asked: Asked) => boolean }[] =
  [
    {
      path: /^auth\/token\/create$/,
      why: 'to create tokens with policies that it does not have itself, or without a parent',
      when: ({ body }) => isObject(body) && (isFilled(body.policies) || body.no_parent === true),
    },
    { path: /^auth\/token\/accessors\/?$/, why: 'the server requires it to list tokens' },
    { path: /^sys\/auth\//, why: 'the server requires it to enable and disable login methods' },
    { path: /^sys\/plugins\/catalog\//, why: 'the server requires it everywhere below the plugin catalog' },
    { path: /^sys\/leases\/revoke-(prefix|force)\//, why: 'the server requires it to revoke all leases below a mount' },
    { path: /^sys\/(audit|raw|leases\/lookup)\//, why: 'the server requires it for this path' },
    { path: /^sys\/(rotate|seal|step-down|remount|config\/.*)$/, why: 'the server requires it for this path' },
    {
      path: /^sys\/replication\/(dr|performance)\/primary\/secondary-token$/,
      why: 'the documents require it to issue activation tokens',
    },
    {
      path: /^\{[\w-]+\}\/root$/,
      why: 'the documents require it to delete the root of a certificate authority',
      when: ({ method }) => method === 'DELETE',
    },
  ]

const isFilled = (value: Json | undefined): boolean => Array.isArray(value) && value.length > 0

/** Returns why an exchange needs `sudo`, or undefined if it does not. */
export const sudoFor = (asked: Asked): string | undefined =>
  sudoRulesAt(asked.path).find(({ when }) => when?.(asked) ?? true)?.why

type SudoRule = (typeof sudoRules)[number]

/** Caches the rules by path, because checks share most of their paths. */
const rulesByPath = new Map<string, readonly SudoRule[]>()

function sudoRulesAt(asked: string): readonly SudoRule[] {
  const rules = rulesByPath.get(asked) ?? sudoRules.filter(({ path }) => path.test(asked))
  rulesByPath.set(asked, rules)
  return rules
}

/** By the path of a list: paths that create listed objects but are not directly below the list. */
const createdElsewhere: Readonly<Record<string, RegExp>> = {
  'sys/policies/acl': /^sys\/policy\//,
  'identity/entity/name': /^identity\/entity$/,
  'auth/token/accessors': /^auth\/token\/create$/,
}

/** Tells whether an object that is created by a write to `path` appears in the list. */
export const isListedAt = (list: string, path: string): boolean =>
  path === list || path.startsWith(`${list}/`) || (createdElsewhere[list]?.test(path) ?? false)

/** Returns the path of an exchange as a rule of a policy. A throw-away name becomes a glob of the common prefix, and
 * the rest of the path is dropped, because a glob is allowed only at the end. Any other template is an id that the
 * server generates; it becomes `+`, which matches one whole segment. */
export function ruleOf(path: string, isThrowAway: (name: string) => boolean, prefix: string): string {
  const parts = path.split(/\{([\w-]+)\}/)
  let rule = parts[0] ?? ''
  for (let index = 1; index < parts.length; index += 2) {
    if (isThrowAway(parts[index] ?? '')) return `${rule}${prefix}*`
    rule += `+${parts[index + 1] ?? ''}`
  }
  return rule
}

/** Returns the least rules for these exchanges, one per path. */
export function leastRules(
  exchanges: readonly (Pick<Exchange, 'method' | 'path'> & { readonly sudo?: string })[],
): readonly AclRule[] {
  const rules = new Map<string, Set<string>>()
  for (const { method, path, sudo } of exchanges) {
    const needed = rules.get(path) ?? new Set<string>()
    for (const one of capabilitiesOf[method]) needed.add(one)
    if (sudo !== undefined) needed.add('sudo')
    rules.set(path, needed)
  }
  return [...rules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, needed]) => ({ path, capabilities: [...needed] }))
}
