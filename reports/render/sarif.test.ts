import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { sampleDocument } from './sample/document.ts'
import { renderSarif } from './sarif.ts'

/** One pattern of the schema has a bracket that is a syntax error in a Unicode regular expression. */
const ajv = new Ajv({ strict: false, unicodeRegExp: false })
ajvFormats.default(ajv)
const schema = new URL('../schemas/sarif-2.1.0.schema.json', import.meta.url)
const isValid = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')))
const errorsIn = (text: string): unknown => (isValid(JSON.parse(text)) ? [] : isValid.errors)

describe('the SARIF report', () => {
  const document = sampleDocument({ checks: 1000, hostile: true })
  const sarif = JSON.parse(renderSarif(document))
  const run = sarif.runs[0]

  it.each(['conformant', 'non-conformant', 'incomplete'] as const)('is valid by the schema of SARIF: %s', (outcome) => {
    const links = { page: 'https://pages.example/report.html' }
    expect(errorsIn(renderSarif(sampleDocument({ outcome, hostile: true }), links))).toEqual([])
    expect(errorsIn(renderSarif(sampleDocument({ checks: 0, outcome })))).toEqual([])
  })

  it('is invalid by that schema if a part is missing', () => {
    expect(errorsIn(JSON.stringify({ version: '2.1.0', runs: [{ results: [] }] }))).toMatchObject([
      { message: "must have required property 'tool'" },
    ])
  })

  it('links to the page, or else to the job', () => {
    const first = (links: object) => JSON.parse(renderSarif(document, links)).runs[0].tool.driver
    const id = encodeURIComponent(first({}).rules[0].id)
    expect(first({ page: 'https://pages.example/r.html', job: 'https://ci.example/7' })).toMatchObject({
      informationUri: 'https://pages.example/r.html',
      rules: expect.arrayContaining([
        expect.objectContaining({ helpUri: `https://pages.example/r.html#list=requirements&open=${id}` }),
      ]),
    })
    expect(first({ job: 'https://ci.example/7' }).rules[0].helpUri).toBe('https://ci.example/7')
    expect(first({}).informationUri).toBe('pkg:npm/assay@0.1.0')
    expect(first({}).rules[0]).not.toHaveProperty('helpUri')
  })

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
      expect(location.physicalLocation.artifactLocation.uri).toBe('result.json')
      expect(location.logicalLocations[0].fullyQualifiedName).toMatch(/^[\w-]+\/[\w-]+\/[\w-]+$/)
    }
    expect(run.invocations[0]).toMatchObject({ executionSuccessful: true, exitCode: 1 })
    expect(run.invocations[0].startTimeUtc).toMatch(/Z$/)
  })

  it('has a result for each check that a reader must act on, with its level', () => {
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
