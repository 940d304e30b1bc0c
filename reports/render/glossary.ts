/** The words that a report uses in a sense of its own: shown behind `?`, and beside the word on hover. This module is for the
 * page's script too. */
import { verdictLabels, verdictOrder } from './wording.ts'

/** Terms are written as a reader meets them; the page finds them in any case. */
export const glossary: readonly (readonly [string, string])[] = [
  ...verdictOrder.map((verdict) => [verdictLabels[verdict].word, verdictLabels[verdict].means] as const),
  ['must', 'The documents require it. One that does not hold is a failure, and decides the verdict of the run.'],
  ['should', 'It follows from the documents less strictly. One that does not hold is a warning and decides nothing.'],
  ['open', 'The documents leave it open, so no check asserts it. Each open row has the reason.'],
  ['row', 'One statement of a document that can be observed, in our own words, with its section and row.'],
  ['check', 'One scenario, given, when, then. It decides one or more rows.'],
  ['decided', 'At least one check has seen that the row holds, or that it does not.'],
  ['not decided', 'The row has checks in this run, but none of them came to a judgement.'],
  ['no check in this run', 'The row has checks, but the run left them out.'],
  ['cause', 'What several findings have in common: one fix of the target ends them all.'],
  ['left out', 'Not chosen, excluded, or above the safety ceiling: no part of the run, and not counted.'],
  ['control', 'The same request without the mistake. It must succeed, or a refusal proves nothing.'],
  ['drift', 'A difference between two servers in what the documents leave open: no fault of either.'],
]

const meanings: ReadonlyMap<string, string> = new Map(glossary.map(([term, means]) => [term.toLowerCase(), means]))

export const meaningOf = (term: string): string | undefined => meanings.get(term.toLowerCase())
