import type { CheckNames } from '../../safety/names.ts'
import type { Circumstance } from '../../vocabulary/index.ts'
import type { Callers } from './callers.ts'
import type { Companions } from './companions.ts'
import type { NeighboursFirst } from './neighbours-first.ts'

interface Sending {
  readonly callers: Callers
  readonly neighbours: NeighboursFirst
}

/** Returns a function that tells whether some request of a check was sent in a circumstance. */
export const isMetIn =
  ({ callers, neighbours }: Sending, names: CheckNames, companions: Companions) =>
  (one: Circumstance): boolean => {
    if (one.id === 'other-caller') return callers.hasOtherCalled
    if (one.id === 'neighbours') return neighbours.haveCome
    return one.id === 'capitals' ? names.haveCapitals : companions.added.has(one)
  }
