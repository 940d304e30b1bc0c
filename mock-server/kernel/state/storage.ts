import type { StatePart } from './state-part.ts'

/** What a cluster holds for its callers, by part: all but its keys and its place among other clusters. */
export interface Storage {
  readonly parts: Record<string, StatePart>
  /** Back to nothing: what the server itself mounts is all there is. */
  clear(): void
  /** Makes what the parts need of each other again, after some were put back. */
  revive(): void
  /** How many writes there were so far. */
  readonly writes: number
  /** Counts one more, and tells whoever listens. */
  written(): void
  /** The returned function ends it. */
  onWrite(listener: () => void): () => void
}

/** `furnish` mounts what the server itself mounts; `revive` makes what the parts need of each other. */
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
