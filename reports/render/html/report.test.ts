import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sentencesIn } from '../../../harness/vocabulary/index.ts'
import { renderMarkdown } from '../markdown.ts'
import { pageScript } from '../page-script.ts'
import { sampleDocument } from '../sample/document.ts'
import { hostileText } from '../sample/text.ts'
import { contrast, distance, sights } from './colour-sight.test-bed.ts'
import { renderHtml } from './report.ts'
import { verdictColour } from './verdict-colour.ts'

const between = (text: string, from: string, to: string): string => {
  const start = text.indexOf(from) + from.length
  return text.slice(start, text.indexOf(to, start))
}
const packed = (html: string): string =>
  gunzipSync(Buffer.from(between(html, 'id="packed">', '</script>'), 'base64')).toString()

describe('the HTML report', () => {
  it('allows only its own script and style, by their hash', async () => {
    const html = await renderHtml(sampleDocument())
    const policy = between(html, 'Content-Security-Policy" content="', '">')
    const hash = (text: string): string => createHash('sha256').update(text).digest('base64')
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'sha256-${hash(between(html, '<script>', '</script>'))}'`,
      `style-src 'sha256-${hash(between(html, '<style>', '</style>'))}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ])
    expect(html).not.toMatch(/ style="| on\w+="/)
  })

  it.each([
    ['standby-reading', 'Judged through a standby node, which answers reads by itself'],
    ['mixed', 'Judged through a load balancer before several nodes'],
    ['active', undefined],
  ] as const)('says beside the verdict what stands between, as the summary does: %s', async (topology, words) => {
    const document = sampleDocument()
    const facts = { ...document.target.facts, topology }
    const through = { ...document, target: { ...document.target, facts } }
    for (const text of [between(await renderHtml(through), '<div class="verdict">', '<dl'), renderMarkdown(through)])
      expect(text.includes('Judged through') ? text : undefined).toEqual(words && expect.stringContaining(words))
  })

  it('stays below 6 MB with 1 000 checks, even hostile ones', async () => {
    expect((await renderHtml(sampleDocument({ checks: 1000 }))).length).toBeLessThan(6_000_000)
    expect((await renderHtml(sampleDocument({ checks: 1000, hostile: true }))).length).toBeLessThan(6_000_000)
  })

  it('cuts bodies that do not compress until they fit', async () => {
    const document = sampleDocument({ checks: 1000 })
    let noise = ''
    for (let seed = 1; noise.length < 200_000; seed = (seed * 48_271) % 2_147_483_647) noise += seed.toString(36)
    let at = 0
    const body = (): string => {
      at = (at + 1777) % 190_000
      return noise.slice(at, at + 3000)
    }
    const loud = {
      ...document,
      checks: document.checks.map((check) => ({
        ...check,
        exchanges: check.exchanges.map((one) => ({
          ...one,
          attempts: one.attempts.map((attempt) => ({ ...attempt, responseBody: body() })),
        })),
      })),
    }
    const html = await renderHtml(loud)
    expect(html.length).toBeLessThan(6_000_000)
    expect(packed(html)).toMatch(/cut here: \d+ more characters are in result\.json/)
  })

  it('escapes all texts from the target', async () => {
    const html = await renderHtml(sampleDocument({ hostile: true }))
    expect(html.match(/<\/script/g)).toHaveLength(3)
    expect(html).not.toContain('<img')
    expect(html).not.toContain('\0')
    expect(html).not.toContain('\u202E')
    const data = JSON.parse(between(html, 'id="data">', '</script>'))
    expect(data.checks.some((check: { when: string }) => check.when === hostileText)).toBe(true)
    expect(packed(html)).toContain(JSON.stringify(hostileText).slice(1, -1))
  })

  it('answers the questions of a release manager on the first screen, without the script', async () => {
    const html = between(await renderHtml(sampleDocument({ checks: 1000 })), '<main>', 'id="results"')
    for (const part of [
      'Non-conformant',
      'https://secrets.staging.example:8200',
      '1.14.0',
      'premium',
      'assay 0.1.0',
      'Section by section',
      'href="#list=requirements&amp;area=policies&amp;section=',
      'What was not verified, and why',
      'Declare <code>clusters</code> in the profile.',
      'The profile declares version 1.14.0',
      'What failed',
    ])
      expect(html).toContain(part)
  })

  it('shows how to repeat the run', async () => {
    const html = between(await renderHtml(sampleDocument()), '<details class="conditions">', '</details>')
    for (const part of ['npx assay run --profile staging.yaml', '>1f0c2d9a7b64<', '>5f5f5f5f5f5f<', '42, 8', '1.14.0'])
      expect(html).toContain(part)
  })

  it('counts sentences and checks apart, and each line adds up to what the verdict says', async () => {
    for (const outcome of ['conformant', 'non-conformant', 'incomplete'] as const) {
      const document = sampleDocument({ checks: 1000, outcome })
      const table = between(await renderHtml(document), 'class="matrix counts"', '</table>')
      const lines = new Map(
        [...table.matchAll(/rowheader">(.*?)<\/th>(.*?)<\/tr>/g)].map(([, name = '', cells = '']) => [
          name,
          [...cells.matchAll(/role="cell"[^>]*><(?:a|span)[^>]*>([\d,]+)</g)].map(([, amount = '']) =>
            Number(amount.replaceAll(',', '')),
          ),
        ]),
      )
      expect([...lines.keys()]).toEqual(['must sentences', 'should sentences', 'must checks', 'should checks'])
      for (const numbers of lines.values())
        expect(numbers.slice(0, -1).reduce((sum, one) => sum + one, 0)).toBe(numbers.at(-1))
      const rows = new Map(document.register.requirements.map((row) => [row.id, row]))
      for (const level of ['must', 'should'] as const) {
        const { decided, contradicted } = sentencesIn(document.checks, rows, level)
        expect(lines.get(`${level} sentences`)?.[0]).toBe(decided.size)
        const [, , amount = '0'] =
          table.match(new RegExp(`${level} sentences</th>((?!</tr>).)*?>(\\d+) contradicted<`)) ?? []
        expect(Number(amount)).toBe(contradicted.size)
        expect(lines.get(`${level} checks`)?.at(-1)).toBe(
          document.checks.filter((check) => check.level === level).length,
        )
      }
    }
  })

  it('maps each sentence to its section and verdict, and the lines of the map add up', async () => {
    const document = sampleDocument({ checks: 1000 })
    const map = between(await renderHtml(document), '<table class="map">', '</table>')
    const amounts = (line: string): readonly number[] =>
      [...line.matchAll(/">([\d,]+)<\/a>/g)].map(([, amount = '']) => Number(amount.replaceAll(',', '')))
    const lines = map.match(/<tr.*?<\/tr>/g)?.slice(1) ?? []
    expect(lines.length).toBeGreaterThan(10)
    for (const line of lines) {
      const numbers = amounts(line)
      expect(numbers.slice(0, -1).reduce((sum, one) => sum + one, 0)).toBe(numbers.at(-1))
    }
    expect(amounts(lines.at(-1) ?? '').at(-1)).toBe(document.register.requirements.length)
    expect(lines.filter((line) => line.includes('class="fail'))).not.toEqual([])
  })

  describe.each([
    ['light', '#ffffff', 0],
    ['dark', '#0f1216', 1],
  ] as const)('on %s paper', (_, paper, at) => {
    const colours = Object.entries(verdictColour).map(([verdict, pair]) => ({ verdict, colour: pair[at] }))

    it('has colours that can be read', () => {
      expect(colours.filter(({ colour }) => contrast(colour, paper) < 4.5)).toEqual([])
    })

    it.each(Object.keys(sights) as (keyof typeof sights)[])('has colours that differ for %s', (sight) => {
      const alike = colours.flatMap((one) =>
        colours.filter((other) => one.verdict < other.verdict && distance(one.colour, other.colour, sight) < 8),
      )
      expect(alike).toEqual([])
    })
  })

  it('groups what was not verified by the step that helps', async () => {
    const document = sampleDocument({ checks: 1000, outcome: 'incomplete' })
    const html = between(await renderHtml(document), 'What was not verified, and why: ', '</section>')
    expect(html.match(/Declare <code>clusters<\/code> in the profile/g)).toHaveLength(1)
    const amounts = [...html.matchAll(/">(\d+) must checks?(?:, (\d+) should checks?)?<\/a>/g)]
    const sum = amounts.reduce((all, [, must, should]) => all + Number(must) + Number(should ?? 0), 0)
    expect(sum).toBe(document.counts['not-verified'])
  })

  it('folds what does not apply to one line', async () => {
    const html = await renderHtml(sampleDocument({ checks: 1000 }))
    expect(html).toMatch(/<details><summary><h2>What does not apply: \d+ causes?, \d+ checks?<\/h2><\/summary>/)
  })

  it('folds findings beyond three of a sort, and lists only once what was left behind', async () => {
    const document = sampleDocument()
    const finding = (code: string, text: string) => ({ severity: 'error', code, text }) as const
    const findings = [
      ...Array.from({ length: 20 }, (_, at) => finding('regression', `policies/errors/c${at} fails now`)),
      ...document.leftBehind.map((text) => finding('left-behind', text)),
    ]
    const html = between(await renderHtml({ ...document, findings }), 'class="findings"', '</section>')
    expect(html.split('<summary>17 more like these</summary>')).toHaveLength(2)
    expect(html).toContain('policies/errors/c19 fails now')
    expect(html.split(document.leftBehind[0] ?? 'none')).toHaveLength(2)
  })

  it('is the same for the same document', async () => {
    expect(await renderHtml(sampleDocument())).toBe(await renderHtml(sampleDocument()))
  })

  it('contains a script that parses and loads no other', async () => {
    const script = await pageScript()
    expect(() => new Function(script)).not.toThrow()
    expect(script).not.toMatch(/\b(import|require)\b *\(|^export |<\/script|<!--/m)
  })
})
