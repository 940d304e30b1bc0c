import type { Undo } from '../safety/journal-lines.ts'

/** Tracks whether the roles that a run gives to clusters can be taken back. */
export class WaysBack {
  readonly #rehearsed = new Set<string>()
  readonly #ended = new Map<string, Undo>()
  #lost: string | undefined

  /** A sentence about the first cluster whose role could not be taken back. */
  get lost(): string | undefined {
    return this.#lost
  }

  lose(lost: string): void {
    this.#lost ??= lost
  }

  /** Records that a role which this run gave has ended. */
  end(undo: Undo): void {
    this.#ended.set(`${undo.cluster} ${undo.path}`, undo)
  }

  /** Returns the undos that ended the roles which this run gave to a cluster. */
  endsOf(cluster: string): readonly Undo[] {
    return [...this.#ended.values()].filter((undo) => undo.cluster === cluster)
  }

  /** Returns true at the first call for this rehearsal, and false afterwards. */
  isDue(id: string): boolean {
    if (this.#rehearsed.has(id)) return false
    this.#rehearsed.add(id)
    return true
  }
}
