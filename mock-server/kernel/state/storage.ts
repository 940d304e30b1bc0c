import type { StatePart } from './state-part.ts'

/** What a cluster stores for its callers, by part. It does not include the keys and the role in replication. */
export interface Storage {
  readonly parts: Record<string, StatePart>
  /** Resets all parts, and adds the built-in mounts again. */
  clear(): void
  /** Must be called after parts were restored: restores the functions that revoke leases. */
  revive(): void
  /** The number of writes so far. */
  readonly writes: number
  /** Counts one more write, and calls the listeners. */
  written(): void
  /** The returned function removes the listener. */
  onWrite(listener: () => void): () => void
}

/** `furnish` adds the built-in mounts; `revive` restores the functions that revoke leases. */
export function createStorage(furnish: () => void, revive: () => void): Storage {
  const parts: Record<string, StatePart> = {}
  const listeners = new Set<() => void>()
  let writes = 0
  return {
    parts,
    clear() {
      for (const part of Object.values(parts)) part.reset()
      furnish()
    },
    revive,
    get writes() {
      return writes
    },
    written() {
      writes++
      for (const listener of listeners) listener()
    },
    onWrite(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
