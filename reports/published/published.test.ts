/** The published page follows from the published results, and the lists of known deviations from both. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadKnown } from '../../harness/acceptance/accepted-file.ts'
import { knownProducts } from '../../harness/acceptance/known.ts'
import { loadCatalog } from '../../harness/commands/catalog.ts'
import { readOperand } from '../../harness/commands/compare/operands.ts'
import { type Compared, comparisonOf } from '../../harness/compare/comparison.ts'
import { addressOf, type Comparison } from '../../harness/vocabulary/index.ts'
import { renderComparisonHtml } from '../compare/html.ts'
import { renderComparisonMarkdown } from '../compare/markdown.ts'

const folder = import.meta.dirname
/** In the order of the page. */
const products = ['vault-1.14', 'vault-1.7', 'openbao-2.6', 'openbao-2.5', 'rustyvault-0.3']
const textOf = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8')

/** The page has the style and the icons of the report, which may change by themselves. */
const withoutStyle = (html: string): string =>
  html
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/style-src '[^']*'/, '')
    .replace(/<svg class="sheet"[\s\S]*?<\/svg>/, '')

let results: readonly Compared[]
let comparison: Comparison
let law: Awaited<ReturnType<typeof loadCatalog>>
beforeAll(async () => {
  law = await loadCatalog()
  results = await Promise.all(products.map((product) => readOperand(join(folder, product))))
  comparison = comparisonOf(results, law, 'Published results')
})

test('there are at least five, of which at least two are of one product', () => {
  expect(knownProducts(folder)).toEqual(products.toSorted())
  expect(products.length).toBeGreaterThanOrEqual(5)
})

test('the pages are made from the results by the command that reports/README.md shows', () => {
  expect(withoutStyle(textOf('compare.html'))).toBe(withoutStyle(renderComparisonHtml(comparison)))
  expect(textOf('compare.md')).toBe(renderComparisonMarkdown(comparison))
  expect(textOf('..', 'README.md')).toContain(products.map((product) => `reports/published/${product}`).join(' '))
})

test('nothing of the machine that made them is in them', () => {
  for (const product of products)
    for (const file of ['compact.json', 'known.yaml'])
      expect(textOf(product, file)).not.toMatch(/127\.0\.0\.1|"\/(work|tmp|home|root)\b|\/(home|tmp)\/|BEGIN /)
})

describe.each(products)('%s', (product) => {
  test('every fail is known, with the sentence that it contradicts', () => {
    const { result } = results[products.indexOf(product)] as Compared
    const failed = Object.entries(result.checks).flatMap(([id, { verdict }]) => (verdict === 'fail' ? [id] : []))
    const known = parse(textOf(product, 'known.yaml')) as { check: string | string[]; reason: string }[]
    expect(known.flatMap(({ check }) => check).toSorted()).toEqual(failed.toSorted())
    expect(
      known.filter(({ reason }) => !/^[A-Z].*\. This contradicts ".+" \(document [123], .+\)/s.test(reason)),
    ).toEqual([])
    expect(known).toHaveLength(result.causes.filter(({ verdict }) => verdict === 'fail').length)
  })

  test('the list can be given to a run of this version of the suite', () => {
    const ids = new Set(law.topics.flatMap(({ topic }) => topic.checks.map((check) => addressOf(topic, check))))
    const entries = loadKnown(folder, product, (glob) => ({ addresses: ids.has(glob) ? [glob] : [], near: [] }))
    expect(entries.filter(({ checks }) => checks.length === 0)).toEqual([])
    expect(entries.every(({ observed }) => observed.every((one) => /^fail:[0-9a-f]{12}$/.test(one)))).toBe(true)
  })
})
