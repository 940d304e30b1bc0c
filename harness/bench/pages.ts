/** What a reader waits for: rendering the report, linear in its checks, and opening it in a browser. Without a browser the
 * second row says so. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openChromium } from '../../reports/chromium.ts'
import { renderHtml } from '../../reports/render/html.ts'
import { sampleDocument } from '../../reports/render/sample-document.ts'
import { median, type Row } from './table.ts'

const checks = 1500
const rounds = 5

export async function pageRows(say: (text: string) => void): Promise<Row[]> {
  return [await rendering(say), await opening(say)]
}

async function rendering(say: (text: string) => void): Promise<Row> {
  const [few = Number.NaN, many = Number.NaN] = [await msToRender(checks), await msToRender(10 * checks)]
  say(`report of ${checks} checks rendered in ${Math.round(few)} ms, of ten times as many in ${Math.round(many)} ms`)
  return {
    what: 'render the report of 15 000 checks',
    ours: `${Math.round(many)} ms`,
    peer: `of 1 500: ${Math.round(few)} ms`,
    ratio: many / few,
    bound: { kind: 'at-most', value: 11 },
  }
}

async function msToRender(amount: number): Promise<number> {
  const document = sampleDocument({ checks: amount })
  await renderHtml(document)
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    await renderHtml(document)
    times.push(performance.now() - start)
  }
  return median(times)
}

async function opening(say: (text: string) => void): Promise<Row> {
  const row = { what: 'open the report of 1 500 checks', peer: '1 s', bound: { kind: 'at-most', value: 1 } } as const
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    const file = join(folder, 'report.html')
    writeFileSync(file, await renderHtml(sampleDocument({ checks })))
    const ms = median(await msToOpen(pathToFileURL(file).href))
    say(`report of ${checks} checks opened in ${Math.round(ms)} ms`)
    return { ...row, ours: `${Math.round(ms)} ms`, ratio: ms / 1000 }
  } catch (error) {
    return { ...row, ours: '', ratio: undefined, note: error instanceof NoBrowser ? error.message : String(error) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

class NoBrowser extends Error {}

/** Measures from the request until the rows of the list are drawn. */
async function msToOpen(url: string): Promise<number[]> {
  const browser = await openChromium({
    skip(reason) {
      throw new NoBrowser(reason)
    },
  })
  try {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      await page.goto(url)
      await page.waitForSelector('#list .row')
      times.push(
        Number(await page.evaluate('performance.now() - performance.getEntriesByType("navigation")[0].requestStart')),
      )
      await page.close()
    }
    return times
  } finally {
    await browser.close()
  }
}
