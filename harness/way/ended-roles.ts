/** Remembers how clusters showed their roles, or that they have none, so that nobody has to look again while nothing can have
 * given them another. */
import type { Reply } from '../vocabulary/index.ts'

/** What ends a role of one kind on a cluster stands for that kind. */
interface End {
  readonly cluster?: string
  readonly path: string
}

const keyOf = ({ cluster = 'main', path }: End): string => `${cluster} ${path}`

export class EndedRoles {
  readonly #shown = new Map<string, Reply>()
  readonly #isKept: boolean

  /** `isKept`: only this run gives roles to the clusters. Where others may do so too, nothing is remembered. */
  constructor(isKept: boolean) {
    this.#isKept = isKept
  }

  /** Remembers the reply to the read of a role that the cluster has, that has ended, or that it has not had so far. */
  note(end: End, reply: Reply): void {
    if (this.#isKept) this.#shown.set(keyOf(end), reply)
  }

  /** Forgets it, because the cluster may be about to get or to lose such a role. */
  forget(end: End): void {
    this.#shown.delete(keyOf(end))
  }

  shown(end: End): Reply | undefined {
    return this.#shown.get(keyOf(end))
  }
}
