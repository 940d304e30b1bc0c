export interface Locks {
  /** Runs `work` while no other holder of the same name runs; without a name, at once. */
  hold<T>(name: string | undefined, work: () => Promise<T>): Promise<T>
}

export function createLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>()
  return {
    hold(name, work) {
      if (name === undefined) return work()
      const turn = (tails.get(name) ?? Promise.resolve()).then(work, work)
      // The queue goes on whatever becomes of this turn; the caller sees its outcome.
      tails.set(
        name,
        turn.catch(() => {}),
      )
      return turn
    },
  }
}
