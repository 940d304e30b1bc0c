import type { Browser, PageElement } from './browser.ts'
import type { Kit, PackedExchanges, PageData, View } from './kit.ts'
import type { PageParts } from './parts.ts'

/** Brings the page to life: reads the data, builds the list, and keeps view, controls and hash the same. */
export function start(browser: Browser, parts: PageParts): void {
  const { document, location } = browser
  const find = (id: string): PageElement => {
    const element = document.getElementById(id)
    if (!element) throw new Error(`the page has no #${id}`)
    return element
  }
  const data: PageData = JSON.parse(find('data').textContent ?? '')
  /** Typing that is not in the view yet. */
  let typed: ReturnType<typeof setTimeout> | undefined
  let unpacked: Promise<PackedExchanges> | undefined
  const unpack = async (): Promise<PackedExchanges> => {
    const bytes = Uint8Array.from(atob(find('packed').textContent ?? ''), (sign) => sign.charCodeAt(0))
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
    return JSON.parse(await new Response(stream).text())
  }
  const kit: Kit = {
    ...parts,
    ...parts.makeElements(browser),
    browser,
    data,
    exchanges: () => {
      unpacked ??= unpack()
      return unpacked
    },
    view: parts.readHash(location.hash),
    go(change) {
      const text = typed === undefined ? kit.view.text : search.value.trim()
      const next = { ...kit.view, open: '', text, ...change }
      // A filter is a place to come back to; typing and opening are not.
      const passing = 'text' in change || 'open' in change
      browser.history[passing ? 'replaceState' : 'pushState'](null, '', kit.writeHash(next))
      apply(next, false)
    },
  }
  const says = new Map(data.requirements.map((one) => [one.id, `${one.says} ${one.place}`]))
  const haystacks = data.checks.map((one) =>
    [
      one.id,
      ...one.requirements.flatMap((id) => [id, says.get(id) ?? '']),
      ...one.given,
      one.when,
      ...one.then,
      one.blocker?.reason ?? '',
      one.accepted?.reason ?? '',
      ...one.mismatches.flatMap((mismatch) => [mismatch.asked, mismatch.at, mismatch.wanted, mismatch.saw]),
    ]
      .join(' ')
      .toLowerCase(),
  )
  const search = find('text')
  const selects = (['area', 'kind', 'level', 'blocker'] as const).map((name) => ({ name, element: find(name) }))
  const toggles = [...document.querySelectorAll('[data-verdict]')]
  const tabs = [...document.querySelectorAll('[data-list]')]
  const list = kit.makeList(kit, find('list'), (id, open) => kit.go({ open: open ? id : '' }))
  let shown = ''

  /** Draws only what changed: an opened row must not redraw the list. */
  const apply = (view: View, reveal: boolean): void => {
    const before = kit.view
    kit.view = view
    // Else it would come later, and close what was opened since.
    clearTimeout(typed)
    typed = undefined
    const filters = kit.writeHash({ ...view, open: '' })
    if (filters !== shown) {
      shown = filters
      const others = kit.entriesOf(kit, { ...view, verdict: [] }, haystacks).entries
      for (const toggle of toggles) {
        const amount = toggle.querySelector('span')
        if (amount)
          amount.textContent = others.filter(({ icon }) => icon === toggle.dataset.verdict).length.toLocaleString('en')
      }
      const { entries, of } = kit.entriesOf(kit, view, haystacks)
      find('list').className = view.list
      list.show(entries)
      if (view.open && !reveal) list.reveal(view.open)
      const noun = view.list
      find('found').textContent =
        entries.length === of
          ? `${of.toLocaleString('en')} ${noun}`
          : `${entries.length.toLocaleString('en')} of ${of.toLocaleString('en')} ${noun}`
      find('clear').hidden = filters === '#' || filters === '#list=requirements'
    } else if (before.open && !view.open) list.close(before.open)
    if (search.value !== view.text) search.value = view.text
    for (const { name, element } of selects) element.value = view[name]
    for (const toggle of toggles) {
      const verdict = toggle.dataset.verdict ?? ''
      toggle.setAttribute('aria-pressed', String(view.verdict.includes(verdict)))
    }
    for (const tab of tabs) {
      if (tab.dataset.list === view.list) tab.setAttribute('aria-current', 'true')
      else tab.removeAttribute('aria-current')
    }
    if (reveal && view.open && !list.reveal(view.open)) {
      // A link to something the filters hide: the link wins.
      const bare = { ...kit.readHash(''), list: view.list, open: view.open }
      const { entries } = kit.entriesOf(kit, bare, haystacks)
      if (entries.some((entry) => entry.id === view.open)) {
        browser.history.replaceState(null, '', kit.writeHash(bare))
        apply(bare, true)
      }
    } else if (reveal && !view.open && filters !== '#') find('results').scrollIntoView({ block: 'start' })
  }

  search.addEventListener('input', () => {
    clearTimeout(typed)
    typed = setTimeout(() => kit.go({ text: search.value.trim() }), 120)
  })
  for (const { name, element } of selects) element.addEventListener('change', () => kit.go({ [name]: element.value }))
  for (const toggle of toggles)
    toggle.addEventListener('click', () => {
      const verdict = toggle.dataset.verdict ?? ''
      const { view } = kit
      kit.go({
        verdict: view.verdict.includes(verdict)
          ? view.verdict.filter((one) => one !== verdict)
          : [...view.verdict, verdict],
      })
    })
  for (const tab of tabs)
    tab.addEventListener('click', () =>
      kit.go({ list: tab.dataset.list === 'requirements' ? 'requirements' : 'checks', open: '' }),
    )
  find('clear').addEventListener('click', () => kit.go({ ...kit.readHash(''), list: kit.view.list }))
  browser.addEventListener('hashchange', () => apply(kit.readHash(location.hash), true))
  browser.addEventListener('beforeprint', () => {
    list.all()
    for (const more of document.querySelectorAll('.findings details')) more.setAttribute('open', '')
  })
  find('print').addEventListener('click', () => browser.print())
  const help = find('help')
  find('keys').addEventListener('click', () => help.showModal())
  find('close-help').addEventListener('click', () => help.close())
  find('probe').addEventListener('toggle', () => {
    const host = find('probe-exchanges')
    if (host.firstElementChild) return
    kit.exchanges().then(
      ({ probe }) =>
        host.replaceChildren(
          ...probe.map((one) => kit.exchangeCard(kit, one, { mismatches: [], isOpen: false, isWrong: false })),
        ),
      () => undefined,
    )
  })
  kit.chooseTheme(kit, find('theme'))
  kit.listenToKeys(kit, search, help)
  document.documentElement.classList.toggle('live', true)
  apply(kit.view, location.hash.length > 1)
}
