import type { ResultDocument } from '../../harness/vocabulary/index.ts'
import { markup } from './escape.ts'
import { verdictColour } from './html/verdict-colour.ts'
import { runLooks } from './wording.ts'

/** Renders a badge for a README, which states the verdict in words, also for screen readers. */
export function renderBadge(document: ResultDocument): string {
  const { word, title: right, headline } = document.verdict
  const [colour] = verdictColour[runLooks[word]]
  const left = 'API conformance'
  // The estimate is close to the width of 11 px Verdana; `textLength` makes every other font fit.
  const widthOf = (text: string): number => Math.round(text.length * 6.6)
  const first = widthOf(left) + 12
  const second = widthOf(right) + 12
  const text = (words: string, x: number): string =>
    `<text x="${x}" y="14" textLength="${widthOf(words)}" lengthAdjust="spacingAndGlyphs">${markup(words)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${first + second}" height="20" role="img" aria-labelledby="title">
<title id="title">${left}: ${markup(right)}. ${markup(headline)}</title>
<clipPath id="round"><rect width="${first + second}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${first}" height="20" fill="#3f4650"/><rect x="${first}" width="${second}" height="20" fill="${colour}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(left, 6)}${text(right, first + 6)}</g>
</svg>
`
}
