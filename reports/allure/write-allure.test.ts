import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openChromium } from '../chromium.ts'
import { oneLine, visible } from '../render/escape.ts'
import { renderJson } from '../render/json.ts'
import { sampleDocument } from '../render/sample/document.ts'
import { hostileText } from '../render/sample/text.ts'
import { titleOf } from '../render/wording.ts'
import { quieten } from './single-file.ts'

interface AllureResult {
  readonly name: string
  readonly fullName: string
  readonly status: string
  readonly statusDetails: { readonly message?: string; readonly trace?: string }
  readonly labels: readonly { readonly name: string; readonly value: string }[]
  readonly steps: readonly {
    readonly name: string
    readonly status: string
    readonly attachments: readonly { readonly source: string }[]
  }[]
  readonly start: number
  readonly stop: number
}

const documents = {
  plain: sampleDocument({ checks: 80, seed: 3 }),
  hostile: sampleDocument({ checks: 60, hostile: true }),
  empty: sampleDocument({ checks: 0, outcome: 'incomplete' }),
}
let folder = ''
const outOf = (name: keyof typeof documents): string => path.join(folder, name)
const htmlOf = (name: keyof typeof documents): string =>
  readFileSync(path.join(outOf(name), 'allure-report.html'), 'utf8')

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-allure-'))
  const formats = new URL('../formats.ts', import.meta.url).href
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(path.join(folder, `${name}.json`), [...renderJson(document)].join(''))
    mkdirSync(path.join(folder, name, 'allure-results'), { recursive: true })
    writeFileSync(path.join(folder, name, 'allure-results', 'earlier.json'), '')
  }
  // The runner is started in a process of its own, as a command does it.
  const script = `import { readFileSync } from 'node:fs'; import { writeReports } from '${formats}'
    for (const name of ${JSON.stringify(Object.keys(documents))}) {
      const out = '${folder}/' + name
      const document = JSON.parse(readFileSync(out + '.json', 'utf8'))
      const earlier = { ...document, run: { ...document.run, id: 'earlier' } }
      for (const one of name === 'hostile' ? [earlier, document] : [document]) await writeReports(one, ['allure'], out)
    }
    if (process.exitCode) throw new Error('the exit code was touched')`
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('VITEST')))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  expect(stdout + stderr).toBe('')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const resultsOf = (name: keyof typeof documents): Map<string, AllureResult> => {
  const from = path.join(outOf(name), 'allure-results')
  const results = readdirSync(from)
    .filter((file) => file.endsWith('-result.json'))
    .map((file): AllureResult => JSON.parse(readFileSync(path.join(from, file), 'utf8')))
  return new Map(results.map((result) => [result.fullName, result]))
}

describe('the Allure results', () => {
  it('have a result for each check, with its status and time', () => {
    const results = resultsOf('plain')
    const ends: Readonly<Record<string, string>> = {
      pass: 'passed',
      warn: 'passed',
      fail: 'failed',
      error: 'broken',
      'not-verified': 'broken',
    }
    expect(results.size).toBe(81)
    expect(results.get('assay/verdict')?.status).toBe('failed')
    for (const check of documents.plain.checks) {
      const result = results.get(check.id)
      expect(result?.status).toBe(ends[check.verdict] ?? 'skipped')
      expect(result?.name).toBe(titleOf(check, documents.plain))
      expect(result?.start).toBe(Date.parse(check.startedAt))
      expect(result?.stop).toBe(Date.parse(check.startedAt) + Math.round(check.durationMs))
      expect(result?.steps.length).toBe(check.exchanges.length)
    }
    expect(readdirSync(path.join(outOf('plain'), 'allure-results'))).not.toContain('earlier.json')
    expect(readdirSync(outOf('plain')).sort()).toEqual(['allure-history.jsonl', 'allure-report.html', 'allure-results'])
  })

  it('can be read by the current account only, like the page', () => {
    const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8)
    const results = path.join(outOf('plain'), 'allure-results')
    expect(mode(results)).toBe('700')
    for (const name of readdirSync(results)) expect(mode(path.join(results, name))).toBe('600')
    for (const name of ['allure-report.html', 'allure-history.jsonl'])
      expect(mode(path.join(outOf('plain'), name))).toBe('600')
  })

  it('have attachments whose names do not depend on the target', () => {
    for (const name of readdirSync(path.join(outOf('hostile'), 'allure-results')))
      expect(name).toMatch(
        /^(environment\.properties|(categories|executor)\.json|[0-9a-f-]{32,}(-attachment|-result|-container)?\.[a-z]+)$/,
      )
  })

  it('carry requirement, area, kind, level and the reason of a skip as labels', () => {
    const check = documents.plain.checks.find((one) => one.verdict === 'not-verified')
    const result = resultsOf('plain').get(check?.id ?? '')
    const labels = result?.labels.map(({ name, value }) => [name, value])
    for (const label of [
      ['area', check?.area],
      ['kind', check?.kind],
      ['level', check?.level],
      ['verdict', 'not-verified'],
      ['requirement', check?.requirements[0]],
      ['reason', `Not verified: ${check?.blocker?.reason} ${check?.blocker?.mend}`],
    ])
      expect(labels).toContainEqual(label)
    expect(result?.statusDetails.message).toContain(check?.blocker?.reason)
    expect(labels?.map(([name]) => name)).not.toContain('host')
    expect(labels?.map(([, value]) => value)).not.toContain(hostname())
  })

  it('hold each exchange as a step with its bytes', () => {
    const check = documents.plain.checks.find((one) => one.verdict === 'fail')
    const result = resultsOf('plain').get(check?.id ?? '')
    const step = result?.steps.find(({ name }) => name.startsWith('when: GET /v1/'))
    const file = path.join(outOf('plain'), 'allure-results', step?.attachments[0]?.source ?? '')
    expect(readFileSync(file, 'utf8')).toContain(check?.exchanges[3]?.attempts[0]?.responseBody)
    expect(result?.statusDetails.trace).toContain('/data/policy')
  })
})

describe('the Allure report', () => {
  it('keeps the history of a folder, with one line for each run', () => {
    const points = readFileSync(path.join(outOf('hostile'), 'allure-history.jsonl'), 'utf8')
      .trim()
      .split('\n')
    const [earlier, last] = points.map((line) => JSON.parse(line))
    expect([points.length, earlier.uuid, last.uuid]).toEqual([2, 'earlier', documents.hostile.run.id])
    expect(last.timestamp).toBe(Date.parse(documents.hostile.run.finishedAt))
    expect(Object.keys(last.testResults).sort()).toEqual(Object.keys(earlier.testResults).sort())
    expect(Object.keys(last.testResults)).toHaveLength(documents.hostile.checks.length + 1)
    const packed = [...htmlOf('hostile').matchAll(/"data\/test-results\/[^"]+", ?"([^"]+)"/g)]
    const shown = packed.map(([, text = '']) => JSON.parse(Buffer.from(text, 'base64').toString('utf8')))
    expect(shown.map(({ history }) => history?.length)).toEqual(Array(documents.hostile.checks.length + 1).fill(1))
  })

  it('holds no tracking script, and is not written if one may be left', () => {
    expect(htmlOf('plain')).not.toMatch(/googletagmanager|google-analytics|gtag\(/)
    expect(() => quieten('<html><head></head><body></body></html>')).toThrow(/tracking code that could not be removed/)
  })

  // The script of the page is not ours, and has once shown nothing for a minute in a browser that was just started.
  it('opens from a file and sends no request, whatever a target sent', { retry: 1 }, async (context) => {
    const browser = await openChromium(context)
    context.onTestFinished(() => browser.close())
    for (const name of ['hostile', 'empty'] as const) {
      const page = await browser.newPage()
      page.setDefaultTimeout(30_000)
      const noise: string[] = []
      const self = pathToFileURL(path.join(outOf(name), 'allure-report.html')).href
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && request.url().split('#')[0] !== self) noise.push(request.url())
      })
      page.on('pageerror', (error) => noise.push(error.message))
      page.on('dialog', (dialog) => {
        noise.push(dialog.message())
        void dialog.dismiss()
      })
      page.on('console', (message) => {
        if (message.type() !== 'log') noise.push(message.text())
      })
      await page.goto(self)
      const shown = page.getByText('verdict', { exact: true }).first().waitFor()
      await shown.catch(async (error: Error) => {
        throw new Error(`${error.message}\n${name}: ${noise.join('\n')}\n${await page.locator('body').innerHTML()}`)
      })
      // The report opens the groups that have a failure.
      const failed = documents[name].checks.find((check) => check.verdict === 'fail')
      if (failed) {
        const title = titleOf(failed, documents[name])
        await page
          .getByText(oneLine(visible(title)), { exact: true })
          .first()
          .click()
        await page.getByText('given: POST').first().click()
        await page.getByText('exchange').first().click()
      }
      expect(noise).toEqual([])
      await page.close()
    }
    expect(htmlOf('hostile')).not.toContain(hostileText.slice(0, 20))
  })
})
