import { expect, test } from 'vitest'
import { sampleDocument } from '../render/sample/document.ts'
import { replayed } from './replayed.ts'

const document = sampleDocument({ checks: 1000 })

test.each([
  ['not-verified', 'broken', /^Not verified: /],
  ['error', 'broken', /^Error: /],
  ['not-applicable', 'skipped', /^Not applicable: /],
  ['accepted', 'skipped', /^Accepted \(fail\): /],
] as const)(
  'a check with the verdict %s becomes %s, and its message and labels name the verdict',
  (verdict, status, message) => {
    const own = document.checks.filter((check) => check.verdict === verdict)
    expect(own.length).toBeGreaterThan(0)
    for (const check of own) {
      const result = replayed(check, new Map(), document)
      expect(result).toMatchObject({ status, message: expect.stringMatching(message) })
      expect(result.labels).toContainEqual({ name: 'verdict', value: verdict })
    }
  },
)

test('the title is the sentence of the document, and the severity its level', () => {
  for (const check of document.checks) {
    const { title, labels } = replayed(check, new Map(), document)
    expect(title).toMatch(/^The .*\. \([\w-]+\)$/)
    expect(labels).toContainEqual({ name: 'severity', value: check.level === 'must' ? 'critical' : 'normal' })
  }
})
