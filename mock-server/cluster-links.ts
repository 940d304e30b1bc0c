/** Lets a test break or slow the connections between the clusters of a group. */
import type { Network } from './kernel/cluster/network.ts'

export interface Links {
  /** Ends every connection between two clusters, whichever of them opened it, and lets none through. Clusters are named
   * by their index in the group. */
  cut(one: number, other: number): void
  /** Delays everything that goes between the two clusters by so many milliseconds. */
  slow(one: number, other: number, ms: number): void
  /** Ends all cuts and delays. */
  heal(): void
}

export interface LinksOf extends Links {
  /** The connections that one cluster opens. */
  from(index: number): Network
}

/** `indexOf` finds the cluster that has an address. Connections to any other address are never cut or slowed. */
export function createLinks(indexOf: (address: string) => number | undefined): LinksOf {
  const cuts = new Set<string>()
  const delays = new Map<string, number>()
  const listeners = new Map<string, Set<() => void>>()
  const between = (one: number, other: number): string => [one, other].sort().join(' ')

  function assertIndexes(...indexes: readonly number[]): void {
    for (const index of indexes)
      if (!Number.isInteger(index) || index < 0) throw new RangeError(`no cluster has the index ${index}`)
  }

  return {
    cut(one, other) {
      assertIndexes(one, other)
      cuts.add(between(one, other))
      for (const listener of listeners.get(between(one, other)) ?? []) listener()
    },
    slow(one, other, ms) {
      assertIndexes(one, other)
      delays.set(between(one, other), ms)
    },
    heal() {
      cuts.clear()
      delays.clear()
    },
    from(index) {
      const wayTo = (address: string): string => {
        const other = indexOf(address)
        return other === undefined ? '' : between(index, other)
      }
      return {
        async pass(address) {
          const way = wayTo(address)
          const ms = delays.get(way)
          if (ms) await new Promise((resolve) => setTimeout(resolve, ms))
          if (cuts.has(way)) throw new Error(`the way to ${address} is cut`)
        },
        onCut(address, listener) {
          const way = wayTo(address)
          const known = listeners.get(way) ?? new Set()
          listeners.set(way, known.add(listener))
          return () => known.delete(listener)
        },
      }
    },
  }
}
