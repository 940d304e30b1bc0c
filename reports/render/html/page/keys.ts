import type { Page } from './page.ts'

/** Listens to the keyboard: `/` searches, `j` and `k` move through the rows, Enter opens one, Escape goes back, `?`
 * shows all keys. */
export function listenToKeys(page: Page, search: HTMLInputElement, help: HTMLDialogElement): void {
  const keys: Readonly<Record<string, () => void>> = {
    '/': () => {
      search.focus()
      search.select()
    },
    j: () => focusRow(1),
    k: () => focusRow(-1),
    '?': () => help.showModal(),
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return
    const field = fieldOf(event)
    if (event.key === 'Escape') {
      if (field) leaveField(page, field, search)
      else closeRow(page)
      return
    }
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (field || !act) return
    event.preventDefault()
    act()
  })
}

/** Returns the field in which the reader is typing, if any. */
function fieldOf({ target }: KeyboardEvent): HTMLElement | undefined {
  return target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) ? target : undefined
}

function leaveField(page: Page, field: HTMLElement, search: HTMLInputElement): void {
  if (field === search && search.value) page.go({ text: '' })
  else field.blur()
}

function closeRow(page: Page): void {
  if (!page.view.open) return
  const row = document.activeElement?.closest('.item')?.querySelector<HTMLElement>('.row')
  page.go({ open: '' })
  row?.focus({ preventScroll: true })
}

function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('#list .row')]
  const here = document.activeElement?.closest('.item')?.querySelector<HTMLElement>('.row')
  const at = here ? rows.indexOf(here) : -1
  const next = at === -1 ? rows[0] : rows[at + by]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}
