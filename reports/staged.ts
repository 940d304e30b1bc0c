/** A report that has been written completely, under a temporary name beside its final path. */
export interface Staged {
  /** Moves the report to its final path, replacing an earlier one, and returns the paths. */
  commit(): Promise<readonly string[]>
  discard(): Promise<void>
}
