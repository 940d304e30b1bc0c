/** A part of the state that can be saved as JSON, restored and reset. */
export interface StatePart {
  snapshot(): unknown
  restore(state: unknown): void
  /** Returns to the initial state. */
  reset(): void
}

/** Makes the state part of an engine that stores everything in one map. */
export const stateOf = <Value>(entries: Map<string, Value>): StatePart => ({
  snapshot: () => [...entries],
  restore(state) {
    entries.clear()
    for (const [name, value] of state as [string, Value][]) entries.set(name, value)
  },
  reset: () => entries.clear(),
})
