/** Opens the smaller pages in a real browser: the page of faults, a comparison, and a report with a history. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { checkResult, sampleResult } from '../harness/commands/output/sample-results.test-bed.ts'
import { compactOf } from '../harness/compare/compact.ts'
import { comparisonOf } from '../harness/compare/comparison.ts'
import type { History, RecordedExchange, ResultDocument, Verdict } from '../harness/vocabulary/index.ts'
import { openChromium } from './chromium.ts'
import { renderComparisonHtml } from './compare/html.ts'
import { renderComparisonMarkdown } from './compare/markdown.ts'
import { renderFaultPage } from './render/html/fault-page.ts'
import { renderHtml } from './render/html/report.ts'
import { sampleDocument } from './render/sample/document.ts'
import { hostileText } from './render/sample/text.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const url = 'http://127.0.0.1:8200'

function answered(body: object): RecordedExchange {
  const attempt = { sentAt: '2026-01-01T00:00:00.000Z', durationMs: 1, status: 200, responseHeaders: { via: 'a' } }
  const attempts = [{ ...attempt, responseBody: JSON.stringify(body) }]
  return {
    phase: 'when',
    method: 'GET',
    url: `${url}/v1/things/${'x'.repeat(90)}`,
    requestHeaders: {},
    as: 'operator',
    attempts,
  }
}

function judged(name: string, verdict: Verdict, body: object): ResultDocument {
  const checks = [checkResult('a', verdict), { ...checkResult('b', 'pass'), exchanges: [answered(body)] }]
  const document = sampleResult({ checks })
  return { ...document, target: { ...document.target, name } }
}

const law = { requirements: [], documents: { 1: 'One', 2: 'Two', 3: 'Three' } }
const compared = (...documents: readonly ResultDocument[]) =>
  comparisonOf(
    documents.map((document) => ({ result: compactOf(document), document })),
    law,
  )
const comparison = compared(
  judged('old', 'pass', { data: { a: 1 } }),
  judged('new', 'fail', { data: { a: 2, [hostileText]: hostileText } }),
)

const document = sampleDocument({ checks: 60 })
const entry = (day: number, targetVersion: string): History['entries'][number] => ({
  ...{
    run: `r${day}`,
    startedAt: `2026-01-0${day}T10:00:00.000Z`,
    word: 'non-conformant',
    suite: '0.1.0',
    targetVersion,
  },
  counts: document.counts,
})
const [one = '', two = ''] = document.checks.map(({ id }) => id)
const history: History = {
  entries: [entry(1, '1.2.0'), entry(2, '1.3.0')],
  ...{ newSince: [one], fixedSince: [], flaky: [two], redefined: [] },
}

const fault = (area: string) => ({
  fault: { id: `${area}/thing/hollow`, area, operator: 'hollow', says: 'It is wrong.', rows: [`${area}.thing`] },
  ...{ state: 'noticed' as const, noticedBy: `${area}/errors/check` },
})

const folder = mkdtempSync(path.join(tmpdir(), 'assay-pages-'))
let browser: Browser | undefined
beforeAll(async () => {
  const rows = [fault('policies'), fault('cloud')]
  writeFileSync(path.join(folder, 'faults.html'), renderFaultPage({ rows, server: 'a server', suite: 'assay 1.0.0' }))
  writeFileSync(path.join(folder, 'compare.html'), renderComparisonHtml(comparison))
  writeFileSync(path.join(folder, 'history.html'), await renderHtml({ ...document, history }))
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Opens a page small and large, light and dark, with everything unfolded, and returns what is wrong with it. */
async function problemsOf(context: TestContext, name: string, look: (page: Page) => Promise<void>): Promise<unknown[]> {
  browser ??= await openChromium(context)
  const found: unknown[] = []
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [400, 'dark'],
  ] as const) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true })
    page.on('console', (message) => found.push(message.text()))
    await page.goto(pathToFileURL(path.join(folder, `${name}.html`)).href)
    await look(page)
    await page.evaluate('for (const one of document.querySelectorAll("main details:not([hidden])")) one.open = true')
    if ((await page.evaluate('document.documentElement.scrollWidth')) !== width) found.push(`scrolls at ${width}`)
    await page.addScriptTag({ content: axe })
    const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] }
    const barriers = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    found.push(...barriers.map(({ id, nodes }) => [id, nodes[0]?.html]))
    await page.emulateMedia({ media: 'print' })
    if ((await page.evaluate('getComputedStyle(document.documentElement).colorScheme')) !== 'light')
      found.push('prints in the colours of the screen')
    await page.close()
  }
  return found
}

describe('in a browser, small and large', () => {
  test('the page of faults can be filtered by area', async (context) => {
    const found = await problemsOf(context, 'faults', async (page) => {
      const ofCloud = page.locator('section.area', { hasText: 'cloud/thing/hollow' })
      expect(await ofCloud.isVisible()).toBe(true)
      await page.locator('#at-policies').check()
      expect(await ofCloud.isVisible()).toBe(false)
    })
    expect(found).toEqual([])
  })

  test('the page of a comparison begins with the verdict and its cause, and links to the differences', async (context) => {
    const found = await problemsOf(context, 'compare', async (page) => {
      expect(await page.locator('h1').textContent()).toBe('new is worse than old')
      const causes = page.locator('.server .causes').first()
      expect(await causes.isVisible()).toBe(false)
      await page.emulateMedia({ media: 'print' })
      expect(await causes.isVisible()).toBe(true)
      await page.emulateMedia({ media: 'screen' })
      const hero = await page.locator('.hero').textContent()
      expect(hero).toContain('1 check that passes there fails here')
      expect(hero).toContain('Clients can notice 2 differences that no check decides.')
      await page.locator('.hero a', { hasText: '2 differences' }).click()
      const difference = page.locator('.difference', { hasText: 'data.a' })
      await difference.locator('summary').click()
      expect(await difference.locator('pre').allTextContents()).toMatchObject(
        [/"a": 1/, /"a": 2/].map((text) => expect.stringMatching(text)),
      )
    })
    expect(found).toEqual([])
  })

  test('a comparison of five scrolls sideways on a narrow screen, with the names of rows in place', async (context) => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((one) => `server ${one}`)
    const five = compared(...names.map((name, at) => judged(name, at === 3 ? 'fail' : 'pass', {})))
    writeFileSync(path.join(folder, 'five.html'), renderComparisonHtml(five))
    const found = await problemsOf(context, 'five', async (page) => {
      const matrix = page.locator('.map-scroll')
      expect(await matrix.locator('thead th span').allTextContents()).toEqual(names)
      await matrix.evaluate((one) => one.scrollTo({ left: 1000 }))
      const [frame, head, statement, last] = await Promise.all(
        [
          matrix,
          ...['.head th', 'tbody tr:not(.head) th', 'thead th:last-child span'].map((one) => matrix.locator(one)),
        ].map((one) => one.first().boundingBox()),
      )
      expect([head?.x, statement?.x]).toEqual([frame?.x, frame?.x])
      expect((last?.x ?? Number.NaN) + (last?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0))
    })
    expect(found).toEqual([])
  })

  test('a report with a history has a chart, and its runs as a table', async (context) => {
    const found = await problemsOf(context, 'history', async (page) => {
      await page.locator('#list .row').first().waitFor()
      const section = page.locator('section[aria-labelledby=history]')
      expect(await section.locator('svg g').count()).toBe(2)
      await section.getByText('All runs').click()
      expect(await section.locator('tbody tr').count()).toBe(2)
    })
    expect(found).toEqual([])
  })
})

test('the Markdown of a comparison says the same, and in the page no text becomes markup', () => {
  const text = renderComparisonMarkdown(comparison)
  expect(text).toContain('new is worse than old')
  expect(text).toContain('- **value** the value of `data.a` is `1` at old and `2` at new; in 1 of 1 reply to')
  expect(renderComparisonHtml(comparison)).not.toMatch(/<\/script|<img/)
})

test('a server compared with itself has no difference', () => {
  const same = judged('one', 'pass', { data: { a: 1 } })
  expect(renderComparisonHtml(compared(same, same))).toContain('Clients can notice no other difference')
})
