import type { Browser, PageElement } from './browser.ts'
import type { Child, Kit } from './kit.ts'

/** The makers of elements: markup in the data can never become markup of the page. */
export function makeElements(browser: Browser): Pick<Kit, 'el' | 'icon'> {
  return {
    el(tag, properties = {}, ...children) {
      const element = browser.document.createElement(tag)
      for (const [name, value] of Object.entries(properties)) {
        if (typeof value === 'function') element.addEventListener('click', value)
        else if (value === true) element.setAttribute(name, '')
        else if (typeof value === 'string') element.setAttribute(name, value)
      }
      for (const child of children) if (child) element.append(child)
      return element
    },
    icon(name): PageElement {
      const space = 'http://www.w3.org/2000/svg'
      const svg = browser.document.createElementNS(space, 'svg')
      svg.setAttribute('class', `icon ${name}`)
      svg.setAttribute('aria-hidden', 'true')
      const use = browser.document.createElementNS(space, 'use')
      use.setAttribute('href', `#icon-${name}`)
      svg.append(use)
      return svg
    },
  }
}

/** Words for a reader, in which backquotes set code apart. */
export function prose(kit: Kit, text: string): Child[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? kit.el('code', {}, kit.visible(part)) : kit.visible(part)))
}
