/** Ways back of the roles that a run gives to clusters. They are rehearsed before checks rely on them. Once one is not there,
 * no check gives a cluster a role any more: at most one cluster is left as it should not be. */
export class WaysBack {
  readonly #rehearsed = new Set<string>()
  #lost: string | undefined

  /** A sentence about the first cluster that did not come back. */
  get lost(): string | undefined {
    return this.#lost
  }

  lose(lost: string): void {
    this.#lost ??= lost
  }

  /** Whether this is the first time that somebody asks. */
  isDue(id: string): boolean {
    if (this.#rehearsed.has(id)) return false
    this.#rehearsed.add(id)
    return true
  }
}
