/** Lets a test cut or slow the connections between the clusters of a group, and wait until nothing is in transit. */
import type { Network } from './kernel/cluster/network.ts'
import type { Clock } from './kernel/contracts.ts'

export interface Links {
  /** Ends every connection between two clusters, whichever of them opened it, and blocks new ones. Clusters are
   * identified by their index in the group. */
  cut(from: number, to: number): void
  /** Delays everything that the two clusters send to each other by `ms` milliseconds of the clock. */
  slow(from: number, to: number, ms: number): void
  /** Ends all cuts and delays. */
  heal(): void
}

export interface LinksOf extends Links {
  /** Returns the network of one cluster, for the connections that it opens. */
  from(index: number): Network
  /** Waits until everything in transit has arrived or is delayed until the clock moves, but at most this many
   * milliseconds. */
  settled(longestMs: number): Promise<void>
}

/** The other side of a connection notices its end within this many turns of the event loop. */
const quietTurns = 8

/** `indexOf` finds the cluster that has an address. Connections to any other address are never cut or slowed. */
export function createLinks(indexOf: (address: string) => number | undefined, clock: Clock): LinksOf {
  const cuts = new Set<string>()
  const delays = new Map<string, number>()
  const listeners = new Map<string, Set<() => void>>()
  const underWay = new Set<number>()
  const delayed = new Set<() => void>()
  let departed = 0
  let onQuiet: () => void = () => {}
  /** Returns the key of the link between two clusters, which is the same in both directions. */
  const between = (from: number, to: number): string => [from, to].sort().join(' ')

  function assertIndexes(...indexes: readonly number[]): void {
    for (const index of indexes)
      if (!Number.isInteger(index) || index < 0) throw new RangeError(`no cluster has the index ${index}`)
  }

  const isQuiet = (): boolean => underWay.size === 0 || delayed.size > 0

  function delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel()
        delayed.delete(end)
        resolve()
      }
      const cancel = clock.at(clock.now() + ms, end)
      delayed.add(end)
      onQuiet()
    })
  }

  async function waitForQuiet(longestMs: number): Promise<void> {
    let alarm: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      alarm = setTimeout(resolve, Math.max(longestMs, 0))
      onQuiet = resolve
    })
    clearTimeout(alarm)
  }

  return {
    cut(from, to) {
      assertIndexes(from, to)
      cuts.add(between(from, to))
      for (const listener of listeners.get(between(from, to)) ?? []) listener()
    },
    slow(from, to, ms) {
      assertIndexes(from, to)
      delays.set(between(from, to), ms)
    },
    heal() {
      cuts.clear()
      delays.clear()
      for (const end of [...delayed]) end()
    },
    from(index) {
      const linkTo = (address: string): string => {
        const to = indexOf(address)
        return to === undefined ? '' : between(index, to)
      }
      return {
        async pass(address) {
          const link = linkTo(address)
          const ms = delays.get(link)
          if (ms) await delay(ms)
          if (cuts.has(link)) throw new Error(`the link to ${address} is cut`)
        },
        onCut(address, listener) {
          const link = linkTo(address)
          const known = listeners.get(link) ?? new Set()
          listeners.set(link, known.add(listener))
          return () => known.delete(listener)
        },
        depart() {
          underWay.add(++departed)
          return departed
        },
        arrive(number) {
          underWay.delete(number)
          if (isQuiet()) onQuiet()
        },
      }
    },
    async settled(longestMs) {
      const end = performance.now() + longestMs
      let seen = departed
      for (let turns = 0; turns < quietTurns && performance.now() < end; turns++) {
        if (!isQuiet()) await waitForQuiet(end - performance.now())
        await new Promise((resolve) => setImmediate(resolve))
        if (seen !== departed || !isQuiet()) turns = -1
        seen = departed
      }
    },
  }
}
