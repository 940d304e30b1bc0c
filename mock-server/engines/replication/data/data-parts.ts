/** Converts the data of a primary to JSON by part, and puts them into effect at a secondary. */

import type { Mount } from '../../../kernel/mounts/mount.ts'
import { prefixOf } from '../../../kernel/mounts/mount.ts'
import type { SavedMount } from '../../../kernel/mounts/mounts.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Asleep, Membership } from '../membership.ts'
import type { KindTables } from '../tables/index.ts'

/** Maps the names of parts to JSON text. */
export type Parts = ReadonlyMap<string, string>

type Holder = Pick<Services, 'keys' | 'mounts' | 'storage' | 'leases'>

/** These parts belong to one cluster in performance replication, which sends mounts one by one. */
const ownParts: ReadonlySet<string> = new Set(['tokens', 'wrapping', 'leases', 'mounts', 'access'])
const tokenParts: ReadonlySet<string> = new Set(['tokens', 'wrapping', 'leases'])
const mountPart = 'mount:'

/** Returns paths such as `secret/` and `auth/userpass/`. */
export const filterPathOf = (mount: Pick<Mount, 'kind' | 'path'>): string => `${prefixOf(mount)}/`

export const callersMounts = ({ mounts }: Pick<Services, 'mounts'>): readonly Mount[] =>
  [...mounts.all('secret'), ...mounts.all('auth')].filter((mount) => !mount.builtIn)

/** Returns all data, asleep or awake, as a DR secondary keeps them. */
export function wholeOf(holder: Holder, tables: KindTables, performance: Membership): Parts {
  const parts = new Map<string, string>()
  parts.set('keys', JSON.stringify(holder.keys.snapshot()))
  for (const [name, part] of Object.entries(holder.storage.parts)) {
    if (name === 'access' || (tokenParts.has(name) && !tables.sends.tokens)) continue
    parts.set(name, JSON.stringify(name === 'mounts' ? wholeMounts(holder, tables) : part.snapshot()))
  }
  parts.set('performance', JSON.stringify(performance))
  return parts
}

const wholeMounts = ({ mounts }: Holder, tables: KindTables): readonly SavedMount[] =>
  [...mounts.all('secret'), ...mounts.all('auth')]
    .filter((mount) => !mount.local || tables.sends.localMounts)
    .map(mounts.keep)

/** Returns the data that a performance set shares. `reaches` chooses the mounts. */
export function sharedOf(holder: Holder, tables: KindTables, reaches: (mount: Mount) => boolean): Parts {
  const parts = new Map<string, string>()
  parts.set('keys', JSON.stringify(holder.keys.snapshot()))
  if (tables.sends.tokens) parts.set('tokens', JSON.stringify(holder.storage.parts.tokens?.snapshot()))
  for (const [name, part] of Object.entries(holder.storage.parts))
    if (!ownParts.has(name)) parts.set(name, JSON.stringify(part.snapshot()))
  for (const mount of callersMounts(holder)) {
    if (mount.local && !tables.sends.localMounts) continue
    if (reaches(mount)) parts.set(mountPart + prefixOf(mount), JSON.stringify(holder.mounts.keep(mount)))
  }
  return parts
}

/** Puts the received data into effect. If they are `whole`, mounts that are not among them are removed. */
export function takeOver(
  arrived: Readonly<Record<string, unknown>>,
  how: { readonly whole: boolean; readonly gone: readonly string[]; readonly tables: KindTables },
  holder: Holder,
): void {
  const { mounts, keys } = holder
  const { parts, revive } = holder.storage
  const isOwn = (mount: Mount): boolean => mount.builtIn || (mount.local && how.tables.localMounts === 'kept')
  const remove = (mount: Mount): void => {
    if (!isOwn(mount)) mounts.remove(mount)
  }

  if (arrived.keys) keys.adopt(arrived.keys, 'root-key')
  if (how.whole) for (const mount of callersMounts(holder)) if (!arrived[mountPart + prefixOf(mount)]) remove(mount)
  for (const name of how.gone) {
    const mount = callersMounts(holder).find((one) => mountPart + prefixOf(one) === name)
    if (mount) remove(mount)
  }
  for (const [name, state] of Object.entries(arrived)) {
    if (name.startsWith(mountPart)) adopt(state as SavedMount)
    else if (name !== 'keys') parts[name]?.restore(state)
  }
  revive()

  function adopt(kept: SavedMount): void {
    const own = mounts.at(prefixOf(kept.mount))
    if (own && isOwn(own)) return
    mounts.adopt(kept)
  }
}

/** Puts sleeping data into effect, and adds the cluster's own mounts `beside` them. */
export function awaken(whole: Asleep, holder: Holder): void {
  const { parts, revive } = holder.storage
  for (const [name, part] of Object.entries(parts)) if (whole.parts[name] !== undefined) part.restore(whole.parts[name])
  for (const kept of whole.beside) if (!holder.mounts.at(prefixOf(kept.mount))) holder.mounts.adopt(kept)
  revive()
}
