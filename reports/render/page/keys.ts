import type { PageElement } from './browser.ts'
import type { Kit } from './kit.ts'

/** `/` search, `j` and `k` through the rows, enter opens, escape goes back, `?` tells. */
export function listenToKeys(kit: Kit, search: PageElement, help: PageElement): void {
  const { document } = kit.browser
  const step = (by: 1 | -1): void => {
    const rows = [...document.querySelectorAll('#list .row')]
    const here = document.activeElement?.closest('.item')?.querySelector('.row')
    const at = here ? rows.indexOf(here) : -1
    const next = at === -1 ? rows[0] : rows[at + by]
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'nearest' })
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target?.tagName ?? '')
    if (event.key === 'Escape') {
      if (typing) {
        if (event.target === search && search.value) kit.go({ text: '' })
        else event.target?.blur()
      } else if (kit.view.open) {
        const row = document.activeElement?.closest('.item')?.querySelector('.row')
        kit.go({ open: '' })
        row?.focus({ preventScroll: true })
      }
      return
    }
    if (typing) return
    const act: Readonly<Record<string, () => void>> = {
      '/': () => {
        search.focus()
        search.select()
      },
      j: () => step(1),
      k: () => step(-1),
      '?': () => help.showModal(),
    }
    const chosen = event.key === undefined ? undefined : act[event.key]
    if (!chosen) return
    event.preventDefault()
    chosen()
  })
}
