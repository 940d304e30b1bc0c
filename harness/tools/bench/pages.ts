/** Measures how long it takes to write the reports, which should be linear in the number of checks, and to open one
 * in a browser. If there is no browser, the second row says so. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openChromium } from '../../../reports/chromium.ts'
import { writeReports } from '../../../reports/formats.ts'
import { renderHtml } from '../../../reports/render/html/report.ts'
import { sampleDocument } from '../../../reports/render/sample/document.ts'
import { createRedactor } from '../../redaction/redaction.ts'
import { redactCheck, redactDocument } from '../../run/redact-document.ts'
import { median, type Row } from './table.ts'

const checks = 1500
const rounds = 3

export async function pageRows(say: (text: string) => void): Promise<Row[]> {
  return [await writing(say), await opening(say)]
}

async function writing(say: (text: string) => void): Promise<Row> {
  const [few, many] = [await msToWrite(checks, 5), await msToWrite(10 * checks, 1)]
  say(`reports of ${checks} checks made in ${Math.round(few)} ms, of ten times as many in ${Math.round(many)} ms`)
  return {
    what: 'redact and write the reports of 15 000 checks',
    ours: `${Math.round(many)} ms of processor`,
    peer: `of 1 500: ${Math.round(few)} ms`,
    ratio: many / few,
    bound: { kind: 'at-most', value: 11 },
  }
}

/** Returns the CPU time in milliseconds. Unlike the elapsed time, it does not depend on other work on the machine;
 * it includes garbage collection. */
async function msToWrite(amount: number, rounds: number): Promise<number> {
  const document = sampleDocument({ checks: amount })
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
    const before = process.cpuUsage()
    const redactor = createRedactor(
      document.checks.map(({ id }) => `hvs.${createHash('sha256').update(id).digest('hex')}`),
    )
    const redacted = { ...document, checks: document.checks.map((check) => redactCheck(check, redactor)) }
    await writeReports(redactDocument(redacted, redactor), ['json', 'html', 'junit', 'markdown'], folder)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
    rmSync(folder, { recursive: true })
  }
  // The mean is used, and not the median, because the single round of many checks averages quick and slow moments, too.
  return times.reduce((sum, one) => sum + one, 0) / rounds
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

/** Returns the milliseconds of each round, from the request until the rows of the list are drawn. */
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
