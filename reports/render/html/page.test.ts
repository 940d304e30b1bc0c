import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { sampled } from '../../../harness/tools/prove/sampled.test-bed.ts'
import { openChromium } from '../../chromium.ts'
import { sampleDocument } from '../sample/document.ts'
import { renderHtml } from './report.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const samples = {
  failing: sampleDocument({ checks: 1000 }),
  incomplete: sampleDocument({ checks: 1000, outcome: 'incomplete' }),
  hostile: sampleDocument({ checks: 60, hostile: true }),
  conformant: sampleDocument({ checks: 30, outcome: 'conformant' }),
}
const failed = samples.failing.checks.find((check) => check.verdict === 'fail')?.id ?? ''

let folder = ''
let browser: Browser | undefined
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-report-'))
  for (const [name, document] of Object.entries(samples))
    writeFileSync(path.join(folder, `${name}.html`), await renderHtml(document))
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Opened {
  readonly page: Page
  /** Every request for something other than the page itself, and every error. */
  readonly noise: string[]
}

interface Look {
  readonly hash?: string
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
  readonly script?: boolean
}

async function open(context: TestContext, name: keyof typeof samples, look: Look = {}): Promise<Opened> {
  browser ??= await openChromium(context)
  const page = await browser.newPage({
    viewport: { width: look.width ?? 1280, height: 900 },
    colorScheme: look.scheme ?? 'light',
    javaScriptEnabled: look.script ?? true,
  })
  context.onTestFinished(() => page.close())
  await page.addInitScript(
    'Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text } } })',
  )
  const noise: string[] = []
  const self = pathToFileURL(path.join(folder, `${name}.html`)).href
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== self && !request.url().startsWith('data:'))
      noise.push(`asked for ${request.url()}`)
  })
  page.on('console', (message) => noise.push(message.text()))
  page.on('pageerror', (error) => noise.push(error.message))
  page.on('dialog', (dialog) => {
    noise.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(`${self}${look.hash ?? ''}`)
  if (look.script !== false) await page.waitForSelector('#list .row, #list .empty')
  return { page, noise }
}

const hashOf = (page: Page): string => decodeURIComponent(new URL(page.url()).hash)
const found = (page: Page): Promise<string | null> => page.textContent('#found')

describe('the page', () => {
  it('opens from a file, sends no request, and logs nothing', async (context) => {
    for (const name of ['failing', 'incomplete', 'hostile', 'conformant'] as const) {
      const { page, noise } = await open(context, name)
      await page.locator('#probe summary').first().click()
      await page.waitForSelector('#probe-exchanges .exchange')
      await page.locator('#list .row').first().click()
      await page.waitForSelector('#list .exchange, #list .trace .note')
      expect(noise).toEqual([])
    }
  })

  it('blocks foreign scripts, styles and images', async (context) => {
    const { page } = await open(context, 'conformant')
    const violations = await page.evaluate(`new Promise((done) => {
      const seen = new Set()
      document.addEventListener('securitypolicyviolation', (event) => {
        seen.add(event.effectiveDirective)
        if (seen.size === 3) done([...seen].sort())
      })
      const script = document.createElement('script')
      script.textContent = 'window.intruder = true'
      document.body.append(script)
      document.body.insertAdjacentHTML('beforeend', '<p style="color:red">x</p><img src="https://elsewhere.example/x.png">')
    })`)
    expect(violations).toEqual(['img-src', 'script-src-elem', 'style-src-attr'])
    expect(await page.evaluate('window.intruder')).toBeUndefined()
  })

  it('shows hostile text as text', async (context) => {
    const { page, noise } = await open(context, 'hostile')
    for (const row of (await page.locator('#list .row').all()).slice(0, 12)) await row.click()
    await page.locator('#list .exchange').nth(20).waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.locator('#list').textContent()).toContain(
      '</script><img src=x onerror=alert(1)> ‹202E›gnp.exe‹0000›',
    )
    expect(noise).toEqual([])
  })

  it('keeps filters in the hash, and a shared hash restores the view', async (context) => {
    const { page } = await open(context, 'failing')
    await expect.poll(() => found(page)).toBe('1,000 checks')
    await page.click('[data-verdict=fail]')
    await page.selectOption('#area', 'pki')
    const count = samples.failing.checks.filter((one) => one.verdict === 'fail' && one.area === 'pki').length
    await expect.poll(() => hashOf(page)).toBe('#verdict=fail&area=pki')
    await expect.poll(() => found(page)).toBe(`${count} of 1,000 checks`)
    expect(await page.locator('#list .row').count()).toBe(count)
    const shared = await open(context, 'failing', { hash: '#verdict=fail&area=pki' })
    expect(await found(shared.page)).toBe(`${count} of 1,000 checks`)
    await page.goBack()
    await expect.poll(() => hashOf(page)).toBe('#verdict=fail')
    expect(await page.inputValue('#area')).toBe('')
    await page.click('#clear')
    await expect.poll(() => found(page)).toBe('1,000 checks')
  })

  it('leads from each number of the counts and of the map to as many entries of the list', async (context) => {
    const { page } = await open(context, 'failing')
    const links = await page
      .locator('.counts a, .map a')
      .evaluateAll((all) => all.map((one) => [one.getAttribute('href') ?? '', one.textContent ?? '']))
    const numbers = links.filter(([, text]) => /^\d/.test(text ?? ''))
    expect(numbers.length).toBeGreaterThan(60)
    for (const [href, text] of numbers.filter((_, at) => at % 3 === 0)) {
      await page.evaluate(`location.hash = ${JSON.stringify(href)}`)
      const amount = text?.match(/^[\d,]+/)?.[0]
      await expect.poll(async () => [href, (await found(page))?.split(' ')[0]]).toEqual([href, amount])
    }
  })

  it('unfolds an area of the map to its sections, also with the keyboard and without a script', async (context) => {
    const { page } = await open(context, 'failing', { script: false })
    const area = page.locator('.map tbody').nth(3)
    const sections = area.locator('tr:not(.head):visible')
    expect(await sections.count()).toBe(0)
    await area.locator('.unfold').focus()
    await page.keyboard.press('Space')
    expect(await sections.count()).toBeGreaterThan(0)
    const narrow = await open(context, 'conformant')
    expect(await narrow.page.locator('.map tr:not(.head):visible').count()).toBeGreaterThan(2)
  })

  it('names in the list the section and the request that it is limited to', async (context) => {
    const [row] = samples.failing.register.requirements.filter(({ area }) => area === 'pki')
    const section = row?.source.section ?? ''
    const { page } = await open(context, 'failing', {
      hash: `#list=requirements&area=pki&section=${encodeURIComponent(section)}`,
    })
    expect(await found(page)).toMatch(new RegExp(`^\\d+ of 1,008 requirements · ${section}$`))
    await page.click('#clear')
    await expect.poll(() => found(page)).toBe('1,008 requirements')
  })

  it('links a cause to the sentence it contradicts, and shows the command that judges it again', async (context) => {
    const { page } = await open(context, 'failing')
    const [check] = samples.failing.checks.filter(({ id }) => id === samples.failing.causes[0]?.checks[0])
    const cause = page.locator('.cause').first()
    expect(await cause.textContent()).toContain(
      samples.failing.register.requirements.find(({ id }) => id === check?.requirements[0])?.says,
    )
    await cause.locator('[data-copy]').first().click()
    expect(await page.evaluate('window.copied')).toBe(`npx assay run --profile staging.yaml --check ${check?.id}`)
    await cause.locator('.statement').first().click()
    await expect.poll(() => hashOf(page)).toBe(`#list=requirements&open=${check?.requirements[0]}`)
    await page.waitForSelector('.item.open .detail')
  })

  it('finds checks by any of their words', async (context) => {
    const { page } = await open(context, 'failing')
    await page.fill('#text', 'takes EFFECT revoke')
    await page.waitForURL(/text=/)
    const ids = await page.locator('#list .group').allTextContents()
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.every((text) => text.includes('takes-effect') && text.includes('revoke'))).toBe(true)
    await page.fill('#text', 'there is no such thing')
    await page.waitForSelector('#list .empty')
  })

  it('shows under the title what must hold, what was wanted and seen, and the steps with the names of the run', async (context) => {
    const { page } = await open(context, 'failing', { hash: `#open=${failed}` })
    await page.waitForSelector('.item.open .exchange')
    const parts = page.locator('.item.open .detail > *')
    const order = await parts.evaluateAll((all) => all.map((one) => one.className || one.tagName))
    expect(order).toEqual(['lead', 'outcome', 'mismatch fail', 'story', 'H4', 'trace', 'H4', 'proof', 'note about'])
    const block = page.locator('.item.open .mismatch')
    expect(await block.textContent()).toMatch(/\/data\/policy of GET sys\/policies\/[\w-]+\/‹policy›/)
    expect(await block.locator('mark').allTextContents()).toEqual(['"delete"'])
    expect(await block.locator('.side').first().locator('.line').count()).toBe(7)
    expect(await page.locator('.item.open .story').textContent()).toMatch(/Given.+‹policy›[\s\S]+When[\s\S]+Then/)
    const name = page.locator('.item.open .story abbr').first()
    expect(await name.getAttribute('title')).toMatch(/^assay-k3v9q2-\d+-policy$/)
    expect(await page.locator('.item.open .names').textContent()).toMatch(/^policyassay-k3v9q2-\d+-policy$/)
    expect(await page.locator('.item.open .exchange').count()).toBe(7)
    expect(await page.locator('.item.open .exchange[open]').count()).toBe(1)
    expect(await page.locator('.item.open .proof').textContent()).toContain('What kernel/forgets does.')
    await block.getByText('Copy as curl').click()
    await expect.poll(() => page.evaluate('window.copied')).toMatch(/^curl -sS -i\W+'https:/)
    await block.getByText('Show the exchange').click()
    expect(await page.evaluate('document.activeElement.parentElement.className')).toBe('exchange when wrong')
  })

  it('shows a policy inside a body as text with numbered lines', async (context) => {
    const { page } = await open(context, 'failing', { hash: `#open=${failed}` })
    await page.waitForSelector('.item.open .exchange')
    const policy = page.locator('.item.open .exchange.given .document').first()
    expect(await policy.locator('.line').count()).toBe(7)
    expect(await policy.locator('[data-line="2"]').textContent()).toMatch(/^ {2}capabilities = \["create", /)
  })

  it('shows each attempt, its headers and its body laid out', async (context) => {
    const { page } = await open(context, 'failing')
    await page.locator('#list .row').first().click()
    await page.waitForSelector('.item.open .exchange')
    const retried = page.locator('.item.open .exchange').filter({ hasText: '3 attempts' })
    await retried.locator('summary').first().click()
    const text = await retried.textContent()
    expect(text).toMatch(/Attempt 1 of 3: no reply/)
    expect(text).toContain('ECONNRESET')
    expect(text).toMatch(/Attempt 2 of 3: 503/)
    expect(text).toMatch(/\n {2}"data": \{\n {4}"keys": \[/)
  })

  it('draws a timeline of the run, in which a check shows its words and opens', async (context) => {
    const { page } = await open(context, 'failing')
    await page.click('#timeline summary')
    await page.waitForSelector('#lanes svg .retry')
    expect(await page.locator('#lanes .note').textContent()).toMatch(/^[\d,]+ checks, at most \d+ at once/)
    const box = await page.locator('#lanes svg').boundingBox()
    for (let right = 0; right < 40 && (await page.locator('#lanes .frame').count()) === 0; right++)
      await page.mouse.move((box?.x ?? 0) + 20 + right, (box?.y ?? 0) + 24)
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 25)
    const id = (await page.locator('#lanes .frame').getAttribute('data-tip'))?.split(': ')[0]
    await page.mouse.down()
    await page.mouse.up()
    await expect.poll(() => hashOf(page)).toBe(`#open=${id}`)
  })

  it('shows who asked whom, and an arrow opens its exchange', async (context) => {
    const { page } = await open(context, 'failing', { hash: `#open=${failed}` })
    await page.waitForSelector('.item.open .sequence')
    const steps = page.locator('.item.open .step')
    expect(await steps.count()).toBe(7)
    expect(await steps.first().textContent()).toMatch(/^token of the run asks target: POST .* 200$/)
    await steps.last().click()
    expect(await page.evaluate('document.activeElement.closest(".exchange").open')).toBe(true)
  })

  it('copies an exchange as a curl command', async (context) => {
    const { page } = await open(context, 'failing', { hash: `#open=${failed}` })
    const given = page.locator('.item.open .exchange.given').first()
    await given.locator('summary').first().click()
    await given.getByText('Copy as curl').click()
    const copied = String(await page.evaluate('window.copied'))
    expect(copied).toMatch(
      /^curl -sS -i -X POST \\\n {2}'https:\/\/secrets\.staging\.example:8200\/v1\/auth\/token\/create'/,
    )
    expect(copied).toContain(`-H 'x-vault-token: '"$ASSAY_TOKEN"`)
    expect(await given.getByText('Copied').count()).toBe(1)
  })

  it('can be used with the keyboard', async (context) => {
    const { page } = await open(context, 'failing', { hash: '#verdict=fail' })
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('text')
    await page.keyboard.type('j')
    await page.keyboard.press('Escape')
    expect(await page.inputValue('#text')).toBe('')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    const focused = () => page.evaluate('[...document.querySelectorAll("#list .row")].indexOf(document.activeElement)')
    await expect.poll(focused).toBe(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => hashOf(page)).toBe(`#verdict=fail&open=${failed}`)
    expect(await page.locator('.item.open').count()).toBe(1)
    await page.keyboard.press('Escape')
    expect(await page.locator('.item.open').count()).toBe(0)
    await expect.poll(() => hashOf(page)).toBe('#verdict=fail')
    await page.keyboard.press('?')
    expect(await page.locator('#help').isVisible()).toBe(true)
    expect(await page.locator('#help').textContent()).toMatch(/Accepted[\s\S]+drift[\s\S]+next and previous row/)
    await page.keyboard.press('Escape')
    expect(await page.locator('#help').isVisible()).toBe(false)
  })

  it('keeps a row open that was opened right after typing', async (context) => {
    const { page } = await open(context, 'failing', { hash: '#verdict=fail' })
    // All of this runs in one task, so that what is typed cannot take effect in between.
    await page.evaluate(`(() => {
      const search = document.querySelector('#text')
      const row = document.querySelector('#list .row')
      search.value = row.querySelector('.name').textContent
      search.dispatchEvent(new Event('input'))
      row.click()
      window.late = new Promise((done) => setTimeout(done, 150))
    })()`)
    await page.evaluate('window.late')
    expect(await page.inputValue('#text')).not.toBe('')
    expect(await page.evaluate('location.hash')).toMatch(/&text=[^&]+&open=/)
    expect(await page.locator('.item.open').count()).toBe(1)
  })

  it('counts verdicts within the other filters', async (context) => {
    const { page } = await open(context, 'failing', { hash: '#area=pki&verdict=fail' })
    const ofArea = (verdict: string) =>
      samples.failing.checks.filter((check) => check.area === 'pki' && check.verdict === verdict).length
    for (const verdict of ['fail', 'pass'])
      expect(await page.locator(`[data-verdict=${verdict}] span`).textContent()).toBe(String(ofArea(verdict)))
    expect(await page.locator('#list .row').count()).toBe(ofArea('fail'))
  })

  it('shows every requirement with its source and its checks', async (context) => {
    const { page } = await open(context, 'failing')
    await page.click('[data-list=requirements]')
    await expect.poll(() => found(page)).toBe('1,008 requirements')
    await page.locator('#list .row').first().click()
    const detail = page.locator('.item.open .detail')
    expect(await detail.textContent()).toMatch(/Replication and Policies, .*reading 10 · holds for premium, from 0\.9/)
    await detail.locator('.links a').first().click()
    await page.waitForSelector('.item.open .exchange')
    await expect.poll(() => hashOf(page)).toMatch(/^#open=dr-replication\/fields\//)
  })

  it('draws rows when the reader scrolls near them, and all of them for printing', async (context) => {
    const { page } = await open(context, 'failing')
    expect(await page.locator('#list .row').count()).toBeLessThan(400)
    await page.evaluate('dispatchEvent(new Event("beforeprint"))')
    expect(await page.locator('#list .row').count()).toBe(1000)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.controls').isVisible()).toBe(false)
  })

  it('shows its summary without a script', async (context) => {
    const { page } = await open(context, 'failing', { script: false })
    expect(await page.locator('main').textContent()).toContain('needs JavaScript')
    expect(await page.locator('.hero').textContent()).toContain('Non-conformant')
    expect(await page.locator('.scripted:visible').count()).toBe(0)
  })

  it('follows the theme of the system, and the button changes it', async (context) => {
    const { page } = await open(context, 'conformant', { scheme: 'dark' })
    const paper = (): Promise<unknown> => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    expect(await paper()).toBe('rgb(15, 18, 22)')
    await page.click('#theme')
    expect(await paper()).toBe('rgb(255, 255, 255)')
  })

  it('keeps each number of what took longest on one line of a narrow screen', async (context) => {
    const { page } = await open(context, 'failing', { width: 400 })
    await page.evaluate('document.querySelector(".times").open = true')
    const lines = await page.evaluate(`[...document.querySelectorAll('.times td, .times thead th')].map((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return range.getClientRects().length
    })`)
    expect(new Set(lines as number[])).toEqual(new Set([1]))
  })

  // Light and dark differ only in their colours, and these do not depend on the width.
  for (const [first, [scheme, width]] of (
    [
      ['light', 1280],
      ['light', 400],
      ['dark', 1280],
    ] as const
  ).entries()) {
    const judged = { resultTypes: ['violations'], ...(scheme === 'dark' ? { runOnly: ['color-contrast'] } : {}) }
    it(`has no serious barrier and no sideways scrolling: ${scheme}, ${width} px`, async (context) => {
      const looks = [
        ['failing', `#verdict=fail&open=${failed}`],
        ['incomplete', '#list=requirements&verdict=not-verified&area=pki'],
        ['hostile', '#kind=fields'],
      ] as const
      for (const [name, hash] of sampled(looks, looks.length, first)) {
        const { page } = await open(context, name, { hash, width, scheme })
        await page.evaluate(
          'for (const one of document.querySelectorAll("main details:not([hidden])")) one.open = true',
        )
        if (hash.includes('open=')) await page.waitForSelector('.item.open .exchange')
        await page.evaluate('for (const one of document.querySelectorAll(".unfold")) one.checked = true')
        await page.evaluate(axe)
        const barriers = await page.evaluate(
          `axe.run(${JSON.stringify(judged)}).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map((node) => node.html + node.failureSummary).join(' ')))`,
        )
        expect(barriers).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      }
    })
  }
})
