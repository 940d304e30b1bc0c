/** `npm run publish:result -- assay-report/result.json openbao-2.6` makes the folder of a published result anew: its compact form, its
 * list of known deviations, the page for people who choose a product, and a report for each plain bug. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { renderProductPage } from '../../../reports/compare/product.ts'
import { loadCatalog } from '../../commands/catalog.ts'
import { readOperand } from '../../commands/compare/operands.ts'
import { readResult } from '../../commands/output/result-file.ts'
import { compactOf } from '../../compare/compact.ts'
import { compactText } from '../../compare/compact-text.ts'
import { comparisonOf } from '../../compare/comparison.ts'
import { causesOf } from '../../verdict/causes.ts'
import { deviationOf, folder, readDeviations } from './deviations.ts'
import { knownListOf } from './known-list.ts'
import { projectReportOf } from './project-report.ts'

const [file, product] = process.argv.slice(2)
if (file === undefined || product === undefined) {
  console.error('usage: npm run publish:result -- <result.json> <product>-<version>')
  process.exit(2)
}
// The causes are found anew, so that what is published has the words of the present code.
const result = await readResult(file)
const document = { ...result, causes: causesOf(result.checks, result.register) }
const table = readDeviations()
const known = knownListOf(document, product, table)
const own = join(folder, product)
const upstream = join(own, 'upstream')
mkdirSync(own, { recursive: true })
writeFileSync(join(own, 'compact.json'), compactText(compactOf(document)))
writeFileSync(join(own, 'known.yaml'), known)
rmSync(upstream, { recursive: true, force: true })
const bugs = Map.groupBy(
  document.causes.filter(({ verdict }) => verdict === 'fail'),
  (cause) => deviationOf(cause, product, table),
)
for (const [deviation, causes] of bugs)
  if (deviation?.sort === 'bug') {
    mkdirSync(upstream, { recursive: true })
    writeFileSync(join(upstream, `${deviation.id}.md`), projectReportOf(document, deviation, causes))
  }
const comparison = comparisonOf([await readOperand(own)], await loadCatalog())
writeFileSync(join(own, 'README.md'), renderProductPage(comparison, parse(known).deviations))
