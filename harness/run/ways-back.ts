import type { Undo } from '../safety/journal-lines.ts'

/** The ways back of the roles that a run gives to clusters, as far as they are known. */
export class WaysBack {
  readonly #rehearsed = new Set<string>()
  readonly #ended = new Map<string, Undo>()
  #lost: string | undefined

  /** A sentence about the first cluster that did not come back. */
  get lost(): string | undefined {
    return this.#lost
  }

  lose(lost: string): void {
    this.#lost ??= lost
  }

  /** A role that this run gave was ended. */
  end(undo: Undo): void {
    this.#ended.set(`${undo.cluster} ${undo.path}`, undo)
  }

  /** Returns what ended the roles that this run gave to a cluster. */
  endsOf(cluster: string): readonly Undo[] {
    return [...this.#ended.values()].filter((undo) => undo.cluster === cluster)
  }

  /** Tells whether this is the first time that somebody asks. */
  isDue(id: string): boolean {
    if (this.#rehearsed.has(id)) return false
    this.#rehearsed.add(id)
    return true
  }
}
