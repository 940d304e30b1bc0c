import { describe, expect, it } from 'vitest'
import { sampleDocument } from './sample/document.ts'
import { judgeRequirements, unasked } from './tally.ts'

describe('requirements are counted within the areas of the run', () => {
  const whole = sampleDocument({ checks: 160 })
  const checks = whole.checks.filter(({ area }) => area === 'pki')
  const narrow = {
    ...whole,
    checks,
    run: { ...whole.run, selection: { ...whole.run.selection, areas: ['pki'] as const } },
  }

  it('and not in the others', () => {
    const judged = judgeRequirements(narrow)
    expect(judged.length).toBeGreaterThan(0)
    expect(judged.length).toBeLessThan(judgeRequirements(whole).length)
    expect(new Set(judged.map(({ requirement }) => requirement.area))).toEqual(new Set(['pki']))
  })

  it('and requirements without a check are counted with their area', () => {
    expect(unasked(narrow)).toBeUndefined()
    expect(unasked({ ...narrow, checks: checks.slice(1) })).toMatch(/^1 of \d+ requirements? of pki had no check/)
  })
})
