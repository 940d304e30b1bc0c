/** Finds the beginnings of secrets at the ends of texts that were cut before their secrets were known. */

import type { Span } from './finder.ts'
import { exactForms } from './secret-encodings.ts'

/** This suite writes such a mark where it cuts a text. */
const cutMark = /… \((?:cut: )?\d+ (?:characters|bytes)/g

/** A shorter beginning gives nothing away, and would be found at the end of ordinary words. */
const shortestBeginning = 4
/** Comparisons that one text may cost. */
const mostSteps = 500_000

export class CutSecrets {
  /** Forms by their first characters. */
  readonly #forms = new Map<string, { readonly form: string; readonly label: string }[]>()
  #longest = 0

  add(secret: string, label: string): void {
    for (const form of exactForms(secret)) {
      const key = form.slice(0, shortestBeginning)
      const forms = this.#forms.get(key)
      if (forms) forms.push({ form, label })
      else this.#forms.set(key, [{ form, label }])
      this.#longest = Math.max(this.#longest, form.length)
    }
  }

  /** Spans in order; undefined where the text would take too long to search. */
  find(text: string): Span[] | undefined {
    const spans: Span[] = []
    let left = mostSteps
    cutMark.lastIndex = 0
    for (let mark = cutMark.exec(text); mark; mark = cutMark.exec(text)) {
      const end = mark.index
      const first = Math.max(spans.at(-1)?.end ?? 0, end - this.#longest, 0)
      for (let start = first; start <= end - shortestBeginning; start++) {
        const forms = this.#forms.get(text.slice(start, start + shortestBeginning)) ?? []
        left -= 1 + forms.length
        const found = forms.find(({ form }) => form.length >= end - start && form.startsWith(text.slice(start, end)))
        if (found) {
          spans.push({ start, end, label: found.label })
          break
        }
        if (left < 0) return undefined
      }
    }
    return spans
  }
}
