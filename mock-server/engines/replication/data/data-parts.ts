/** Converts the data of a primary to JSON, part by part. */

import { type Mount, prefixOf } from '../../../kernel/mounts/mount.ts'
import type { SavedMount } from '../../../kernel/mounts/mounts.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Membership } from '../membership.ts'
import type { KindRules } from '../rules/index.ts'

/** Maps the names of parts to JSON text. */
export type Parts = ReadonlyMap<string, string>

export type Holder = Pick<Services, 'keys' | 'mounts' | 'storage' | 'leases' | 'namespaces'>

const tokenParts: ReadonlySet<string> = new Set(['tokens', 'wrapping', 'leases', 'cubbyhole'])
/** These parts belong to one cluster in performance replication, which sends mounts and namespaces one by one. */
const ownParts: ReadonlySet<string> = new Set([...tokenParts, 'mounts', 'access', 'namespaces'])
export const mountPart = 'mount:'
export const namespacePart = 'namespace:'

/** Returns paths such as `secret/`, `auth/userpass/` and `team-a/secret/`. */
export const filterPathOf = (mount: Pick<Mount, 'kind' | 'path' | 'namespace'>): string =>
  `${mount.namespace ?? ''}${prefixOf(mount)}/`

export const callersMounts = ({ mounts }: Pick<Services, 'mounts'>): readonly Mount[] =>
  [...mounts.all('secret'), ...mounts.all('auth')].filter((mount) => !mount.builtIn)

const below = ({ namespaces }: Pick<Services, 'namespaces'>): readonly Services[] =>
  namespaces.all().flatMap(({ name }) => namespaces.servicesOf(name) ?? [])

export const everyMount = (services: Pick<Services, 'mounts' | 'namespaces'>): readonly Mount[] => [
  ...callersMounts(services),
  ...below(services).flatMap(everyMount),
]

export const everyNamespace = (services: Pick<Services, 'namespaces'>): readonly string[] =>
  below(services).flatMap((inner) => [inner.namespaces.here.path, ...everyNamespace(inner)])

/** Returns all data of a cluster, as a DR secondary stores them. */
export function wholeOf(holder: Holder, rules: KindRules, performance: Membership): Parts {
  const parts = new Map<string, string>()
  parts.set('keys', JSON.stringify(holder.keys.snapshot()))
  for (const [name, part] of Object.entries(holder.storage.parts)) {
    if (name === 'access' || (tokenParts.has(name) && !rules.sends.tokens)) continue
    parts.set(name, JSON.stringify(name === 'mounts' ? wholeMounts(holder, rules) : part.snapshot()))
  }
  parts.set('performance', JSON.stringify(performance))
  return parts
}

const wholeMounts = ({ mounts }: Holder, rules: KindRules): readonly SavedMount[] =>
  [...mounts.all('secret'), ...mounts.all('auth')]
    .filter((mount) => !mount.local || rules.sends.localMounts)
    .map(mounts.keep)

/** Decides which mounts and namespaces reach a secondary. */
export interface Reaches {
  mount(mount: Mount): boolean
  /** `path` is the path of a namespace, such as `team-a/`. */
  namespace(path: string): boolean
}

/** Returns the data that a performance set shares. */
export function sharedOf(holder: Holder, rules: KindRules, reaches: Reaches): Parts {
  const parts = sharedWithin(holder, rules, reaches)
  parts.set('keys', JSON.stringify(holder.keys.snapshot()))
  if (rules.sends.tokens) parts.set('tokens', JSON.stringify(holder.storage.parts.tokens?.snapshot()))
  return parts
}

/** Returns the shared data of one namespace. Each namespace directly below is one part, which contains its own
 * parts. */
function sharedWithin(holder: Holder, rules: KindRules, reaches: Reaches): Map<string, string> {
  const parts = new Map<string, string>()
  for (const [name, part] of Object.entries(holder.storage.parts))
    if (!ownParts.has(name)) parts.set(name, JSON.stringify(part.snapshot()))
  for (const mount of callersMounts(holder)) {
    if (mount.local && !rules.sends.localMounts) continue
    if (reaches.mount(mount)) parts.set(mountPart + prefixOf(mount), JSON.stringify(holder.mounts.keep(mount)))
  }
  for (const inner of below(holder)) {
    const { here } = inner.namespaces
    if (!reaches.namespace(here.path)) continue
    const inside = [...sharedWithin(inner, rules, reaches)].map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    parts.set(namespacePart + here.name, `{"namespace":${JSON.stringify(here)},"parts":{${inside.join(',')}}}`)
  }
  return parts
}
