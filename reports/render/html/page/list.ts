import { visible } from '../../escape.ts'
import { meaningOf } from '../glossary.ts'
import { el, icon, prose } from './element.ts'
import type { Entry } from './entries.ts'

export interface List {
  /** Shows these entries: the first 150 at once, and more whenever the reader scrolls near the end. */
  show(entries: readonly Entry[]): void
  /** Draws all remaining entries, for printing. */
  all(): void
  /** Opens an entry and scrolls it into view. Returns false if it is not among those shown. */
  reveal(id: string): boolean
  close(id: string): void
}

/** So many entries are drawn at once. */
const size = 150

export function makeList(host: HTMLElement, toggled: (id: string, open: boolean) => void): List {
  let entries: readonly Entry[] = []
  let drawn = 0
  let group: { name: string; body: HTMLElement } | undefined
  const end = el('div', { class: 'end', 'aria-hidden': 'true' })
  const items = new Map<string, { entry: Entry; button: HTMLElement; item: HTMLElement; detail?: HTMLElement }>()

  const set = (id: string, open: boolean): void => {
    const row = items.get(id)
    if (!row || open === Boolean(row.detail)) return
    row.button.setAttribute('aria-expanded', String(open))
    row.item.classList.toggle('open', open)
    if (open) {
      row.detail = row.entry.detail()
      row.item.append(row.detail)
    } else {
      row.detail?.remove()
      delete row.detail
    }
  }

  const draw = (upTo: number): void => {
    for (; drawn < Math.min(upTo, entries.length); drawn++) {
      const entry = entries[drawn]
      if (!entry) break
      if (group?.name !== entry.group) {
        const body = el('ul', {})
        group = { name: entry.group, body }
        host.append(el('section', { class: 'group' }, el('h3', {}, visible(entry.group)), body))
      }
      const button = rowOf(entry, () => {
        const open = !items.get(entry.id)?.detail
        set(entry.id, open)
        toggled(entry.id, open)
      })
      const item = el('li', { class: 'item' }, button)
      items.set(entry.id, { entry, button, item })
      group.body.append(item)
    }
    host.append(end)
    end.hidden = drawn >= entries.length
  }
  const watch = new IntersectionObserver(
    (seen) => {
      if (seen.some((one) => one.isIntersecting) && drawn < entries.length) draw(drawn + size)
    },
    { rootMargin: '1500px' },
  )
  watch.observe(end)

  return {
    show(next) {
      entries = next
      drawn = 0
      group = undefined
      items.clear()
      host.replaceChildren()
      if (entries.length === 0) host.append(nothing())
      draw(size)
    },
    all: () => draw(entries.length),
    reveal(id) {
      const at = entries.findIndex((entry) => entry.id === id)
      if (at === -1) return false
      draw(at + size)
      set(id, true)
      const row = items.get(id)
      row?.item.scrollIntoView({ block: 'start' })
      row?.button.focus({ preventScroll: true })
      return true
    },
    close: (id) => set(id, false),
  }
}

const rowOf = (entry: Entry, onclick: () => void): HTMLElement =>
  el(
    'button',
    { type: 'button', class: 'row', 'aria-expanded': 'false', onclick },
    icon(entry.icon),
    el('span', { class: 'vh' }, `${entry.verdictWord}: `),
    el('span', { class: 'name' }, visible(entry.name)),
    el('span', { class: 'says' }, ...prose(entry.says)),
    el('span', { class: `level ${entry.level}`, 'data-tip': meaningOf(entry.level) }, entry.level),
    el('span', { class: 'ms' }, entry.amount),
  )

const nothing = (): HTMLElement =>
  el('p', { class: 'empty' }, 'Nothing matches these filters. ', el('a', { href: '#' }, 'Show everything'))
