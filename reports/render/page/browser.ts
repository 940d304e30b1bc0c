/** The part of the DOM that the page uses. The suite's types stay those of Node: a global `document` there would hide
 * mistakes everywhere else. */

export interface PageEvent {
  readonly key?: string
  readonly ctrlKey?: boolean
  readonly metaKey?: boolean
  readonly altKey?: boolean
  readonly target: PageElement | null
  preventDefault(): void
}

export interface PageNode {
  textContent: string | null
  remove(): void
}

export interface PageElement extends PageNode {
  id: string
  className: string
  value: string
  hidden: boolean
  open: boolean
  checked: boolean
  readonly tagName: string
  readonly classList: { toggle(name: string, on?: boolean): void; contains(name: string): boolean }
  readonly dataset: Record<string, string | undefined>
  readonly firstElementChild: PageElement | null
  append(...nodes: (PageNode | string)[]): void
  replaceChildren(...nodes: (PageNode | string)[]): void
  setAttribute(name: string, value: string): void
  getAttribute(name: string): string | null
  removeAttribute(name: string): void
  addEventListener(type: string, listener: (event: PageEvent) => void): void
  closest(selector: string): PageElement | null
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
  scrollIntoView(options?: { block?: string; behavior?: string }): void
  focus(options?: { preventScroll?: boolean }): void
  blur(): void
  select(): void
  showModal(): void
  close(): void
}

export interface PageDocument {
  readonly documentElement: PageElement
  readonly body: PageElement
  readonly activeElement: PageElement | null
  createElement(tag: string): PageElement
  createElementNS(space: string, tag: string): PageElement
  getElementById(id: string): PageElement | null
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
  addEventListener(type: string, listener: (event: PageEvent) => void): void
  execCommand(command: string): boolean
}

export interface Browser {
  readonly document: PageDocument
  readonly location: { hash: string }
  readonly history: Readonly<Record<'pushState' | 'replaceState', (state: null, unused: string, url: string) => void>>
  readonly localStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void }
  readonly navigator: { readonly clipboard?: { writeText(text: string): Promise<void> } }
  readonly IntersectionObserver: new (
    seen: (entries: readonly { readonly isIntersecting: boolean }[]) => void,
    options: { rootMargin: string },
  ) => { observe(element: PageElement): void }
  addEventListener(type: string, listener: (event: PageEvent) => void): void
  print(): void
}
