/** The grounds of a run that checks share, one check after another. */

import type { RawExchange } from '../run/recorded-exchange.ts'
import type { Json, JsonObject } from '../vocabulary/index.ts'

/** A ground is prepared once, and several checks use it in turn. */
export interface Ground {
  /** The names of the ground, and those that its steps have saved. */
  readonly values: readonly (readonly [string, string])[]
  readonly served: ReadonlyMap<string, readonly JsonObject[]>
  readonly exchanges: readonly RawExchange[]
  /** The reads of the frame showed this when the ground was new. */
  readonly frame: readonly Json[]
  /** How many checks have used it. */
  uses: number
  takeBack(): Promise<void>
}

/** A ground for fewer checks costs more than it saves. */
const fewest = 4
/** What checks add stays there to the end, so lists on a ground grow with each. */
const mostUses = 100

export class GroundPool {
  /** By key, how many checks that were announced have not begun. */
  readonly #due = new Map<string, number>()
  readonly #free = new Map<string, Ground[]>()
  /** How many grounds there are, free or in use. */
  readonly #counts = new Map<string, number>()
  /** Keys of grounds that could not be prepared. */
  readonly #barren = new Set<string>()

  /** Announces all checks, by the keys of their grounds. Checks that were not announced prepare ground of their own. A
   * ground is taken back as soon as no check is left for it. */
  announce(keys: Iterable<string>): void {
    for (const key of keys) this.#due.set(key, (this.#due.get(key) ?? 0) + 1)
  }

  /** Returns a ground that no other check uses meanwhile; undefined if the check needs ground of its own. */
  async take(key: string, prepare: () => Promise<Ground | undefined>): Promise<Ground | undefined> {
    const due = this.#due.get(key) ?? 0
    this.#due.set(key, Math.max(0, due - 1))
    const free = this.#free.get(key)?.pop()
    if (free || due < fewest * (this.#countOf(key) + 1) || this.#barren.has(key)) return free
    this.#counts.set(key, this.#countOf(key) + 1)
    const ground = await prepare()
    if (ground) return ground
    this.#barren.add(key)
    this.#counts.set(key, this.#countOf(key) - 1)
    return undefined
  }

  #countOf(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** Makes the ground free for the next check, or takes it back if no check needs it. */
  async giveBack(key: string, ground: Ground): Promise<void> {
    const free = this.#free.get(key) ?? []
    const isIdle = free.length >= (this.#due.get(key) ?? 0)
    if (ground.uses >= mostUses || isIdle) return this.throwAway(key, ground)
    this.#free.set(key, [...free, ground])
  }

  async throwAway(key: string, ground: Ground): Promise<void> {
    this.#counts.set(key, this.#countOf(key) - 1)
    await ground.takeBack()
  }

  /** Takes back every ground. */
  async close(): Promise<void> {
    const all = [...this.#free.values()].flat()
    this.#free.clear()
    this.#due.clear()
    this.#counts.clear()
    this.#barren.clear()
    await Promise.all(all.map((ground) => ground.takeBack()))
  }
}
