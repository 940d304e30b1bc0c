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
  /** The lock of the checks that use it, if it has to be the only ground of that lock. */
  readonly lock?: string
  /** How many checks have used it. */
  uses: number
  takeBack(): Promise<void>
}

/** A ground for fewer checks costs more than it saves. */
const fewest = 4
/** A further ground lets more checks run in parallel. For fewer checks, waiting takes less time. */
const fewestForFurther = 12
/** A target may lose time with bringing a ground back in vain, which would be the same with each further one. */
const mostSpoilt = 3
/** Checks take turns with the processor where their server runs in the same thread, so further grounds would only take more of it.
 * A few let others go on while a key is made. */
const mostInThread = 3
/** What checks add stays there to the end, so lists on a ground grow with each. */
const mostUses = 100

export class GroundPool {
  /** By key, how many checks that were announced have not begun. */
  readonly #due = new Map<string, number>()
  readonly #free = new Map<string, Ground[]>()
  /** How many grounds there are, free or in use. */
  readonly #counts = new Map<string, number>()
  /** Checks that wait for a ground to become free. */
  readonly #waiting = new Map<string, ((ground: Ground | undefined) => void)[]>()
  /** Keys of grounds that could not be prepared, or not be brought back. */
  readonly #barren = new Set<string>()
  readonly #most: number
  /** Counts, by key, the grounds that were not as found after a check. */
  readonly #spoilt = new Map<string, number>()

  /** `isInThread`: the server of the checks runs in their own thread. */
  constructor({ isInThread = false } = {}) {
    this.#most = isInThread ? mostInThread : Number.POSITIVE_INFINITY
  }

  /** Announces all checks, by the keys of their grounds. Checks that were not announced prepare ground of their own. A
   * ground is taken back as soon as no check is left for it. */
  announce(keys: Iterable<string>): void {
    for (const key of keys) this.#due.set(key, (this.#due.get(key) ?? 0) + 1)
  }

  /** Returns a ground that no other check uses meanwhile; undefined if the check needs ground of its own. `aside` lets other
   * checks run while this one waits. */
  async take(
    key: string,
    prepare: () => Promise<Ground | undefined>,
    aside: (wait: () => Promise<void>) => Promise<void>,
  ): Promise<Ground | undefined> {
    const due = this.#due.get(key) ?? 0
    this.#due.set(key, Math.max(0, due - 1))
    const count = this.#counts.get(key) ?? 0
    const free = this.#free.get(key)?.pop()
    if (free || this.#barren.has(key)) return free
    if (count < this.#most && due >= Math.max(fewest, fewestForFurther * count)) return this.#made(key, prepare)
    if (count === 0) return undefined
    let freed: Ground | undefined
    await aside(async () => {
      freed = await this.#freed(key)
    })
    return freed
  }

  async #made(key: string, prepare: () => Promise<Ground | undefined>): Promise<Ground | undefined> {
    this.#count(key, 1)
    const ground = await prepare()
    if (ground) return ground
    this.#barren.add(key)
    this.#count(key, -1)
    return undefined
  }

  #freed(key: string): Promise<Ground | undefined> {
    const { promise, resolve } = Promise.withResolvers<Ground | undefined>()
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), resolve])
    return promise
  }

  /** Counts a ground. Where none is left, those who wait need ground of their own. */
  #count(key: string, more: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + more
    this.#counts.set(key, count)
    if (count > 0) return
    for (const resolve of this.#waiting.get(key) ?? []) resolve(undefined)
    this.#waiting.delete(key)
  }

  /** Gives the ground to the next check, or takes it back if no check needs it. */
  async giveBack(key: string, ground: Ground): Promise<void> {
    if (ground.uses >= mostUses) return this.throwAway(key, ground)
    const next = this.#waiting.get(key)?.shift()
    if (next) return next(ground)
    const free = this.#free.get(key) ?? []
    if (free.length >= (this.#due.get(key) ?? 0)) return this.throwAway(key, ground)
    this.#free.set(key, [...free, ground])
  }

  /** `isSpoilt`: it was not as found after a check. After a few of those, no further one is prepared. */
  async throwAway(key: string, ground: Ground, isSpoilt = false): Promise<void> {
    if (isSpoilt) this.#spoil(key)
    this.#count(key, -1)
    await ground.takeBack()
  }

  #spoil(key: string): void {
    const count = (this.#spoilt.get(key) ?? 0) + 1
    this.#spoilt.set(key, count)
    if (count >= mostSpoilt) this.#barren.add(key)
  }

  /** Takes back what checks with this lock have left for others, but for the ground that the next one can use. */
  async makeRoom(lock: string, key: string | undefined): Promise<void> {
    for (const [other, grounds] of this.#free) {
      if (other === key) continue
      const inTheWay = grounds.filter((ground) => ground.lock === lock)
      if (inTheWay.length === 0) continue
      this.#free.set(
        other,
        grounds.filter((ground) => ground.lock !== lock),
      )
      for (const ground of inTheWay) await this.throwAway(other, ground)
    }
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
