/** A report that is completely written under a temporary name beside its file. */
export interface Staged {
  /** Replaces what is there, and returns the paths. */
  commit(): Promise<readonly string[]>
  discard(): Promise<void>
}
