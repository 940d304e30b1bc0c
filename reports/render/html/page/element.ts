/** Creates elements. Text is always set as text, so that markup in the data can never become markup of the page. */
import { visible } from '../../escape.ts'

export type Child = Node | string | false | undefined
/** Attributes of an element. A function becomes a listener for clicks. */
export type Properties = Readonly<Record<string, string | boolean | undefined | (() => void)>>

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) setProperty(element, name, value)
  for (const child of children) if (child) element.append(child)
  return element
}

function setProperty(element: HTMLElement, name: string, value: Properties[string]): void {
  if (typeof value === 'function') element.addEventListener('click', value)
  else if (value === true) element.setAttribute(name, '')
  else if (typeof value === 'string') element.setAttribute(name, value)
}

export function icon(name: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('class', `icon ${name}`)
  svg.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use')
  use.setAttribute('href', `#icon-${name}`)
  svg.append(use)
  return svg
}

/** Converts words for a reader, in which code is set in backquotes. */
export function prose(text: string): Child[] {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? el('code', {}, visible(part)) : visible(part)))
}
