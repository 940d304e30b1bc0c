import type { Journal } from '../safety/journal.ts'
import type { Undo, Unnamed } from '../safety/journal-lines.ts'
import type { Exchange } from '../vocabulary/index.ts'

/** One object that a check may have made. */
export interface Made {
  id: number
  /** Undefined until the reply has named the object. */
  undo: Undo | undefined
  /** These exchanges take it back where no reply will name it: the first that succeeds. */
  otherwise?: readonly Exchange[]
  /** Every exchange that would have made it was refused: it is looked for all the same, but not finding a way to delete
   * it does not leave anything behind. */
  refused: boolean
}

/** What one check has made, in order; every entry is in the journal before the exchange that makes it is sent. */
export class Makings {
  readonly #journal: Journal
  readonly #made: Made[] = []
  readonly #byUndo = new Map<string, Made>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** `undo` is what takes the object back, or, where only the reply will name it, the words alone. */
  expect(undo: Undo | Unnamed): Made {
    const named = 'path' in undo ? undo : undefined
    const known = named && this.#byUndo.get(keyOf(named))
    if (known) {
      if (known.refused && known !== this.#made.at(-1)) this.#moveLast(known, undo)
      return known
    }
    const made: Made = { id: this.#journal.intend(undo), undo: named, refused: true }
    this.#made.push(made)
    if (named) this.#byUndo.set(keyOf(named), made)
    return made
  }

  /** What was refused before may be made now, and rest on what was made meanwhile. The journal has its new place before
   * the old one is given up. */
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

  /** Last made first. */
  get all(): readonly Made[] {
    return this.#made.toReversed()
  }

  done(made: Made): void {
    this.#journal.done(made.id)
  }
}

const keyOf = ({ cluster, method, path, query, body }: Undo): string =>
  `${cluster} ${method} ${path} ${JSON.stringify(query ?? {})} ${body ?? ''}`

/** The undo of an exchange with its templates filled, or its words alone where a name is still missing. */
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

/** All that has to be filled in before an exchange can be sent. */
export const templateOf = ({ path, query, body, rawBody }: Exchange): string =>
  `${path}${JSON.stringify(query ?? '')}${JSON.stringify(body ?? '')}${rawBody ?? ''}`
