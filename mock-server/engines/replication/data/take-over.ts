/** Puts the data of a primary into effect at a secondary. */
import { type Mount, prefixOf } from '../../../kernel/mounts/mount.ts'
import type { SavedMount } from '../../../kernel/mounts/mounts.ts'
import type { Namespace } from '../../../kernel/namespaces/namespace.ts'
import type { Asleep } from '../membership.ts'
import { callersMounts, type Holder, mountPart, namespacePart } from './data-parts.ts'

interface SharedNamespace {
  readonly namespace: Namespace
  readonly parts: Readonly<Record<string, unknown>>
}

interface How {
  /** True if mounts and namespaces that have not arrived do not exist. */
  readonly whole: boolean
  readonly gone: readonly string[]
}

/** Puts the received data into effect. If they are `whole`, mounts and namespaces that they do not contain are
 * removed. */
export function takeOver(arrived: Readonly<Record<string, unknown>>, how: How, holder: Holder): void {
  const { keys, storage } = holder
  if (arrived.keys) keys.adopt(arrived.keys, 'root-key')
  removeMissing(arrived, how, holder)
  for (const [name, state] of Object.entries(arrived)) {
    if (name.startsWith(mountPart)) adoptMount(state as SavedMount, holder)
    else if (name.startsWith(namespacePart)) adoptNamespace(state as SharedNamespace, holder)
    else if (name !== 'keys') storage.parts[name]?.restore(state)
  }
  storage.revive()
}

const isOwn = (mount: Mount): boolean => mount.builtIn || mount.local

function removeMissing(arrived: Readonly<Record<string, unknown>>, how: How, holder: Holder): void {
  const { mounts, namespaces } = holder
  const isMissing = (part: string): boolean => how.gone.includes(part) || (how.whole && !arrived[part])
  for (const mount of callersMounts(holder))
    if (isMissing(mountPart + prefixOf(mount)) && !isOwn(mount)) mounts.remove(mount)
  for (const { name } of namespaces.all()) if (isMissing(namespacePart + name)) namespaces.drop(name)
}

function adoptMount(kept: SavedMount, { mounts }: Holder): void {
  const own = mounts.at(prefixOf(kept.mount))
  if (!own || !isOwn(own)) mounts.adopt(kept)
}

const adoptNamespace = ({ namespace, parts }: SharedNamespace, { namespaces }: Holder): void =>
  takeOver(parts, { whole: true, gone: [] }, namespaces.adopt(namespace))

/** Puts data into effect that a DR secondary stored. */
export function awaken({ parts: stored }: Asleep, holder: Holder): void {
  const { parts, revive } = holder.storage
  for (const [name, part] of Object.entries(parts)) if (stored[name] !== undefined) part.restore(stored[name])
  revive()
}
