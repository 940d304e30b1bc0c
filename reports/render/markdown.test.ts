import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './markdown.ts'
import { sampleDocument } from './sample/document.ts'
import { hostileText } from './sample/text.ts'

/** Counts the cells of a row by the rules of GitHub: a pipe separates cells unless a backslash precedes it. */
const cells = (line: string): number => line.replace(/\\\|/g, '').split('|').length - 2

describe('the Markdown summary', () => {
  it('has verdict, target, counts, failures, obstacles and findings', () => {
    const text = renderMarkdown(sampleDocument({ checks: 1000 }))
    for (const part of [
      '# ✗ Non-conformant',
      '`https://secrets.staging.example:8200`',
      '## By area and kind',
      '## What failed',
      '## What was not verified, and why',
      'Declare `clusters` in the profile.',
      '## What is accepted',
      '## Findings',
      '**Left on the target**',
    ])
      expect(text).toContain(part)
  })

  it('quotes the sentence that a cause contradicts, and links to it on the page', () => {
    const document = sampleDocument({ checks: 1000 })
    const text = renderMarkdown(document)
    const id = document.causes[0]?.checks[0]
    const check = document.checks.find((one) => one.id === id)
    const statement = document.register.requirements.find((one) => one.id === check?.requirements[0])
    expect(text).toContain(`> ${statement?.says}\n>\n> must, [`)
    expect(text).toContain(`](report.html#list=requirements&open=${statement?.id})`)
    expect(text).toContain(`[\`${id}\`](report.html#open=${id})`)
    expect(text).toContain(`npx assay run --profile staging.yaml --check ${id}`)
    expect(text).not.toContain('assay-k3v9q2-0-')
  })

  it('has the same number of cells in every row of a table', () => {
    for (const document of [
      sampleDocument({ checks: 1000, hostile: true }),
      sampleDocument({ outcome: 'incomplete' }),
    ]) {
      const tables = renderMarkdown(document)
        .split('\n\n')
        .filter((part) => part.startsWith('|'))
        .map((part) => new Set(part.split('\n').map(cells)))
      expect(tables.length).toBeGreaterThan(2)
      for (const widths of tables) expect(widths.size).toBe(1)
    }
  })

  it('escapes all texts from the target', () => {
    const text = renderMarkdown(sampleDocument({ checks: 1000, hostile: true })).replace(/(`+).*?\1/g, '')
    expect(text).not.toMatch(/<\/script|<img|\0|\u202E/)
  })

  it('fits into a job summary, whatever a target sends', () => {
    const document = sampleDocument({ checks: 1000, hostile: true })
    const long = `${hostileText}|*_@`.repeat(100)
    const text = renderMarkdown({
      ...document,
      target: { ...document.target, name: long },
      findings: Array.from({ length: 500 }, () => ({ severity: 'error' as const, code: 'x', text: long })),
      leftBehind: Array.from({ length: 500 }, () => long),
      checks: document.checks.map((check, at) => ({
        ...check,
        id: `${check.id}${long}`,
        verdict: (['fail', 'warn', 'not-verified', 'not-applicable', 'accepted'] as const)[at % 5] ?? 'fail',
        blocker: { kind: 'given', reason: `${at}${long}`, mend: long },
        accepted: { was: 'fail' as const, at: 'x:1:1', until: '2027-01-31', reason: long, issue: long },
        mismatches: [{ expectation: 0, asked: long, at: long, wanted: `${at}${long}`, saw: long }],
      })),
    })
    expect(Buffer.byteLength(text)).toBeLessThan(1_048_576)
  })

  it('shows the headline of a run without checks', () => {
    const text = renderMarkdown(sampleDocument({ checks: 0, outcome: 'incomplete' }))
    expect(text).toMatch(/^# \? Incomplete\n\n0 must checks could not be verified/)
  })
})
