import { Ajv } from 'ajv'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { renderJunit } from './junit.ts'
import { sampleDocument } from './sample/document.ts'
import { hostileText } from './sample/text.ts'

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

const count = { type: 'string', pattern: '^\\d+$' } as const
const seconds = { type: 'string', pattern: '^\\d+\\.\\d{3}$' } as const
const object = (required: readonly string[], properties: object, optional: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties: { ...properties, ...optional },
})
const words = { type: 'string', minLength: 1 } as const
const outcome = object(['message', 'type'], { message: words, type: words }, { '#text': words })
const amounts = { tests: count, failures: count, errors: count, skipped: count, time: seconds }

/** Validates the elements and attributes that we use, as the schema that CI servers publish for such files allows
 * them. */
const isJunit = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
  object(['name', 'testsuite', ...Object.keys(amounts)], {
    name: words,
    ...amounts,
    testsuite: {
      type: 'array',
      items: object(
        ['name', 'timestamp', 'testcase', ...Object.keys(amounts)],
        {
          name: words,
          timestamp: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$' },
          ...amounts,
          testcase: {
            type: 'array',
            items: object(
              ['name', 'classname', 'time'],
              { name: words, classname: words, time: seconds },
              {
                failure: outcome,
                error: outcome,
                skipped: object(['message'], { message: words }),
                'system-out': words,
              },
            ),
          },
        },
        {
          properties: object(['property'], {
            property: { type: 'array', items: object(['name', 'value'], { name: words, value: words }) },
          }),
        },
      ),
    },
  }),
)

describe('the JUnit report', () => {
  it.each([{ checks: 1000 }, { hostile: true }, { checks: 0 }, { outcome: 'incomplete' } as const])(
    'has the elements and attributes that CI servers read: %j',
    (options) => {
      const xml = renderJunit(sampleDocument(options))
      expect(isJunit(parse(xml)) ? [] : isJunit.errors).toEqual([])
      // In each suite the properties come first, and a case has at most one outcome.
      expect(xml).not.toMatch(/<\/testcase>\s*<properties>/)
      for (const { testcase } of parse(xml).testsuite)
        for (const one of testcase) expect([one.failure, one.error, one.skipped].filter(Boolean).length).toBeLessThan(2)
    },
  )

  const document = sampleDocument({ checks: 1000 })
  const root = parse(renderJunit(document))
  const cases = new Map(
    root.testsuite.flatMap((suite) =>
      suite.testcase.map((one) => [`${suite.name}/${/\(([^()]*)\)$/.exec(one.name)?.[1] ?? one.name}`, one]),
    ),
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

  it('names a case by the statement that it checks, in a class of its topic', () => {
    const check = document.checks.find(({ verdict }) => verdict === 'fail')
    const says = document.register.requirements.find(({ id }) => id === check?.requirements[0])?.says
    const [, area, kind, name] = /^([^/]+)\/([^/]+)\/(.+)$/.exec(check?.id ?? '') ?? []
    expect(caseOf('fail')).toMatchObject({ name: `${says} (${name})`, classname: `${area}.${kind}` })
    expect(caseOf('fail')?.failure?.message).toMatch(/: wanted .*; saw .*\.$/)
  })

  it('states for a failure what was wanted, what was seen and which row it contradicts', () => {
    const text = caseOf('fail')?.failure?.['#text'] ?? ''
    expect(text).toMatch(/must: The .* \(Replication and Policies, Endpoints/)
    expect(text).toMatch(/at {5}\/data\/policy\n {2}wanted path/)
    expect(text).toMatch(/when: GET https:\/\/\S+ -> 200/)
  })

  it('marks the request that went wrong, at any position', () => {
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

  it('states why a check was skipped or broke, and what helps', () => {
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
