import type { StatePart } from './state-part.ts'

/** What a cluster stores for its callers, by part. Its keys and its role in replication are not included. */
export interface Storage {
  readonly parts: Record<string, StatePart>
  /** Empties all parts. Only the mounts of the server itself remain. */
  clear(): void
  /** Restores the links between the parts, after some of them were restored. */
  revive(): void
  /** Counts the writes so far. */
  readonly writes: number
  /** Counts one more write, and calls the listeners. */
  written(): void
  /** The returned function removes the listener. */
  onWrite(listener: () => void): () => void
}

/** `furnish` adds the mounts of the server itself; `revive` restores the links between the parts. */
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
