/** Takes the lists of known deviations that fit the target. */
import { loadKnown } from '../../acceptance/accepted-file.ts'
import { nearestKnown } from '../../acceptance/known.ts'
import type { AcceptedEntry, Facts, Finding } from '../../vocabulary/index.ts'
import { matchGlob } from '../catalog.ts'
import type { Order } from './run-document.ts'

/** Returns the known deviations of each product that the run was given, a note for each that was named without a version,
 * and a warning for each of another product than the target's. */
export function knownFor(
  { flags, known, selection }: Order,
  facts: Facts,
): { readonly entries: readonly AcceptedEntry[]; readonly findings: readonly Finding[] } {
  const chosen = known.map((lists) => nearestKnown(lists, facts))
  return {
    entries: chosen.flatMap(({ list }) => loadKnown(list, (glob) => matchGlob(selection.outline, glob))),
    findings: chosen.flatMap(({ list, why, isOfOther }, at): readonly Finding[] => {
      const name = flags.known?.[at]
      const text = `--known ${name} is ${name === list.name ? '' : `${list.name}, `}${why}`
      if (isOfOther) return [{ severity: 'warning', code: 'known-of-another-product', text }]
      return name === list.name ? [] : [{ severity: 'note', code: 'known-nearest', text }]
    }),
  }
}
