import type { Check } from '../vocabulary/index.ts'

export interface Locks {
  /** Runs `work` while no other holder of the same name runs. Without a name it does not wait for named locks. While
   * the holder of an exclusive name runs, nothing else does. */
  hold<T>(name: string | undefined, work: () => Promise<T>): Promise<T>
}

/** Names whose holders change what every other check relies on: the role of a cluster, the data of all engines. */
const exclusive: ReadonlySet<string> = new Set(['clusters'])

/** Returns whether nothing else runs while a lock is held. */
export const isExclusive = (name: string | undefined): boolean => name !== undefined && exclusive.has(name)

/** Returns the lock of a check. Waiting for real time disturbs no other check, so the lock `clock` is only needed if a
 * clock is moved. */
export const lockOf = (
  { lock }: Pick<Check, 'lock'>,
  { plan: { target } }: { readonly plan: { readonly target: { readonly control?: unknown } } },
): string | undefined => (lock === 'clock' && target.control === undefined ? undefined : lock)

/** Returns whether a check may be judged in two ways at once: it holds no lock, and checks are not judged one by one. */
export const mayOverlap = (
  check: Pick<Check, 'lock'>,
  session: { readonly plan: { readonly target: { readonly control?: unknown }; readonly jobs: number } },
): boolean => session.plan.jobs > 1 && lockOf(check, session) === undefined

export function createLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>()
  const running = new Set<Promise<unknown>>()
  let alone: Promise<unknown> | undefined

  async function beside<T>(work: () => Promise<T>): Promise<T> {
    while (alone) await alone
    const turn = work()
    const ended = turn.catch(() => {})
    running.add(ended)
    try {
      return await turn
    } finally {
      running.delete(ended)
    }
  }

  async function aside<T>(work: () => Promise<T>): Promise<T> {
    const turn = Promise.all(running).then(work)
    const ended = turn.catch(() => {})
    alone = ended
    try {
      return await turn
    } finally {
      if (alone === ended) alone = undefined
    }
  }

  return {
    hold(name, work) {
      if (name === undefined) return beside(work)
      const due = () => (isExclusive(name) ? aside(work) : beside(work))
      const turn = (tails.get(name) ?? Promise.resolve()).then(due, due)
      // A failed turn must not stop the queue; the caller gets the error from `turn`.
      tails.set(
        name,
        turn.catch(() => {}),
      )
      return turn
    },
  }
}
