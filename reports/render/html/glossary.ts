/** The words that a report uses in a special sense. The page shows them behind `?` and when a reader hovers over a
 * word. The page's script uses this module, too. */
import { verdictLabels, verdictOrder } from '../wording.ts'

/** The terms as a reader sees them. They are looked up regardless of case. */
export const glossary: readonly (readonly [string, string])[] = [
  ...verdictOrder.map((verdict) => [verdictLabels[verdict].word, verdictLabels[verdict].means] as const),
  ['must', 'The documents require it. A must that does not hold is a failure and decides the verdict of the run.'],
  [
    'should',
    'It follows from the documents less strictly. A should that does not hold is a warning and does not change the verdict of the run.',
  ],
  ['open', 'The documents leave it open, so no check asserts it. Each open row states the reason.'],
  ['row', 'One statement of a document that can be observed, in our own words, with its section and row.'],
  ['check', 'One scenario of given, when and then. It decides one or more rows.'],
  ['decided', 'At least one check has shown that the row holds or does not hold.'],
  ['not decided', 'The row has checks in this run, but none of them could decide it.'],
  ['no check in this run', 'The row has checks, but the run left them out.'],
  ['cause', 'What several findings have in common: one fix of the target resolves them all.'],
  ['left out', 'Not selected, excluded, or above the safety ceiling: not part of the run, and not in the counts.'],
  ['control', 'The same request without the mistake. It must succeed, because otherwise the refusal proves nothing.'],
  ['drift', 'A difference between two servers in what the documents leave open. Neither server is at fault.'],
]

const meanings: ReadonlyMap<string, string> = new Map(glossary.map(([term, means]) => [term.toLowerCase(), means]))

export const meaningOf = (term: string): string | undefined => meanings.get(term.toLowerCase())
