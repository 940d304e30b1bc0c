/** One tooltip for the whole page. It explains a cell of the map or a word, appears at once on hover and on focus, and
 * is hidden by Escape. */
import { el } from './element.ts'

export function listenToTips(): void {
  // The browser's own tooltip appears late, and never on focus.
  for (const word of document.querySelectorAll<HTMLElement>('abbr[title]')) {
    word.dataset.tip = word.title
    word.removeAttribute('title')
  }
  const tip = el('div', { class: 'tip', role: 'tooltip', hidden: true })
  document.body.append(tip)
  const show = (event: Event): void => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null
    tip.hidden = target === null
    if (target === null) return
    tip.textContent = target.dataset.tip ?? ''
    const { left, top, bottom } = target.getBoundingClientRect()
    const { offsetWidth: width, offsetHeight: height } = tip
    const isAbove = bottom + height + 8 > innerHeight
    tip.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - width - 8))}px`
    tip.style.top = `${isAbove ? top - height - 6 : bottom + 6}px`
  }
  const hide = (): void => {
    tip.hidden = true
  }
  document.addEventListener('mouseover', show)
  document.addEventListener('focusin', show)
  document.addEventListener('scroll', hide, { passive: true })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide()
  })
}
