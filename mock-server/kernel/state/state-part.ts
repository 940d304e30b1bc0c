/** State that can be emptied, and saved in a state file as JSON. */
export interface StatePart {
  snapshot(): unknown
  restore(state: unknown): void
  /** Restores the state with which the part was made. */
  reset(): void
}
