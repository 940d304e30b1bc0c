/** State that can be emptied, and saved in a state file as JSON. */
export interface StatePart {
  snapshot(): unknown
  restore(state: unknown): void
  /** Restores the state with which the part was made. */
  reset(): void
}

/** Makes the state of an engine that keeps everything in one map. */
export const stateOf = <Value>(entries: Map<string, Value>): StatePart => ({
  snapshot: () => [...entries],
  restore(state) {
    entries.clear()
    for (const [name, value] of state as [string, Value][]) entries.set(name, value)
  },
  reset: () => entries.clear(),
})
