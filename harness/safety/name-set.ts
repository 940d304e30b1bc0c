/** A set of names remembers which there were, for lists that are too long to keep as texts: a name takes eight
 * bytes. */
import { hash } from 'node:crypto'

export interface NameSet {
  has(name: string): boolean
}

const digestOf = (name: string): bigint => BigInt(`0x${hash('sha256', name, 'hex').slice(0, 16)}`)

/** Two names have the same 64 bits once in about 10^9 lists of 100 000 names. */
export function nameSet(names: readonly string[]): NameSet {
  const digests = new BigUint64Array(names.length)
  for (const [index, name] of names.entries()) digests[index] = digestOf(name)
  digests.sort()
  return {
    has(name) {
      const wanted = digestOf(name)
      let [low, high] = [0, digests.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((digests[middle] ?? 0n) < wanted) low = middle + 1
        else high = middle
      }
      return digests[low] === wanted
    },
  }
}
