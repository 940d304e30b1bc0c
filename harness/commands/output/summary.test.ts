import { describe, expect, test } from 'vitest'
import { type Area, areas, type CheckResult, type ResultDocument } from '../../vocabulary/index.ts'
import { Progress } from '../progress.ts'
import { checkResult, sampleResult } from './sample-results.test-bed.ts'
import { longest, printOutcome, summary } from './summary.ts'
import type { Terminal } from './terminal.ts'

const plain = (_style: string, text: string) => text
const open = (id: string): CheckResult => ({
  ...checkResult(id, 'not-verified'),
  blocker: { kind: 'need', reason: 'the profile does not provide clusters', mend: 'describe clusters in the profile' },
})

describe('the summary', () => {
  const failed: CheckResult = {
    ...checkResult('a', 'fail'),
    mismatches: [{ asked: 'POST x', at: 'status', wanted: '4xx or 5xx', saw: '204', expectation: 0 }],
  }
  const text = summary(
    sampleResult({ checks: [failed, open('b'), open('c')], leftBehind: ['assay-a1-1-policy (acl policies)'] }),
    plain,
  )

  test('begins with the verdict, the target and the counts by area', () => {
    expect(text).toMatch(
      /^left-behind and non-conformant {2}1 object of the run is left on the target; 1 of 1 must sentences is contradicted: .*; 1 of 1 must checks failed; 2 must checks .*\nhttp:\/\/127\.0\.0\.1:8200 \(version unknown, edition unknown\), 1\.0 s\n(- .*\n){3}\narea /,
    )
    expect(text).toMatch(/\npolicies +0 +1 +0 +0 +2 +0 +0\n/)
  })

  test('lists the counts in words if the table does not fit', () => {
    const text = summary(sampleResult({ checks: [failed, open('b'), open('c')] }), plain, 40)
    expect(text).toContain('\n\npolicies: 1 fail, 2 not verified\n\n')
  })

  test('shows what was wanted and what was seen, below the cause', () => {
    expect(text).toContain(
      'What failed: 1 cause, 1 sentence, 1 check\n  1 check: `POST x` answers 204 and not 4xx or 5xx\n    policies/errors/a\n      POST x: wanted status 4xx or 5xx; saw 204',
    )
  })

  test('shows the sentence that is contradicted, with its document and row, and then what was seen', () => {
    const [id] = failed.requirements
    const source = { document: 1, section: 'Policy endpoints', row: 'POST' } as const
    const row = {
      id: id ?? '',
      area: 'policies',
      level: 'must',
      says: 'A POST without `policy` is refused.',
      source,
    } as const
    const said = summary(sampleResult({ checks: [failed], requirements: [row] }), plain)
    expect(said).toContain(
      'What failed: 1 cause, 1 sentence, 1 check\n  1 check: A POST without `policy` is refused.\n    Document 1, Policy endpoints, POST: `policies.acl.write.policy-required`\n    seen: `POST x` answers 204 and not 4xx or 5xx\n    policies/errors/a\n',
    )
    expect(said.split('\n')[0]).toBe(
      'non-conformant  1 of 1 must sentences is contradicted: “A POST without `policy` is refused” (`POST x` answers 204 and not 4xx or 5xx); 1 of 1 must checks failed.',
    )
  })

  test('names one cause of many findings in its first line', () => {
    const checks = Array.from({ length: 16 }, (_, at) => ({
      ...checkResult(`check-${at}`, 'fail'),
      mismatches: [{ asked: 'LIST sys/plugins/catalog', at: 'status', wanted: '2xx', saw: '405', expectation: 0 }],
    }))
    const text = summary(sampleResult({ checks }), plain)
    expect(text.split('\n')[0]).toContain(
      '1 of 1 must sentences is contradicted: `LIST sys/plugins/catalog` answers 405; 16 of 16 must checks failed.',
    )
    expect(text).toContain('What failed: 1 cause, 1 sentence, 16 checks\n')
  })

  test('lets no area hide others if not all causes are shown, and counts the rest', () => {
    const many = (area: Area, count: number): CheckResult[] =>
      Array.from({ length: count }, (_, at) => ({
        ...checkResult('', 'fail'),
        id: `${area}/errors/check-${at}`,
        requirements: [`${area}.row-${at}`],
        area,
        mismatches: [{ asked: `GET ${area}/${at}`, at: 'status', wanted: '2xx', saw: '405', expectation: 0 }],
      }))
    const checks = [...many('policies', 32), ...many('pki', 3), ...many('cloud', 25)]
    const [, failures = ''] =
      /\nWhat failed: 60 causes, 60 sentences, 60 checks\n([\s\S]*)$/.exec(summary(sampleResult({ checks }), plain)) ??
      []
    const lines = failures.split('\n').map((line) => line.trim())
    const shown = (prefix: string) => lines.filter((line) => line.startsWith(prefix)).length
    expect(['policies/', 'pki/', 'cloud/'].map(shown)).toEqual([9, 3, 8])
    expect(lines.at(-1)).toBe('… and 40 more causes, see the report')
  })

  test('names what is accepted, with its reason and owner', () => {
    const accepted = { was: 'fail', at: 'a.yaml:1:3', reason: 'cached', owner: 'me', until: '2027-01-01' } as const
    const text = summary(sampleResult({ checks: [{ ...checkResult('a', 'accepted'), accepted }] }), plain)
    expect(text).toContain('What is accepted\n  policies/errors/a (fail, until 2027-01-01, me): cached')
  })

  test('puts checks with the same cause together', () => {
    expect(text).toContain(
      'What was not verified, and why: 1 cause, 2 checks\n  2 checks: the profile does not provide clusters (describe clusters in the profile)\n    policies/errors/b, policies/errors/c',
    )
  })

  test('begins with the cause that affects the most checks', () => {
    const rare = { ...open('a'), blocker: { kind: 'need', reason: 'a rare reason' } as const }
    const causes = summary(sampleResult({ checks: [rare, open('b'), open('c')] }), plain)
    expect(causes.indexOf('2 checks: the profile')).toBeLessThan(causes.indexOf('1 check: a rare reason'))
    expect(causes).toContain('2 checks: the profile')
  })

  test('needs at most 25 lines, including progress, for a perfect run of all areas', () => {
    const kinds = ['version', 'edition', 'feature'] as const
    const outside = (area: Area, at: number): CheckResult => ({
      ...checkResult('', 'not-applicable'),
      id: `${area}/versions/check-${at}`,
      area,
      blocker: { kind: kinds[at] ?? 'version', reason: `holds for version ${at}` },
    })
    const checks = areas.flatMap((area) => [
      ...Array.from({ length: 200 }, (_, at) => ({ ...checkResult('', 'pass'), id: `${area}/errors/c${at}`, area })),
      ...[0, 0, 1, 2].map((at) => outside(area, at)),
    ])
    const lines: string[] = []
    const write = (line: string) => void lines.push(line)
    const terminal = { isLive: false, live: () => {}, say: write, out: write, painted: write }
    const onTerminal = { ...terminal, paint: plain, width: 200 } as unknown as Terminal
    let time = 0
    const progress = new Progress(terminal, { now: () => time, wait: () => new Promise(() => {}) })
    progress.judging(checks.length)
    for (const check of checks) {
      time += 30
      progress.saw({ event: 'judged', ...check })
    }
    const took = progress.writing(['html', 'junit'])
    time += 1900
    progress.wrote('result.json')
    const run = { durationMs: time, selection: { areas, asked: [], checks: [], level: 'should' } } as const
    printOutcome(sampleResult({ checks, run }), ['out/result.json', 'out/report.html'], false, onTerminal, took())
    // A real run also begins with a line that names the target.
    expect(lines.length + 1).toBeLessThanOrEqual(25)
    expect(lines).toEqual([
      ...[1, 2, 3, 4].map((ten) => expect.stringContaining(` after ${ten}0.`)),
      'removing secrets, and writing reports: json, html, junit',
      'conformant  All 1,600 must checks that apply to the target hold.',
      'http://127.0.0.1:8200 (version unknown, edition unknown), 50.9 s',
      '',
      'area                     pass  fail  warn  accepted  not verified  not applicable  error',
      ...areas.map((area) => `${area.padEnd(23)}  200   0     0     0         0             4               0`),
      'all                      1600  0     0     0         0             32              0',
      '',
      'What does not apply: 32 checks (16 another version; 8 another edition; 8 an optional part of the API)',
      '',
      'Report: out/report.html (written in 1.9 s, with result.json)',
    ])
  })

  test('names what was left behind', () => {
    expect(text).toContain('Left behind\n  assay-a1-1-policy (acl policies)')
  })
})

describe('what took longest', () => {
  const checks = Array.from({ length: 7 }, (_, at) => ({
    ...checkResult(`check-${at}`, 'pass'),
    durationMs: 1000 * (at + 1),
  }))
  const saidOf = (judgingMs: number, name = 'staging', more: Partial<ResultDocument['run']> = {}) => {
    const document = sampleResult({ checks, run: { judgingMs, ...more } })
    return longest({ ...document, target: { ...document.target, name } }, plain)
  }

  test('is shown for a long run on a named target', () => {
    const [text = ''] = saidOf(28_000)
    expect(text.split('\n').slice(0, 2)).toEqual([
      'What took longest',
      '  7.0 s  policies/errors/check-6 (no request is recorded)',
    ])
    expect(text.split('\n')).toHaveLength(6)
  })

  test('is not shown for a short run or for the embedded server', () => {
    expect([saidOf(9999), saidOf(28_000, 'reference server')]).toEqual([[], []])
  })

  test('includes the steps of the run if they were measured, each in one line', () => {
    const timings = [
      { name: 'judge\u001b[2J', startMs: 0, durationMs: 900 },
      { name: 'ask for its areas', startMs: 0, durationMs: 0.1 },
    ]
    const [text = ''] = saidOf(900, 'reference server', { timings })
    expect(text.split('\n').slice(0, 2)).toEqual(['What took longest', '  900 ms  judge\\u001b[2J'])
    expect(text).not.toContain('areas')
  })
})
