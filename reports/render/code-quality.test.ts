import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { renderCodeQuality } from './code-quality.ts'
import { sampleDocument } from './sample/document.ts'
import { hostileText } from './sample/text.ts'

/** Allows exactly the fields that GitLab documents. */
const isValid = new Ajv({ allErrors: true }).compile({
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1, pattern: '^[^\\u0000-\\u001F]*$' },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?!/|\\./)' },
          lines: {
            type: 'object',
            additionalProperties: false,
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
})

interface Entry {
  readonly check_name: string
  readonly fingerprint: string
  readonly severity: string
  readonly description: string
}

const entriesOf = (document: ReturnType<typeof sampleDocument>): readonly Entry[] => {
  const entries = JSON.parse(renderCodeQuality(document))
  expect(isValid(entries) ? [] : isValid.errors).toEqual([])
  return entries
}

test('each finding is an entry with the severity of its level, after the verdict', () => {
  const document = sampleDocument({ checks: 1000 })
  const [first, ...entries] = entriesOf(document)
  const { counts, verdict } = document
  expect(first).toMatchObject({
    check_name: 'assay/verdict',
    severity: 'blocker',
    description: `${verdict.title}: ${verdict.headline}`,
  })
  const of = (severity: string) => entries.filter((entry) => entry.severity === severity).length
  expect({ critical: of('critical'), minor: of('minor') }).toEqual({ critical: counts.fail, minor: counts.warn })
  expect(of('major') + of('info')).toBe(counts['not-verified'] + counts.error)
  expect(entries.find(({ severity }) => severity === 'critical')?.description).toMatch(
    /^The .*\. .* wanted .*; saw .*\.$/,
  )
})

test('the fingerprint of a check is unique, and the same in every run', () => {
  const entries = entriesOf(sampleDocument({ checks: 1000 }))
  expect(new Set(entries.map(({ fingerprint }) => fingerprint)).size).toBe(entries.length)
  const again = entriesOf(sampleDocument({ checks: 1000, seed: 8 }))
  const known = new Map(entries.map(({ check_name: name, fingerprint }) => [name, fingerprint]))
  const both = again.filter(({ check_name: name }) => known.has(name))
  expect(both.length).toBeGreaterThan(0)
  for (const { check_name: name, fingerprint } of both) expect(fingerprint).toBe(known.get(name))
})

test('a conformant run without a warning has no entry', () => {
  const document = sampleDocument({ outcome: 'conformant' })
  const green = { ...document, checks: document.checks.filter(({ verdict }) => verdict === 'pass') }
  expect(renderCodeQuality(green)).toBe('[\n]\n')
})

test('texts from a target are escaped', () => {
  const text = renderCodeQuality(sampleDocument({ hostile: true }))
  expect(text).not.toContain(hostileText.slice(20, 60))
  entriesOf(sampleDocument({ hostile: true }))
})
