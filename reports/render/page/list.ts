import type { PageElement } from './browser.ts'
import type { Kit, View } from './kit.ts'

export interface Entry {
  readonly id: string
  readonly group: string
  readonly icon: string
  readonly verdictWord: string
  readonly name: string
  readonly says: string
  readonly level: string
  readonly amount: string
  detail(): PageElement
}

export interface List {
  /** Shows these entries, the first few hundred at once and the rest as the reader comes near. */
  show(entries: readonly Entry[]): void
  /** Draws what is not drawn yet, for printing. */
  all(): void
  /** Opens an entry and brings it into sight; false if it is not among those shown. */
  reveal(id: string): boolean
  close(id: string): void
}

export function makeList(kit: Kit, host: PageElement, toggled: (id: string, open: boolean) => void): List {
  const { el, visible } = kit
  const size = 150
  let entries: readonly Entry[] = []
  let drawn = 0
  let group: { name: string; body: PageElement } | undefined
  const end = el('div', { class: 'end', 'aria-hidden': 'true' })
  const items = new Map<string, { entry: Entry; button: PageElement; item: PageElement; detail?: PageElement }>()

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
      const button = el(
        'button',
        {
          type: 'button',
          class: 'row',
          'aria-expanded': 'false',
          onclick: () => {
            const open = !items.get(entry.id)?.detail
            set(entry.id, open)
            toggled(entry.id, open)
          },
        },
        kit.icon(entry.icon),
        el('span', { class: 'vh' }, `${entry.verdictWord}: `),
        el('span', { class: 'name' }, visible(entry.name)),
        el('span', { class: 'says' }, ...kit.prose(kit, entry.says)),
        el('span', { class: `level ${entry.level}` }, entry.level),
        el('span', { class: 'ms' }, entry.amount),
      )
      const item = el('li', { class: 'item' }, button)
      items.set(entry.id, { entry, button, item })
      group.body.append(item)
    }
    host.append(end)
    end.hidden = drawn >= entries.length
  }
  const watch = new kit.browser.IntersectionObserver(
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
      if (entries.length === 0)
        host.append(
          el('p', { class: 'empty' }, 'Nothing matches these filters. ', el('a', { href: '#' }, 'Show everything')),
        )
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

/** The entries of a view, and how many there are without its filters. */
export function entriesOf(kit: Kit, view: View, haystacks: readonly string[]): { entries: Entry[]; of: number } {
  const { data } = kit
  // A parallel run may finish topics in turns; a reader wants each in one piece.
  const gather = (entries: readonly Entry[]): Entry[] =>
    [...Map.groupBy(entries, (entry) => entry.group).values()].flat()
  if (view.list === 'requirements') {
    const entries = data.requirements.flatMap((one): Entry[] => {
      const checks = one.checks.flatMap((at) => data.checks[at] ?? [])
      const haystack = `${one.id} ${one.says} ${one.place} ${one.open ?? ''}`.toLowerCase()
      if (!kit.matchesRequirement(one, checks, haystack, view)) return []
      const silent = one.level === 'info' ? 'Never asserted' : 'Not in this run'
      return [
        {
          id: one.id,
          group: `${one.area} · ${one.title}, ${one.source.section}`,
          icon: one.verdict ?? 'none',
          verdictWord: one.verdict ? data.words[one.verdict] : silent,
          name: one.source.row,
          says: one.says,
          level: one.level,
          amount: checks.length === 0 ? silent : checks.length === 1 ? '1 check' : `${checks.length} checks`,
          detail: () => kit.requirementDetail(kit, one),
        },
      ]
    })
    return { entries: gather(entries), of: data.requirements.length }
  }
  const says = new Map(data.requirements.map((one) => [one.id, one.says]))
  const entries = data.checks.flatMap((check, at): Entry[] => {
    if (!kit.matchesCheck(check, haystacks[at] ?? '', view)) return []
    return [
      {
        id: check.id,
        group: check.topic,
        icon: check.verdict,
        verdictWord: data.words[check.verdict],
        name: check.id.startsWith(`${check.topic}/`) ? check.id.slice(check.topic.length + 1) : check.id,
        says: says.get(check.requirements[0] ?? '') ?? '',
        level: check.level,
        amount:
          check.durationMs === 0
            ? ''
            : check.durationMs < 1000
              ? `${Math.max(1, Math.round(check.durationMs))} ms`
              : `${(check.durationMs / 1000).toFixed(1)} s`,
        detail: () => kit.checkDetail(kit, check, at),
      },
    ]
  })
  return { entries: gather(entries), of: data.checks.length }
}
