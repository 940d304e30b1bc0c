import { describe, expect, it } from 'vitest'
import { sampleDocument } from './sample-document.ts'
import { renderSarif } from './sarif.ts'

describe('the SARIF report', () => {
  const document = sampleDocument({ checks: 1000, hostile: true })
  const sarif = JSON.parse(renderSarif(document))
  const run = sarif.runs[0]

  it('has the structure of SARIF 2.1.0', () => {
    expect(sarif.version).toBe('2.1.0')
    expect(run.tool.driver).toMatchObject({ name: 'assay', version: '0.1.0' })
    const ids = run.tool.driver.rules.map((rule: { id: string }) => rule.id)
    expect(new Set(ids).size).toBe(ids.length)
    const used = new Set(run.results.map((result: { ruleId: string }) => result.ruleId))
    expect(ids.filter((id: string) => !used.has(id))).toEqual([])
    for (const rule of run.tool.driver.rules) expect(rule.shortDescription.text).not.toBe('')
    for (const result of run.results) {
      expect(result.message.text).not.toBe('')
      expect(ids[result.ruleIndex]).toBe(result.ruleId)
      expect(['fail', 'open']).toContain(result.kind)
      expect(result.level === 'none').toBe(result.kind !== 'fail')
      const [location] = result.locations
      expect(location.physicalLocation.artifactLocation.uri).toMatch(/^suites\/[\w/-]+\.ts$/)
      expect(location.physicalLocation.region.startLine).toBe(1)
    }
    expect(run.invocations[0]).toMatchObject({ executionSuccessful: true, exitCode: 1 })
    expect(run.invocations[0].startTimeUtc).toMatch(/Z$/)
  })

  it('has what a reader must act on, at its level', () => {
    const of = (level: string): number =>
      run.results.filter((result: { level: string }) => result.level === level).length
    const { counts } = document
    expect(of('error')).toBe(counts.fail)
    expect(of('warning')).toBe(counts.warn)
    expect(of('note')).toBe(counts.accepted)
    expect(of('none')).toBe(counts['not-verified'] + counts.error)
  })

  it('suppresses accepted findings with their reason', () => {
    const suppressed = run.results.filter((result: { suppressions?: unknown }) => result.suppressions)
    expect(suppressed).toHaveLength(document.counts.accepted)
    expect(suppressed[0].suppressions).toEqual([
      { kind: 'external', justification: expect.stringContaining('Known since') },
    ])
  })
})
