/** The entry point of the page's script: it reads the data, builds the list, and keeps view, controls and hash in
 * sync. */
import { visible } from '../../escape.ts'
import type { PackedExchanges, PageData } from '../page-data.ts'
import { copyText } from './copy.ts'
import { type Entries, entriesOf } from './entries.ts'
import { exchangeCard } from './exchange.ts'
import { listenToKeys } from './keys.ts'
import { type List, makeList } from './list.ts'
import type { Page } from './page.ts'
import { chooseTheme } from './theme.ts'
import { drawTimeline } from './timeline.ts'
import { listenToTips } from './tip.ts'
import { readHash, type View, writeHash } from './view.ts'

function find(id: string): HTMLElement
function find<T extends HTMLElement>(id: string, kind: new () => T): T
function find(id: string, kind: new () => HTMLElement = HTMLElement): HTMLElement {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`the page has no #${id}`)
  return element
}

const data: PageData = JSON.parse(find('data').textContent ?? '')
const search = find('text', HTMLInputElement)
const help = find('help', HTMLDialogElement)
const selects = (['area', 'kind', 'level', 'blocker', 'coverage'] as const).map((name) => ({
  name,
  element: find(name, HTMLSelectElement),
}))
const toggles = [...document.querySelectorAll<HTMLElement>('[data-verdict]')]
const tabs = [...document.querySelectorAll<HTMLElement>('[data-list]')]
const haystacks = haystacksOf(data)

let view = readHash(location.hash)
/** The filters that only requirements have. */
const ofRequirements = { coverage: '', section: '', request: '' }
/** The timer that applies what was typed to the view. */
let typed: ReturnType<typeof setTimeout> | undefined
/** The filters that the list shows, as a hash. */
let shown = ''
let unpacked: Promise<PackedExchanges> | undefined

const page: Page = {
  data,
  exchanges() {
    unpacked ??= unpack()
    return unpacked
  },
  get view() {
    return view
  },
  go(change) {
    const text = typed === undefined ? view.text : search.value.trim()
    const next = { ...view, open: '', text, ...change }
    // The browser's back button restores earlier filters, but not each typed letter or each opened row.
    const isPassing = 'text' in change || 'open' in change
    history[isPassing ? 'replaceState' : 'pushState'](null, '', writeHash(next))
    apply(next, false)
  },
}
const list: List = makeList(find('list'), (id, open) => page.go({ open: open ? id : '' }))

async function unpack(): Promise<PackedExchanges> {
  const bytes = Uint8Array.from(atob(find('packed').textContent ?? ''), (sign) => sign.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text())
}

/** Returns the searchable text of each check, in lower case. */
function haystacksOf({ requirements, checks }: PageData): readonly string[] {
  const says = new Map(requirements.map((one) => [one.id, `${one.says} ${one.place}`]))
  return checks.map((one) =>
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
}

/** Shows a view and draws only what changed, because opening a row must not redraw the list. `reveal` scrolls what is
 * open into view. */
function apply(next: View, reveal: boolean): void {
  const before = view
  view = next
  // The view already contains what was typed; if its timer still fired, it would close what was opened since.
  clearTimeout(typed)
  typed = undefined
  const filters = writeHash({ ...view, open: '' })
  if (filters !== shown) {
    shown = filters
    drawList()
    if (view.open && !reveal) list.reveal(view.open)
  } else if (before.open && !view.open) list.close(before.open)
  setControls()
  if (reveal) scrollIntoSight(filters)
}

function drawList(): void {
  const others = entriesOf(page, { ...view, verdict: [] }, haystacks).entries
  for (const toggle of toggles) {
    const amount = toggle.querySelector('span')
    const own = others.filter(({ icon }) => icon === toggle.dataset.verdict)
    if (amount) amount.textContent = own.length.toLocaleString('en')
  }
  const found = entriesOf(page, view, haystacks)
  find('list').className = view.list
  list.show(found.entries)
  find('found').textContent = amountWords(found)
  find('clear').hidden = shown === '#' || shown === '#list=requirements'
}

function amountWords({ entries, of }: Entries): string {
  const all = `${of.toLocaleString('en')} ${view.list}`
  // These two filters have no control of their own, so they are named here.
  const within = [view.section, view.request].filter(Boolean).map((one) => ` · ${visible(one)}`)
  return `${entries.length === of ? all : `${entries.length.toLocaleString('en')} of ${all}`}${within.join('')}`
}

function setControls(): void {
  if (search.value !== view.text) search.value = view.text
  for (const { name, element } of selects) element.value = view[name]
  find('coverage').hidden = view.list === 'checks'
  for (const toggle of toggles)
    toggle.setAttribute('aria-pressed', String(view.verdict.includes(toggle.dataset.verdict ?? '')))
  for (const tab of tabs) {
    if (tab.dataset.list === view.list) tab.setAttribute('aria-current', 'true')
    else tab.removeAttribute('aria-current')
  }
}

function scrollIntoSight(filters: string): void {
  if (!view.open) {
    if (filters !== '#') find('results').scrollIntoView({ block: 'start' })
    return
  }
  if (list.reveal(view.open)) return
  // If the filters hide what a link points to, the filters are dropped.
  const bare = { ...readHash(''), list: view.list, open: view.open }
  if (!entriesOf(page, bare, haystacks).entries.some((entry) => entry.id === bare.open)) return
  history.replaceState(null, '', writeHash(bare))
  apply(bare, true)
}

function listenToFilters(): void {
  search.addEventListener('input', () => {
    clearTimeout(typed)
    typed = setTimeout(() => page.go({ text: search.value.trim() }), 120)
  })
  for (const { name, element } of selects) element.addEventListener('change', () => page.go({ [name]: element.value }))
  for (const toggle of toggles)
    toggle.addEventListener('click', () => {
      const verdict = toggle.dataset.verdict ?? ''
      const others = view.verdict.filter((one) => one !== verdict)
      page.go({ verdict: others.length < view.verdict.length ? others : [...others, verdict] })
    })
  for (const tab of tabs)
    tab.addEventListener('click', () =>
      page.go({ list: tab.dataset.list === 'requirements' ? 'requirements' : 'checks', open: '', ...ofRequirements }),
    )
  find('clear').addEventListener('click', () => page.go({ ...readHash(''), list: view.list }))
  addEventListener('hashchange', () => apply(readHash(location.hash), true))
}

function listenToTools(): void {
  addEventListener('beforeprint', () => {
    list.all()
    for (const more of document.querySelectorAll(
      '.hero details, .causes details, .findings details, .blockers details',
    ))
      more.setAttribute('open', '')
  })
  find('print').addEventListener('click', () => print())
  find('keys').addEventListener('click', () => help.showModal())
  find('close-help').addEventListener('click', () => help.close())
  find('probe').addEventListener('toggle', showProbe)
  document.getElementById('timeline')?.addEventListener('toggle', () => drawTimeline(page, find('lanes')))
  chooseTheme(find('theme'))
  listenToTips()
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]'))
    button.addEventListener('click', () =>
      copyText(button.parentElement?.querySelector('code')?.textContent ?? '', button),
    )
  listenToKeys(page, search, help)
}

function showProbe(): void {
  const host = find('probe-exchanges')
  if (host.firstElementChild) return
  page.exchanges().then(
    ({ probe }) =>
      host.replaceChildren(...probe.map((one) => exchangeCard(page, one, { isOpen: false, isWrong: false }))),
    () => undefined,
  )
}

listenToFilters()
listenToTools()
document.documentElement.classList.add('live')
apply(view, location.hash.length > 1)
