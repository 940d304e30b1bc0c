/** The published page follows from the published results, and the lists of known deviations from both. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import satisfies from 'semver/functions/satisfies.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadKnown } from '../../harness/acceptance/accepted-file.ts'
import { knownListsOf, knownProducts } from '../../harness/acceptance/known.ts'
import { loadCatalog } from '../../harness/commands/catalog.ts'
import { readOperand } from '../../harness/commands/compare/operands.ts'
import { type Compared, comparisonOf } from '../../harness/compare/comparison.ts'
import { registerHash } from '../../harness/verdict/document.ts'
import { addressOf, type Comparison } from '../../harness/vocabulary/index.ts'
import { renderComparisonHtml } from '../compare/html.ts'
import { renderComparisonMarkdown } from '../compare/markdown.ts'
import { type KnownDeviation, renderProductPage } from '../compare/product.ts'

const folder = import.meta.dirname
/** In the order of the page. */
const products = ['vault-1.14', 'vault-1.7', 'openbao-2.6', 'openbao-2.5', 'rustyvault-0.3']
/** The same product as three nodes, through its leader and through a balancer: held to the list of the single server. */
const clusters = ['openbao-2.6-leader', 'openbao-2.6-balancer']
const published = [...products, ...clusters]
const textOf = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8')

const knownOf = (product: string): KnownDeviation[] => parse(textOf(product, 'known.yaml')).deviations

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
  results = await Promise.all(published.map((product) => readOperand(join(folder, product))))
  comparison = comparisonOf(results, law, 'Published results')
})

test('there are at least five, of which at least two are of one product', () => {
  expect(knownProducts(folder)).toEqual(products.toSorted())
  expect(products.length).toBeGreaterThanOrEqual(5)
})

test('the pages are made from the results by the command that reports/README.md shows', () => {
  expect(withoutStyle(textOf('compare.html'))).toBe(withoutStyle(renderComparisonHtml(comparison)))
  expect(textOf('compare.md')).toBe(renderComparisonMarkdown(comparison))
  expect(textOf('..', 'README.md')).toContain(published.map((product) => `reports/published/${product}`).join(' '))
})

const mend =
  'the register has changed since these results: judge the products again, all by one commit, and pass each result to "npm run publish:result"; then make the pages by the command in reports/README.md'

test('they are judged by the present register', () => {
  const others = results.filter(({ result }) => result.register.hash !== registerHash(law.requirements))
  expect(
    others.map(({ result }) => result.target.name),
    mend,
  ).toEqual([])
})

test('they are judged by the present checks, in one session of one commit', () => {
  const present = law.topics.flatMap(({ topic }) =>
    topic.checks.map((check) => [addressOf(topic, check), [check.requirement].flat()] as const),
  )
  for (const { result } of results) {
    const { checks, run, suite, target } = result
    expect([target.name, suite.commit]).toEqual([target.name, results[0]?.result.suite.commit])
    const leftOut = new Set(run.leftOut.flatMap(({ ids }) => ids))
    expect(
      Object.entries(checks).map(([id, { rows }]) => [id, rows]),
      mend,
    ).toEqual(present.filter(([id]) => !leftOut.has(id)))
  }
})

test('nothing of the machine that made them is in them', () => {
  for (const product of published)
    for (const file of readdirSync(join(folder, product), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('.'),
    ))
      expect(textOf(product, file)).not.toMatch(/127\.0\.0\.1|"\/(work|tmp|home|root)\b|\/(home|tmp)\/|BEGIN /)
})

test.each(clusters)('%s fails in nothing that a single server does not', (cluster) => {
  const { checks } = (results[published.indexOf(cluster)] as Compared).result
  const failed = Object.entries(checks).flatMap(([id, { verdict }]) => (verdict === 'fail' ? [id] : []))
  const single = (results[published.indexOf('openbao-2.6')] as Compared).result.checks
  expect(failed.filter((id) => single[id]?.verdict !== 'fail')).toEqual([])
  expect(failed.length).toBeGreaterThan(0)
})

describe.each(products)('%s', (product) => {
  test('every fail is known, with the sentence that it contradicts', () => {
    const { result } = results[products.indexOf(product)] as Compared
    const failed = Object.entries(result.checks).flatMap(([id, { verdict }]) => (verdict === 'fail' ? [id] : []))
    const known = knownOf(product)
    expect(known.flatMap(({ check }) => check).toSorted()).toEqual(failed.toSorted())
    expect(
      known.filter(({ reason }) => !/^[A-Z`].*\. This contradicts ".+" \(document [123], .+\)/s.test(reason)),
    ).toEqual([])
    expect(known).toHaveLength(result.causes.filter(({ verdict }) => verdict === 'fail').length)
  })

  test('its page is made from the result and the list', () => {
    const own = comparisonOf([results[products.indexOf(product)] as Compared], law)
    expect(textOf(product, 'README.md')).toBe(renderProductPage(own, knownOf(product)))
  })

  test('each plain bug is written as a report for the project', () => {
    const bugs = knownOf(product)
      .filter(({ sort }) => sort === 'bug')
      .map(({ deviation }) => `${deviation}.md`)
    const upstream = join(folder, product, 'upstream')
    const reports = existsSync(upstream) ? readdirSync(upstream) : []
    expect(reports.toSorted()).toEqual([...new Set(bugs)].toSorted())
    for (const report of reports) {
      const text = textOf(product, 'upstream', report)
      expect(text).toContain(`Seen in ${results[products.indexOf(product)]?.result.target.name}.`)
      expect(text).toMatch(/^Wanted: ".+" \(.+\).*\.$/m)
      expect(text).toMatch(/^Saw: .+; wanted .+\.$/m)
      expect(text).toMatch(/^(GET|LIST|POST|DELETE) \/v1\/.+\n {2}→ /m)
    }
  })

  test('the list can be given to a run of this version of the suite', () => {
    const ids = new Set(law.topics.flatMap(({ topic }) => topic.checks.map((check) => addressOf(topic, check))))
    const [list] = knownListsOf(folder, product)
    expect(satisfies(results[products.indexOf(product)]?.result.target.facts.version ?? '', list.versions)).toBe(true)
    const entries = loadKnown(list, (glob) => ({ addresses: ids.has(glob) ? [glob] : [], near: [] }))
    expect(entries.filter(({ checks }) => checks.length === 0)).toEqual([])
    expect(entries.every(({ observed }) => observed.every((one) => /^fail:[0-9a-f]{12}$/.test(one)))).toBe(true)
  })
})
