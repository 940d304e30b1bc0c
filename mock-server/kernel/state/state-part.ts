/** State that can be emptied, and kept in a state file as JSON. */
export interface StatePart {
  snapshot(): unknown
  restore(state: unknown): void
  /** Back to what it was when it was made. */
  reset(): void
}
