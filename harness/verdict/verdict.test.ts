import { describe, expect, test } from 'vitest'
import { checkResult, sampleResult } from '../commands/output/sample-results.test-bed.ts'
import {
  type Blocker,
  type CheckResult,
  type ExitCode,
  type Level,
  type Requirement,
  type RunWord,
  runWords,
  type Verdict,
} from '../vocabulary/index.ts'
import { type Circumstances, countsOf, verdictOf } from './verdict.ts'
import { exitCodeOf, reasonCodes, wordOf } from './verdict-words.ts'

const result = (verdict: Verdict, level: Level = 'must', kind?: Blocker['kind']): CheckResult => ({
  ...checkResult(verdict, verdict),
  level,
  ...(kind ? { blocker: { kind, reason: 'because' } } : {}),
})
const accepted = (was: 'fail' | 'not-verified'): CheckResult => ({
  ...result('accepted'),
  accepted: { was, at: 'accepted.yaml:1:3', reason: 'known', owner: 'me', until: '2027-01-01' },
})

const calm: Circumstances = {
  checks: [result('pass')],
  interrupted: false,
  leftBehind: [],
  defects: [],
  regressed: [],
  outdated: [],
  asked: [],
  absentAreas: [],
  leftOut: [],
  isShard: false,
}

describe('the verdict of a run', () => {
  test.each<[RunWord, CheckResult[]]>([
    ['conformant', [result('pass'), result('warn', 'should'), accepted('fail'), result('not-applicable')]],
    ['conformant', [result('pass'), accepted('not-verified')]],
    ['conformant', [result('pass'), result('not-verified', 'should')]],
    ['non-conformant', [result('fail'), result('not-verified')]],
    ['incomplete', [result('pass'), result('not-verified')]],
    ['incomplete', [result('pass'), result('error')]],
    ['incomplete', [result('pass'), result('not-verified', 'should', 'time')]],
    ['incomplete', [result('not-applicable')]],
    ['incomplete', [accepted('not-verified')]],
    ['incomplete', []],
  ])('%s', (word, checks) => {
    expect(verdictOf({ ...calm, checks }).word).toBe(word)
  })

  test('begins with the causes of the fails', () => {
    const seen = (asked: string, saw: string) => [{ asked, at: 'status', wanted: '2xx', saw, expectation: 0 }]
    const listing = (level: Level) => ({
      ...result(level === 'must' ? 'fail' : 'warn', level),
      mismatches: seen('LIST sys/plugins/catalog', '405 unsupported operation'),
    })
    const run = { ...calm, checks: [result('pass'), listing('must'), listing('must'), listing('should')] }
    expect(verdictOf(run).headline).toBe(
      '1 of 1 must sentences is contradicted: `LIST sys/plugins/catalog` answers 405; 2 of 3 must checks failed; 1 sentence of level should is contradicted.',
    )
    const other = { ...result('fail'), requirements: ['other'], mismatches: seen('GET x', '404') }
    expect(verdictOf({ ...run, checks: [...run.checks, other] }).headline).toBe(
      '2 of 2 must sentences are contradicted: `LIST sys/plugins/catalog` answers 405, and 1 more cause; 3 of 4 must checks failed; 1 sentence of level should is contradicted.',
    )
  })

  test('counts sentences apart from checks, and a sentence once however many checks contradict it', () => {
    const row = (id: string, level: Level): Requirement => ({
      ...{ id, area: 'policies', level, says: `${id} holds.` },
      source: { document: 1, section: 'S', row: 'R' },
    })
    const requirements = [row('p.a', 'must'), row('p.b', 'must'), row('p.c', 'should')]
    const on = (verdict: Verdict, ...ids: string[]) => ({ ...result(verdict), requirements: ids })
    const checks = [on('fail', 'p.a'), on('fail', 'p.a'), on('pass', 'p.b', 'p.c'), on('pass', 'p.b')]
    expect(verdictOf({ ...calm, checks, requirements }).reasons[0]?.facts).toMatchObject({
      ...{ failed: 2, judged: 4, sentences: { contradicted: 1, decided: 2 } },
      first: { sentence: 'p.a holds.' },
    })
  })

  test('says what a should contradicts, and fails on it if it is told to', () => {
    const says = 'GET shows the level.'
    const source = { document: 1, section: 'S', row: 'R' } as const
    const requirements: readonly Requirement[] = ['a', 'b', 'c'].map((id) => ({
      ...{ id: `p.${id}`, area: 'policies', level: 'should', says: id === 'a' ? says : `${id}.`, source },
    }))
    const warned = requirements.map(({ id }) => ({ ...result('warn', 'should'), requirements: [id] }))
    const run = { ...calm, checks: [result('pass'), ...warned], requirements }
    expect(verdictOf(run)).toMatchObject({
      ...{ word: 'conformant', exitCode: 0, title: 'conformant (3 should sentences contradicted)', reasons: [] },
      headline:
        'The only must check that applies to the target holds; 3 sentences of level should are contradicted: “GET shows the level”, “b”, 1 more.',
    })
    expect(verdictOf({ ...run, failOn: 'should' })).toMatchObject({
      ...{ word: 'non-conformant', exitCode: 1 },
      headline: '3 sentences of level should are contradicted: “GET shows the level”, “b”, 1 more.',
      reasons: [{ code: 'should-contradicted' }],
    })
    expect(verdictOf({ ...calm, failOn: 'should' }).exitCode).toBe(0)
  })

  test('does not hide that the target is not conformant', () => {
    const run = { ...calm, checks: [result('fail')], leftBehind: ['POST x'] }
    expect(verdictOf(run)).toMatchObject({ word: 'left-behind', exitCode: 7, title: 'left-behind and non-conformant' })
    expect(verdictOf({ ...run, interrupted: true }).title).toBe('interrupted and left-behind and non-conformant')
    expect(verdictOf({ ...run, checks: [result('pass'), result('not-verified')] }).title).toBe('left-behind')
  })

  test('leaves out a next step that would not help after an interruption', () => {
    const codes = (more: readonly CheckResult[]) =>
      verdictOf({ ...calm, interrupted: true, checks: [result('pass'), ...more] }).reasons.map(({ code }) => code)
    expect(codes([result('not-verified', 'must', 'interrupted')])).toEqual(['interrupted'])
    expect(codes([result('not-verified', 'must', 'interrupted'), result('not-verified')])).toEqual([
      'interrupted',
      'not-verified',
    ])
    const alone = { ...calm, checks: [result('pass'), result('not-verified', 'must', 'interrupted')] }
    expect(verdictOf(alone).word).toBe('incomplete')
  })

  test('counts name every verdict', () => {
    expect(countsOf([result('pass'), result('pass'), result('warn')])).toEqual({
      pass: 2,
      fail: 0,
      warn: 1,
      accepted: 0,
      'not-applicable': 0,
      'not-verified': 0,
      error: 0,
    })
  })

  test('is incomplete if an area that was selected by name is not decided, whatever other areas are', () => {
    const cloud = { ...result('not-applicable', 'must', 'area'), area: 'cloud' as const }
    const absentAreas = [{ area: 'cloud', name: 'cloud engine', evidence: 'no engine answers at cloud/' }] as const
    const run = { ...calm, checks: [result('pass'), cloud], absentAreas }
    const unasked = verdictOf(run)
    expect(unasked).toMatchObject({ word: 'conformant', exitCode: 0 })
    expect(unasked.notes).toEqual([
      'This target has no cloud engine (no engine answers at cloud/), so the checks of cloud do not apply.',
    ])
    const asked = verdictOf({ ...run, asked: ['policies', 'cloud'] })
    expect(asked).toMatchObject({ word: 'incomplete', reasons: [{ facts: { areas: ['cloud'] } }] })
  })

  test('of a shard is not incomplete because of an area whose checks are in other shards', () => {
    const run = { ...calm, asked: ['policies', 'cloud'] } as const
    expect(verdictOf({ ...run, isShard: true }).word).toBe('conformant')
    expect(verdictOf(run).word).toBe('incomplete')
  })

  test('has one short line for each fact, which quotes nothing', () => {
    const says = 'A long; sentence'
    const rows: Requirement[] = [
      { id: 'pki.a', area: 'pki', level: 'must', says, source: { document: 2, section: 's', row: 'r' } },
      { id: 'pki.b', area: 'pki', level: 'should', says, source: { document: 2, section: 's', row: 'r' } },
    ]
    const seen = [{ asked: 'GET pki/ca', at: 'status', wanted: '2xx', saw: '405', expectation: 0 }]
    const checks = [
      { ...result('fail'), requirements: ['pki.a'], mismatches: seen },
      { ...result('warn', 'should'), requirements: ['pki.b'], mismatches: seen },
      result('not-verified'),
    ]
    const leftOut = [{ cause: 'area' as const, checks: 3 }]
    expect(verdictOf({ ...calm, checks, requirements: rows, leftOut }).lines).toEqual([
      '1 of 1 must sentences is contradicted.',
      '1 of 1 must checks failed, from 1 cause.',
      '1 must check could not be verified, mostly because no reason was recorded.',
      '1 sentence of level should is contradicted.',
      '3 checks were left out.',
    ])
  })

  test('states what was accepted and left out in title, headline and notes', () => {
    const verdict = verdictOf({
      ...calm,
      checks: [result('pass'), accepted('fail'), accepted('not-verified')],
      leftOut: [
        { cause: 'area', checks: 1050 },
        { cause: 'excluded', checks: 1, ids: ['pki/errors/x'] },
        { cause: 'safety', checks: 2, ids: ['a', 'b'], needs: 'disruptive' },
      ],
    })
    expect(verdict).toMatchObject({
      title: 'conformant (2 accepted, 1,053 left out)',
      headline:
        'The only must check that applies to the target holds; 2 findings are accepted; 1,053 checks were left out.',
      accepted: { fail: 1, notVerified: 1 },
      leftOut: 1053,
      reasons: [],
    })
    expect(verdict.notes).toEqual([
      '1,050 checks of other areas were left out by --area.',
      '1 check was excluded by --check: pki/errors/x.',
      '2 disruptive checks were left out: a, b; run with --safety disruptive --allow-disruptive <cluster-id> to judge them.',
    ])
  })
})

describe('the exit code', () => {
  /** In order of precedence: each circumstance is added to those below it. */
  const worse: readonly (readonly [ExitCode, RunWord, Partial<Circumstances>])[] = [
    [3, 'incomplete', { checks: [result('pass'), result('not-verified')] }],
    [1, 'outdated', { outdated: ['accepted.yaml:1:3: gone'] }],
    [1, 'non-conformant', { checks: [result('fail'), result('not-verified')] }],
    [4, 'regressed', { regressed: ['policies/errors/a'] }],
    [6, 'defective', { checks: [result('fail'), result('error', 'must', 'suite')] }],
    [7, 'left-behind', { leftBehind: ['POST x'] }],
    [130, 'interrupted', { interrupted: true }],
  ]

  test('is 0 if every check passes', () => {
    expect(verdictOf(calm)).toMatchObject({ word: 'conformant', title: 'conformant', exitCode: 0, reasons: [] })
  })

  test('follows from the worst reason', () => {
    let run = calm
    for (const [exitCode, word, more] of worse) {
      run = { ...run, ...more }
      expect(verdictOf(run), JSON.stringify(more)).toMatchObject({ exitCode, word })
    }
  })

  test('a broken transport is not a defect, an error outside any check is', () => {
    expect(verdictOf({ ...calm, checks: [result('error', 'must', 'transport')] }).exitCode).toBe(3)
    expect(verdictOf({ ...calm, defects: ['a topic cannot be imported'] }).exitCode).toBe(6)
  })

  test('is 0 for the word "conformant" only, and every other word has a reason', () => {
    for (const word of runWords) expect(exitCodeOf[word] === 0, word).toBe(word === 'conformant')
    expect(new Set(reasonCodes.map(wordOf))).toEqual(new Set(runWords.filter((word) => word !== 'conformant')))
  })
})

test('the remedy contains the whole command that cleans up', () => {
  const command = 'npx assay clean --profile staging.yaml --out nightly'
  const left = { checks: [result('pass')], leftBehind: ['POST x'] }
  const { verdict } = sampleResult({ ...left, cleanCommands: [command] })
  expect(verdict.reasons[0]).toMatchObject({
    facts: { objects: 1, cleanCommands: [command] },
    mend: `Take back what was left: \`${command}\`.`,
  })
  expect(sampleResult(left).verdict.reasons[0]?.mend).toContain('`npx assay clean --target <url> --out <folder>`')
})

test('the document reports what was left and the errors of the suite', () => {
  const document = sampleResult({ checks: [result('pass')], leftBehind: ['POST x'], defects: ['broken'] })
  expect(document).toMatchObject({ verdict: { word: 'left-behind', exitCode: 7 }, counts: { pass: 1 } })
  expect(document.verdict.reasons.map(({ code }) => code)).toEqual(['left-behind', 'defect'])
  expect(document.findings.map(({ code }) => code)).toEqual(['suite-defect', 'left-behind'])
  expect(document.register.hash).toMatch(/^[0-9a-f]{64}$/)
})
