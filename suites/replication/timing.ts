/** This table has all time limits of replication, with their reasons. The limits follow `patienceSeconds` and
 * `immediateSeconds` of the profile. */
import type { Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'

type Pace = Pick<Scope, 'patience' | 'immediate'>

interface Wait {
  readonly what: string
  /** The limit in seconds. */
  seconds(scope: Scope): number
  readonly why: string
}

/** Nearby clusters retry at once; distant ones increase the time between two retries. */
const retry = ({ patience }: Pace): number => Math.max(0.2, 10 * (patience / 60) ** 2)
const glance = ({ patience }: Pace): number => Math.max(0.2, patience / 50)

const slowest = new WeakMap<Scope, number>()

export const waits = {
  effect: {
    what: 'what a trigger leads to: a role, an id, a copy, the end of a connection',
    seconds: ({ patience }) => patience,
    why: 'the documents do not say how soon it comes',
  },
  immediate: {
    what: 'a wipe by secondary/enable, a cut by revoke-secondary',
    seconds: ({ immediate }) => immediate,
    why: 'the document calls both immediate (readings of the documents, 50)',
  },
  late: {
    what: 'an effect that must not come, of a trigger that was taken',
    seconds: (scope) => 1.5 * retry(scope),
    why: 'a trigger may take effect after its reply, by the next time that clusters try to connect',
  },
  arrival: {
    what: 'a value or a connection that must not come',
    seconds: (scope) => Math.min(Math.max(retry(scope), 5 * (slowest.get(scope) ?? 0)), scope.patience),
    why: 'several times as long as it took to come before, and long enough for another try to connect',
  },
  glance: {
    what: 'what must stay while something beside it has gone, or come',
    seconds: glance,
    why: 'both go with the same change: what would go too goes at nearly the same time',
  },
  stale: {
    what: 'what a status tells of progress',
    seconds: ({ patience }) => Math.max(0.15, patience / 25),
    why: 'a status may be told a little late',
  },
  restless: {
    what: 'what moves in a status by itself',
    seconds: (scope) => glance(scope) / 2,
    why: 'times and counters move between any two readings',
  },
} as const satisfies Readonly<Record<string, Wait>>

export type Length = keyof typeof waits | number

const secondsOf = (scope: Scope, length: Length): number =>
  typeof length === 'number' ? length : (waits[length] as Wait).seconds(scope)

/** Reads until `isMet` accepts the reply, or until the time is over, and returns the last reply. */
export const eventually = (
  scope: Scope,
  reading: Exchange,
  isMet: (seen: Reply) => boolean,
  length: Length = 'effect',
): Promise<Reply> => scope.poll(reading, isMet, secondsOf(scope, length))

/** Reads while `isStill` accepts the reply, until the time is over, and returns the last reply, which shows whether it
 * still does. */
export const always = (
  scope: Scope,
  reading: Exchange,
  isStill: (seen: Reply) => boolean,
  length: Length,
): Promise<Reply> => scope.poll(reading, (seen) => !isStill(seen), secondsOf(scope, length))

/** Returns the pauses, in seconds, between tests of something that need not end at once but must have ended by the end
 * of the patience. */
export const looksOf = (scope: Scope): readonly number[] => {
  const { patience } = scope
  const short = glance(scope)
  return [short / 2, 1.5 * short, Math.max(4 * short, waits.late.seconds(scope), patience - 2 * short)]
}

/** Records how long data took to reach a secondary. */
export async function timed<T>(scope: Scope, wait: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const result = await wait()
  slowest.set(scope, Math.max(slowest.get(scope) ?? 0, (performance.now() - begun) / 1000))
  return result
}
