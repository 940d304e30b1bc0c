/** Draws the map, which has a cell for each row of the documents, grouped by area. Arrow keys move through the cells of
 * an area, so that the Tab key stops only once there. */
import { visible } from '../escape.ts'
import type { PageData, PageRequirement } from '../page-data.ts'
import { el } from './element.ts'
import { readHash, writeHash } from './view.ts'

export function drawMap(data: PageData, legend: HTMLElement): void {
  const states = new Map<string, { word: string; amount: number; href: string }>()
  for (const host of document.querySelectorAll<HTMLElement>('[data-area]')) {
    const rows = data.requirements.filter(({ area }) => area === host.dataset.area)
    for (const row of rows) {
      const { state, word, href } = stateOf(row, data)
      states.set(state, { word, href, amount: (states.get(state)?.amount ?? 0) + 1 })
      host.append(cellOf(row, `cell ${state}`, word))
    }
    host.firstElementChild?.setAttribute('tabindex', '0')
    host.addEventListener('keydown', (event) => walk(host, event))
  }
  const order = ['fail', 'error', 'not-verified', 'warn', 'accepted', 'pass', 'not-applicable', 'silent', 'open']
  for (const state of order) {
    const known = states.get(state)
    if (!known) continue
    const words = `${known.amount.toLocaleString('en')} ${known.word.toLowerCase()}`
    const mark = el('span', { class: `cell ${state}`, 'aria-hidden': 'true' })
    legend.append(el('li', {}, el('a', { href: known.href }, mark, words)))
  }
}

function stateOf(row: PageRequirement, data: PageData): { state: string; word: string; href: string } {
  const bare = { ...readHash(''), list: 'requirements' as const }
  if (row.verdict)
    return {
      state: row.verdict,
      word: data.words[row.verdict],
      href: writeHash({ ...bare, verdict: [row.verdict] }),
    }
  return row.level === 'info'
    ? { state: 'open', word: 'Left open by the documents', href: writeHash({ ...bare, coverage: row.fate }) }
    : { state: 'silent', word: 'No check in this run', href: writeHash({ ...bare, coverage: row.fate }) }
}

function cellOf(row: PageRequirement, look: string, word: string): HTMLElement {
  const level = row.level === 'info' ? '' : ` (${row.level})`
  const words = `${word}${level}: ${visible(row.says).replaceAll('`', '')} ${visible(row.place)}`
  const href = writeHash({ ...readHash(''), list: 'requirements', open: row.id })
  return el('a', { class: look, href, tabindex: '-1', 'aria-label': words, 'data-tip': words })
}

/** Moves the focus: left and right follow the order of the rows; up and down go to the nearest cell of the line above
 * or below. */
function walk(host: HTMLElement, event: KeyboardEvent): void {
  const cells = [...host.children].filter((cell) => cell instanceof HTMLElement)
  const here = cells.find((cell) => cell === event.target)
  if (!here || event.ctrlKey || event.metaKey || event.altKey) return
  const at = cells.indexOf(here)
  const targets: Readonly<Record<string, () => HTMLElement | undefined>> = {
    ArrowRight: () => cells[at + 1],
    ArrowLeft: () => cells[at - 1],
    Home: () => cells[0],
    End: () => cells.at(-1),
    ArrowDown: () =>
      cells.slice(at).find((cell) => cell.offsetTop > here.offsetTop && cell.offsetLeft >= here.offsetLeft),
    ArrowUp: () =>
      cells.slice(0, at).findLast((cell) => cell.offsetTop < here.offsetTop && cell.offsetLeft <= here.offsetLeft),
  }
  const find = Object.hasOwn(targets, event.key) ? targets[event.key] : undefined
  if (!find) return
  event.preventDefault()
  const next = find()
  if (!next) return
  here.setAttribute('tabindex', '-1')
  next.setAttribute('tabindex', '0')
  next.focus()
}
