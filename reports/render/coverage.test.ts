import { describe, expect, test } from 'vitest'
import { coverageOf, fates, renderCoverage } from './coverage.ts'
import { sampleDocument } from './sample/document.ts'
import { hostileText } from './sample/text.ts'

describe('coverage', () => {
  const document = sampleDocument({ checks: 300 })
  const documents = coverageOf(document)

  test('has each row once, with one fate, and the counts add up', () => {
    const ids = documents.flatMap(({ rows }) => rows.map(({ requirement }) => requirement.id))
    expect(ids.length).toBeGreaterThan(5)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { rows, counts } of documents)
      expect(fates.reduce((sum, fate) => sum + counts[fate], 0)).toBe(rows.length)
  })

  test('distinguishes decided rows from others', () => {
    for (const { fate, checks, requirement } of documents.flatMap(({ rows }) => rows)) {
      const isDecided = checks.some(({ verdict, accepted }) =>
        verdict === 'accepted' ? accepted?.was === 'fail' : ['pass', 'fail', 'warn'].includes(verdict),
      )
      expect([requirement.id, fate === 'decided']).toEqual([requirement.id, requirement.level !== 'info' && isDecided])
    }
  })

  test('names the checks of a row, its verdict, and why a row is open', () => {
    const [decided] = documents.flatMap(({ rows }) => rows.filter(({ fate }) => fate === 'decided'))
    if (!decided) throw new Error('no row is decided')
    const open = { ...decided.requirement, id: 'policies.open.x', level: 'info' as const, open: 'nobody says it' }
    const { register } = document
    const text = renderCoverage({
      ...document,
      register: { ...register, requirements: [...register.requirements, open] },
    })
    const line = text.split('\n').find((one) => one.includes(`\`${decided.requirement.id}\``))
    for (const { id } of decided.checks) expect(line).toContain(`\`${id}\``)
    expect(text.split('\n').find((one) => one.includes('`policies.open.x`'))).toContain('open: Nobody says it')
    expect(text).toMatch(/\| document \| rows \| decided \| not decided \| no check in this run \| open \|/)
  })

  test('escapes all texts', () => {
    const { register } = document
    const requirements = register.requirements.map((one) => ({
      ...one,
      says: `${hostileText}|`,
      source: { ...one.source, section: hostileText },
    }))
    const text = renderCoverage({ ...document, register: { ...register, requirements } })
    expect(text.replace(/(`+).*?\1/g, '')).not.toMatch(/<\/script|<img/)
  })
})
