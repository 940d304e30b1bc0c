import type { Journal } from '../safety/journal.ts'
import { type Undo, type Unnamed, undoKey } from '../safety/journal-lines.ts'
import type { Exchange, Reply } from '../vocabulary/index.ts'
import type { EndedRoles } from '../way/ended-roles.ts'

/** One object that a check may have made. */
export interface Made {
  id: number
  /** Undefined until the reply has named the object. */
  undo: Undo | undefined
  /** Exchanges that take the object back if no reply names it; the first that succeeds is enough. */
  otherwise?: readonly Exchange[]
  /** True if every request to make the object was refused. The undo is sent nevertheless, but its failure leaves
   * nothing behind. */
  refused: boolean
}

/** What one check may have made, in order. Every entry is in the journal before the request that makes the object is
 * sent. */
export class Makings {
  readonly #journal: Journal
  readonly #endedRoles: EndedRoles
  readonly #made: Made[] = []
  readonly #byUndo = new Map<string, Made>()

  constructor(journal: Journal, endedRoles: EndedRoles) {
    this.#journal = journal
    this.#endedRoles = endedRoles
  }

  /** Records an object before it is made. `undo` is its undo, or words alone if only the reply will name the object. */
  expect(undo: Undo | Unnamed): Made {
    if ('restoration' in undo) this.#endedRoles.forget(undo)
    const named = 'path' in undo ? undo : undefined
    const known = named && this.#byUndo.get(undoKey(named))
    if (known) {
      if (known.refused && known !== this.#made.at(-1)) this.#moveLast(known, undo)
      return known
    }
    const made: Made = { id: this.#journal.intend(undo), undo: named, refused: true }
    this.#made.push(made)
    if (named) this.#byUndo.set(undoKey(named), made)
    return made
  }

  /** Moves an object to the end of the order: it was refused before, may be made now, and may depend on what was made
   * meanwhile. The journal gets the new entry before the old one is closed. */
  #moveLast(made: Made, undo: Undo | Unnamed): void {
    const before = made.id
    made.id = this.#journal.intend(undo)
    this.#journal.done(before)
    this.#made.splice(this.#made.indexOf(made), 1)
    this.#made.push(made)
  }

  named(made: Made, undo: Undo): void {
    made.undo = undo
    this.#journal.resolve(made.id, undo)
  }

  /** Takes from a reply what it says about an object that no reply has named so far. */
  settle(made: Made, { orUndo }: Exchange, reply: Reply, undo: Undo | Unnamed | undefined): void {
    if (made.undo) return
    if (undo && 'path' in undo) this.named(made, undo)
    // A refusal that names no object made none. After any other reply, `orUndo` or the run's name leads to the object.
    else if (reply.status >= 400) this.done(made)
    else if (orUndo) made.otherwise = orUndo
  }

  /** Everything that was made, last first. */
  get all(): readonly Made[] {
    return this.#made.toReversed()
  }

  done(made: Made): void {
    this.#journal.done(made.id)
  }
}

/** Returns the undo of an exchange with its templates filled in, or words alone while a name is missing. Undefined if
 * the exchange needs no undo. */
export function undoOf(
  exchange: Exchange,
  filled: {
    path(exchange: Exchange): string
    query(exchange: Exchange): Readonly<Record<string, string>> | undefined
    body(exchange: Exchange): string | undefined
    url(cluster: string): string
  },
  isKnown: (template: string) => boolean,
): Undo | Unnamed | undefined {
  const { undo } = exchange
  if (!undo) return undefined
  const cluster = undo.cluster ?? exchange.cluster ?? 'main'
  const words = `${exchange.method} ${filled.path(exchange)}`
  if (!isKnown(templateOf(undo))) return { cluster, words }
  const [query, body] = [filled.query(undo), filled.body(undo)]
  return {
    ...{ cluster, method: undo.method, path: filled.path(undo), words },
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { body }),
    ...(undo.restoration === undefined ? {} : { restoration: undo.restoration, url: filled.url(cluster) }),
  }
}

/** Returns the texts of an exchange that have to be filled in before it is sent. */
export const templateOf = ({ path, query, body, rawBody }: Exchange): string =>
  `${path}${JSON.stringify(query ?? '')}${JSON.stringify(body ?? '')}${rawBody ?? ''}`
