import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { renderJunit } from './junit.ts'
import { sampleDocument } from './sample-document.ts'
import { hostileText } from './sample-text.ts'

interface Case {
  readonly name: string
  readonly classname: string
  readonly failure?: { readonly message: string; readonly '#text': string }
  readonly error?: { readonly message: string }
  readonly skipped?: { readonly message: string }
  readonly 'system-out'?: string
}

const blocker = { kind: 'transport', reason: 'reset' } as const

const arrays = ['testsuite', 'testcase']
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  isArray: (name) => arrays.includes(name),
})
const parse = (
  xml: string,
): {
  tests: string
  failures: string
  errors: string
  skipped: string
  testsuite: { name: string; testcase: Case[] }[]
} => {
  expect(XMLValidator.validate(xml)).toBe(true)
  return parser.parse(xml).testsuites
}

describe('the JUnit report', () => {
  const document = sampleDocument({ checks: 1000 })
  const root = parse(renderJunit(document))
  const cases = new Map(
    root.testsuite.flatMap((suite) => suite.testcase.map((one) => [`${suite.name}/${one.name}`, one])),
  )
  const caseOf = (verdict: string): Case | undefined =>
    cases.get(document.checks.find((check) => check.verdict === verdict)?.id ?? '')

  it('counts as the document does', () => {
    const { counts } = document
    expect(root.tests).toBe('1001')
    expect(root.failures).toBe(String(counts.fail + 1))
    const broken = document.checks.filter(({ verdict, level }) => verdict === 'error' && level === 'must').length
    expect(root.errors).toBe(String(broken))
    const aside = counts['not-applicable'] + counts['not-verified'] + counts.accepted
    expect(root.skipped).toBe(String(aside + counts.error - broken))
    expect([...cases.keys()].sort()).toEqual(['assay/verdict', ...document.checks.map((check) => check.id)].sort())
  })

  it('says of a failure what was wanted, what was seen and where it is stated', () => {
    const text = caseOf('fail')?.failure?.['#text'] ?? ''
    expect(text).toMatch(/must: The .* \(Replication and Policies, Endpoints/)
    expect(text).toMatch(/at {5}\/data\/policy\n {2}wanted path/)
    expect(text).toMatch(/when: GET https:\/\/\S+ -> 200/)
  })

  it('marks the request that went wrong, wherever it stands', () => {
    const failed = document.checks.find(({ verdict, mismatches }) => verdict === 'fail' && mismatches.length > 0)
    if (!failed) throw new TypeError('no sample fails')
    const checks = [
      { ...failed, mismatches: failed.mismatches.map((mismatch) => ({ ...mismatch, exchange: 1 })) },
      { ...failed, id: `${failed.id}-2`, verdict: 'error' as const, mismatches: [], level: 'must' as const },
    ].map((check) => ({ ...check, ...(check.verdict === 'error' ? { blocker: { ...blocker, exchange: 0 } } : {}) }))
    const marked = parse(renderJunit({ ...document, checks })).testsuite.flatMap(({ name, testcase }) =>
      (name === 'assay' ? [] : testcase).map((one) =>
        String(one.failure?.['#text'] ?? (one.error as { '#text'?: string })?.['#text']),
      ),
    )
    expect(marked[0]).toMatch(/^given: .*\ngiven: .* <- this request went wrong\n/m)
    expect(marked[1]).toMatch(/^given: .* <- this request went wrong\n/m)
    for (const text of marked) expect(text.match(/went wrong/g)).toHaveLength(1)
  })

  it('gives the reason and the mend of a skip and an error', () => {
    expect(caseOf('error')?.error?.message).toMatch(/reset after 3 attempts\. Look at the proxy/)
    expect(caseOf('not-applicable')?.skipped?.message).toMatch(/^Not applicable: Holds/)
    expect(caseOf('not-verified')?.skipped?.message).toMatch(/^Not verified: /)
    expect(caseOf('accepted')?.skipped?.message).toMatch(/^Accepted \(fail\): Known since 1\.13.*tracker/)
    expect(caseOf('warn')?.['system-out']).toMatch(/^Warning/)
    expect(caseOf('warn')?.failure).toBeUndefined()
  })

  it('is well-formed with hostile content and without checks', () => {
    const xml = renderJunit(sampleDocument({ hostile: true }))
    parse(xml)
    expect(xml).not.toMatch(/[\0\u0001-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/)
    expect(xml).not.toContain(hostileText.slice(0, 12))
    expect(parse(renderJunit(sampleDocument({ checks: 0 }))).tests).toBe('1')
  })
})
