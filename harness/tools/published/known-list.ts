/** Makes the list of known deviations of a product from its result, with the words of the table of deviations. */
import { stringify } from 'yaml'
import { observedOf } from '../../acceptance/observed.ts'
import type { Cause, Documents, ResultDocument } from '../../vocabulary/index.ts'
import { type Deviation, deviationOf } from './deviations.ts'

/** Throws an error that names the causes without words in the table. */
export function knownListOf(document: ResultDocument, product: string, table: readonly Deviation[]): string {
  const causes = document.causes.filter(({ verdict }) => verdict === 'fail')
  const lacking = causes.filter((cause) => !deviationOf(cause, product, table))
  if (lacking.length > 0)
    throw new Error(
      `the table of deviations has no entry for\n${lacking.map(({ requirements, says, checks }) => `- ${requirements?.join(', ')}: ${says} (${checks.join(', ')})`).join('\n')}`,
    )
  const byId = new Map(document.checks.map((check) => [check.id, check]))
  const rows = causes.map((cause) => {
    const { id, does, to, matters, sort, dispute } = deviationOf(cause, product, table) as Deviation
    const failed = cause.checks.filter((check) => byId.get(check)?.verdict === 'fail')
    const observed = failed.flatMap((check) => observedOf(byId.get(check) as ResultDocument['checks'][number]) ?? [])
    return {
      check: failed.length === 1 ? failed[0] : failed,
      verdict: 'fail',
      deviation: id,
      reason: `${does} This contradicts ${stated(cause)}`,
      ...{ to, matters, sort },
      ...(dispute === undefined ? {} : { dispute }),
      observed: [...new Set(observed)],
    }
  })
  const { name, facts } = document.target
  // An entry is tied to what was observed, so it is no harm if another version of the range does not deviate.
  const head = { product: facts.product, versions: `${product.split('-').at(-1)}.x` }
  const entries = rows.map((row) => stringify([row], { lineWidth: 116 }))
  return `# Known deviations of ${name}: each entry is one cause. For "assay run --known ${product}".
${stringify(head)}deviations:
${entries.join('\n').replace(/^(?=.)/gm, '  ')}`
}

/** Returns the first sentence that a cause contradicts, and where it is stated. */
export function stated({ sentence, source, requirements = [] }: Cause, documents?: Documents): string {
  const more = requirements.length - 1
  const rest = more > 0 ? `, and ${more} more ${more === 1 ? 'statement' : 'statements'}` : ''
  const document = source && (documents?.[source.document] ?? `document ${source.document}`)
  return `"${sentence}" (${document}, ${source?.section}, ${source?.row})${rest}.`
}
