/** Shows how it is known that a check can fail: the faults that it has noticed. */
import { visible } from '../../escape.ts'
import type { PackedExchanges, PageCheck } from '../page-data.ts'
import { el, prose } from './element.ts'

/** The number of faults that are shown unfolded. */
const shownAtFirst = 3

export function evidence({ provenBy }: PageCheck, faults: PackedExchanges['faults'] = {}): readonly HTMLElement[] {
  if (provenBy === undefined)
    return [el('p', { class: 'note' }, 'This result does not record which faults its checks have noticed.')]
  const items = (ids: readonly string[]): readonly HTMLElement[] =>
    ids.map((id) =>
      el(
        'li',
        {},
        el('span', {}, ...prose(Object.hasOwn(faults, id) ? (faults[id] ?? id) : id)),
        ' ',
        el('code', { class: 'note' }, visible(id)),
      ),
    )
  const ofServer =
    provenBy.mutants.length === 1 ? 'this fault was' : `each of these ${provenBy.mutants.length} faults was`
  const onWire = provenBy.faults.length === 1 ? 'this fault' : `each of these ${provenBy.faults.length} faults`
  return [
    el(
      'p',
      {},
      `It failed as soon as ${ofServer} put into the reference server, and passes without ${provenBy.mutants.length === 1 ? 'it' : 'them'}:`,
    ),
    ...folded(items(provenBy.mutants)),
    ...(provenBy.faults.length === 0
      ? [
          el(
            'p',
            { class: 'note' },
            'No fault on the wire is recorded for this check: each fault is recorded only for the first check that notices it.',
          ),
        ]
      : [
          el('p', {}, `It was the first to notice ${onWire}, played on the wire between it and the reference server:`),
          ...folded(items(provenBy.faults)),
        ]),
  ]
}

function folded(items: readonly HTMLElement[]): readonly HTMLElement[] {
  const list = (some: readonly HTMLElement[]): HTMLElement => el('ul', { class: 'faults' }, ...some)
  const rest = items.slice(shownAtFirst)
  const first = list(items.slice(0, shownAtFirst))
  return rest.length === 0
    ? [first]
    : [first, el('details', { class: 'fold' }, el('summary', {}, `${rest.length} more`), list(rest))]
}
