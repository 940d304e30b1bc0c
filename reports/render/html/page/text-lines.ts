/** Shows texts with numbered lines: values that are compared, and documents inside bodies. */

import type { Line } from './difference.ts'
import { el } from './element.ts'
import { type Names, named } from './names.ts'

/** The minimum number of equal lines that are folded. */
const fewestFolded = 5
/** The number of equal lines that stay visible on each side of a difference. */
const shownBeside = 2
/** The number of lines that are shown of a text without a difference. */
const shownAtFirst = 12

/** Converts lines to elements, numbered if there are several. Long runs without a difference are folded. */
export function textLines(lines: readonly Line[], names: Names = {}): readonly HTMLElement[] {
  const line = ({ number, pieces }: Line): HTMLElement =>
    el(
      'span',
      { class: 'line', 'data-line': lines.length > 1 ? String(number) : undefined },
      ...pieces.flatMap(({ text, isDifferent }) =>
        isDifferent ? [el('mark', {}, ...named(text, names))] : named(text, names),
      ),
    )
  return runsOf(lines).map(({ isFolded, from, to }) => {
    const run = lines.slice(from, to).map(line)
    if (!isFolded) return el('span', { class: 'run' }, ...run)
    return el('details', { class: 'fold' }, el('summary', {}, `lines ${from + 1} to ${to}`), ...run)
  })
}

interface Run {
  readonly isFolded: boolean
  readonly from: number
  readonly to: number
}

/** Decides which lines are shown and which are folded. */
export function runsOf(lines: readonly Line[]): readonly Run[] {
  const different = lines.flatMap(({ pieces }, at) => (pieces.some(({ isDifferent }) => isDifferent) ? [at] : []))
  const isShown = (at: number): boolean =>
    different.length === 0 ? at < shownAtFirst : different.some((one) => Math.abs(one - at) <= shownBeside)
  const runs: { isFolded: boolean; from: number; to: number }[] = []
  for (const at of lines.keys()) {
    const last = runs.at(-1)
    if (last?.isFolded === !isShown(at)) last.to = at + 1
    else runs.push({ isFolded: !isShown(at), from: at, to: at + 1 })
  }
  return runs.map((run) => ({ ...run, isFolded: run.isFolded && run.to - run.from >= fewestFolded }))
}
