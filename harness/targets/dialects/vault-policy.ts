/** ACL policies of this family in HCL: those that checks write, and the least one that a token needs for a plan. */
import type { Exchange, Method } from '../../vocabulary/index.ts'

export interface AclRule {
  readonly path: string
  readonly capabilities: readonly string[]
}

const order = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo', 'deny']

export const aclText = (rules: readonly AclRule[]): string =>
  rules
    .map(({ path, capabilities }) => {
      const sorted = [...capabilities].sort((a, b) => order.indexOf(a) - order.indexOf(b))
      return `path ${JSON.stringify(path)} {\n  capabilities = [${sorted.map((one) => JSON.stringify(one)).join(', ')}]\n}\n`
    })
    .join('\n')

const capabilitiesOf: Readonly<Record<Method, readonly string[]>> = {
  GET: ['read'],
  LIST: ['list'],
  POST: ['create', 'update'],
  PUT: ['create', 'update'],
  PATCH: ['patch'],
  DELETE: ['delete'],
}

/** Below `sys/` and `auth/token/` a write needs `update` whether or not the thing exists. */
const isUpdateOnly = (path: string): boolean => /^(sys|auth\/token)\//.test(path)

/** Paths of which the family asks `sudo` besides the usual capability. */
const sudoPaths: readonly RegExp[] = [
  // Without sudo a token hands out no policies but its own.
  /^auth\/token\/(create|accessors\/?)$/,
  /^sys\/auth\//,
  /^sys\/(audit|raw|plugins\/catalog|leases\/(lookup|revoke-prefix|revoke-force))\//,
  /^sys\/(rotate|seal|step-down|remount|config\/.*)$/,
  /^sys\/replication\/(dr|performance)\/primary\/secondary-token$/,
  // Throw-away mounts: some of what engines offer, such as deleting a root, asks for it.
  /^assay-\*$/,
]

/** The path of an exchange as a rule of a policy. A throw-away name becomes the glob of the prefix that all such names
 * share; a glob can only end a path. Any other template is an id that the server made: one whole segment. */
export function ruleOf(path: string, isThrowAway: (name: string) => boolean, prefix: string): string {
  const parts = path.split(/\{([\w-]+)\}/)
  let rule = parts[0] ?? ''
  for (let index = 1; index < parts.length; index += 2) {
    if (isThrowAway(parts[index] ?? '')) return `${rule}${prefix}*`
    rule += `+${parts[index + 1] ?? ''}`
  }
  return rule
}

/** Least rules for these exchanges, each path once. */
export function leastRules(exchanges: readonly Pick<Exchange, 'method' | 'path'>[]): readonly AclRule[] {
  const rules = new Map<string, Set<string>>()
  for (const { method, path } of exchanges) {
    const needed = rules.get(path) ?? new Set<string>()
    for (const one of capabilitiesOf[method]) if (one !== 'create' || !isUpdateOnly(path)) needed.add(one)
    if (sudoPaths.some((pattern) => pattern.test(path))) needed.add('sudo')
    rules.set(path, needed)
  }
  return [...rules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, needed]) => ({ path, capabilities: [...needed] }))
}
