/** All outputs show the same verdict, whatever the outcome of a run: the real `merge` writes all of them for a run of
 * one shard. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { afterAll, describe, expect, test } from 'vitest'
import { verdictReplayed } from '../../../reports/allure/replayed.ts'
import { validateResult, writeReports } from '../../../reports/formats.ts'
import { observedOf } from '../../acceptance/observed.ts'
import type { AcceptedEntry, CheckResult, ResultDocument, RunWord } from '../../vocabulary/index.ts'
import { mergeCommand } from '../merge.ts'
import { checkResult, type Sample, sampleResult } from '../output/sample-results.test-bed.ts'
import { printOutcome } from '../output/summary.ts'
import type { Terminal } from '../output/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-agreement-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Case = Partial<Sample> & { readonly word: RunWord }

const pass = checkResult('pass', 'pass')
const failed = (id: string): CheckResult => ({
  ...checkResult(id, 'fail'),
  mismatches: [{ asked: 'POST x', at: 'status', wanted: 'a refusal', saw: '204', expectation: 0 }],
})
const open = (id: string, kind: 'need' | 'time' = 'need'): CheckResult => ({
  ...checkResult(id, 'not-verified'),
  blocker: { kind, reason: 'something is missing' },
})
const error: CheckResult = { ...checkResult('error', 'error'), blocker: { kind: 'transport', reason: 'reset' } }
const entry = (check: CheckResult, more: Partial<AcceptedEntry> = {}): AcceptedEntry => ({
  at: `accepted.yaml:1:${check.id.length}`,
  check: [check.id],
  checks: [check.id],
  verdict: check.verdict === 'fail' ? 'fail' : 'not-verified',
  reason: 'known',
  owner: 'me',
  until: '2027-01-01',
  observed: [observedOf(check) ?? 'fail:000000000000'],
  ...more,
})
const cloud: CheckResult = { ...checkResult('x', 'not-applicable'), id: 'cloud/errors/x', area: 'cloud' }
const absentAreas = [{ area: 'cloud', name: 'cloud engine', evidence: 'no engine answers at cloud/' }] as const
const stale = checkResult('stale', 'pass')

const findings: Readonly<Record<string, Case>> = {
  'all holds': { word: 'conformant', checks: [pass] },
  'a warning': { word: 'conformant', checks: [pass, { ...checkResult('warn', 'warn'), level: 'should' }] },
  'a fail': { word: 'non-conformant', checks: [pass, failed('a')] },
  'a fail and a must not verified': { word: 'non-conformant', checks: [pass, failed('a'), open('b')] },
  'a must not verified': { word: 'incomplete', checks: [pass, open('b')] },
  'a should not verified': { word: 'conformant', checks: [pass, { ...open('b'), level: 'should' }] },
  'a must broken': { word: 'incomplete', checks: [pass, error] },
  'a should broken': { word: 'conformant', checks: [pass, { ...error, level: 'should' }] },
  'an accepted fail': { word: 'conformant', checks: [pass, failed('a')], accepted: [entry(failed('a'))] },
  'an accepted must not verified': { word: 'conformant', checks: [pass, open('b')], accepted: [entry(open('b'))] },
  'time was up': { word: 'incomplete', checks: [pass, { ...open('b', 'time'), level: 'should' }] },
  'nothing decided': { word: 'incomplete', checks: [checkResult('n', 'not-applicable')] },
  'no check': { word: 'incomplete', checks: [] },
}

/** Other events during the run, which are combined with each result of the checks. */
const events: Readonly<Record<string, Case>> = {
  nothing: { word: 'conformant' },
  'a stale entry': { word: 'outdated', checks: [stale], accepted: [entry(stale, { verdict: 'fail' })] },
  'an entry for another failure': {
    word: 'non-conformant',
    checks: [failed('other')],
    accepted: [entry(failed('other'), { observed: ['fail:000000000000'] })],
  },
  'an expired entry': {
    word: 'non-conformant',
    checks: [failed('old')],
    accepted: [entry(failed('old'), { until: '2025-12-31' })],
  },
  'an entry that decides nothing': { word: 'outdated', accepted: [entry(failed('unseen'))] },
  'a regression': { word: 'regressed', checks: [failed('r')], regressed: ['policies/errors/r'] },
  residue: {
    word: 'left-behind',
    leftBehind: ['assay-a1-1-policy (acl policies)'],
    cleanCommands: ['npx assay clean --target https://vault.example:8200 --out nightly'],
  },
  interruption: { word: 'interrupted', run: { interrupted: true } },
  'a defect': { word: 'defective', defects: ['a topic cannot be imported'] },
  'an absent area': { word: 'conformant', checks: [pass, cloud], absentAreas },
  'an absent area that was asked for': {
    word: 'incomplete',
    checks: [pass, cloud],
    absentAreas,
    run: { selection: { areas: ['policies', 'cloud'], asked: ['policies', 'cloud'], checks: [], level: 'should' } },
  },
  'checks left out': {
    word: 'conformant',
    run: {
      leftOut: [
        { cause: 'excluded', checks: 1, ids: ['pki/errors/x'] },
        { cause: 'safety', checks: 2, ids: ['pki/errors/y', 'pki/errors/z'], needs: 'disruptive' },
      ],
    },
  },
}

/** The precedence of exit codes is read from the README, so that its table must match the code. */
const readme = readFileSync(resolve(import.meta.dirname, '../../../README.md'), 'utf8')
const precedence = [...readme.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code))
const codeOf: Readonly<Record<RunWord, number>> = {
  conformant: 0,
  'non-conformant': 1,
  outdated: 1,
  incomplete: 3,
  regressed: 4,
  'not-served': 5,
  defective: 6,
  'left-behind': 7,
  interrupted: 130,
}

interface Outputs {
  readonly document: ResultDocument
  readonly terminal: readonly string[]
  readonly json: {
    readonly verdict: string
    readonly exitCode: number
    readonly title: string
    readonly headline: string
  }
  readonly exit: number | undefined
  text(file: string): string
}

function terminalOf(lines: string[], values: unknown[]): Terminal {
  const write = (line: string) => void lines.push(line)
  return {
    env: {},
    signal: new AbortController().signal,
    out: write,
    painted: write,
    outAll: (lines) => void lines.map(write),
    ownText: write,
    json: (value) => void values.push(JSON.parse(JSON.stringify(value))),
    say: () => {},
    live: () => {},
    isLive: false,
    width: Number.POSITIVE_INFINITY,
    paint: (_, text) => text,
  }
}

const quality = 'gl-code-quality-report.json'
let cases = 0

async function outputsOf(sample: Sample): Promise<Outputs> {
  const place = join(folder, String(++cases))
  mkdirSync(place)
  const ids = sample.checks.map(({ id }) => id)
  const selection = { areas: [], asked: [], level: 'should', ...sample.run?.selection, checks: ids } as const
  const shard = sampleResult({ ...sample, run: { ...sample.run, selection, shard: { index: 1, of: 1 } } })
  const file = join(place, 'shard.json')
  writeFileSync(file, JSON.stringify(shard))
  const lines: string[] = []
  const values: unknown[] = []
  let exit: number | undefined
  const terminal = terminalOf(lines, values)
  const formats = 'html,json,junit,markdown,sarif,codequality,github,badge'
  const command = mergeCommand(terminal, (code) => {
    exit = code
  })
  await command.parseAsync([file, '--out', place, '--format', formats], { from: 'user' })
  const text = (name: string) => readFileSync(join(place, name), 'utf8')
  const document = JSON.parse(text('result.json')) as ResultDocument
  printOutcome(document, [], true, terminal)
  return { document, terminal: lines, json: values[0] as Outputs['json'], exit, text }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" }
const unescaped = (text: string): string => text.replace(/&([a-z]+|#39);/g, (whole, name) => entities[name] ?? whole)
const within = (text: string, expression: RegExp): string => unescaped(expression.exec(text)?.[1] ?? 'nothing found')
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
const xml = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', isArray: (name) => name === 'testsuite' })

interface Junit {
  readonly failures: string
  readonly errors: string
  readonly testsuite: readonly {
    readonly name: string
    readonly testcase: { readonly name: string; readonly failure?: { readonly message: string } }
  }[]
}

const combinations = Object.entries(findings).flatMap(([finding, found]) =>
  Object.entries(events).map(([event, more]) => {
    const checks = [...(found.checks ?? []), ...(more.checks ?? [])]
    const sample: Sample = {
      ...found,
      ...more,
      checks: [...new Map(checks.map((check) => [check.id, check])).values()],
      accepted: [...(found.accepted ?? []), ...(more.accepted ?? [])],
    }
    // The event may decide a check although the results of the checks decide none.
    const decided = (more.checks ?? []).some(({ verdict }) => verdict !== 'not-applicable')
    const undecided = finding === 'nothing decided' || finding === 'no check'
    const codes = [undecided && decided ? 0 : codeOf[found.word], codeOf[more.word]]
    return { name: `${finding}, and ${event}`, sample, code: precedence.find((code) => codes.includes(code)) }
  }),
)

test('a report of an earlier result shows the stored verdict, and does not compute it again', async () => {
  const held = sampleResult({ checks: [failed('a')] })
  const words = { word: 'incomplete', exitCode: 3, title: 'incomplete (as held)', headline: 'As held.' } as const
  const { lines: _, ...verdict } = held.verdict
  const document = { ...held, verdict: { ...verdict, ...words } }
  const place = join(folder, 'held')
  await writeReports(document, ['html', 'junit', 'markdown', 'sarif', 'codequality', 'github', 'badge'], place)
  for (const file of [
    'report.html',
    'junit.xml',
    'summary.md',
    'assay.sarif',
    'annotations.txt',
    'badge.svg',
    quality,
  ]) {
    const text = readFileSync(join(place, file), 'utf8').replaceAll('\\', '')
    expect(text, file).toMatch(/incomplete \(as held\)/i)
    expect(text, file).toContain('As held.')
    expect(text, file).not.toMatch(/non-conformant/i)
  }
})

describe('all outputs agree', () => {
  test('on the complete command that cleans up what was left', async () => {
    const command = 'npx assay clean --target https://vault.example:8200 --out nightly'
    const { text } = await outputsOf({ checks: [pass], leftBehind: ['a policy'], cleanCommands: [command] })
    for (const file of ['result.json', 'report.html', 'junit.xml', 'summary.md', 'assay.sarif'])
      expect(unescaped(text(file)).replaceAll('\\', ''), file).toContain(command)
  })

  test('on the capabilities that this command needs', async () => {
    const lacked = ['delete on sys/policies/acl/assay-*']
    const { text, terminal } = await outputsOf({
      ...{ checks: [pass], leftBehind: ['a policy'], cleanCommands: ['npx assay clean'], lacked },
    })
    const pages = ['report.html', 'summary.md'].map((file) => unescaped(text(file)))
    for (const page of [...pages, terminal.join('\n')]) {
      expect(page).toMatch(/with a token that has .{0,10}delete on sys\/policies\/acl\/assay-/)
    }
  })

  test('in many combinations, with the precedence of the README', () => {
    expect(combinations.length).toBeGreaterThan(100)
    expect(precedence).toEqual([130, 7, 6, 5, 4, 1, 3, 2, 0])
  })

  test.each(combinations)('$name: $code', async ({ sample, code }) => {
    const { document, terminal, json, exit, text } = await outputsOf(sample)
    const { word, title, headline, lines = [], reasons, notes } = document.verdict
    expect(validateResult(document)).toEqual([])
    expect({ exit, stored: document.verdict.exitCode, word: codeOf[word] }).toEqual({
      exit: code,
      stored: code,
      word: code,
    })
    expect(title.startsWith(word)).toBe(true)
    expect(reasons.length === 0).toBe(code === 0)

    expect(json).toMatchObject({ verdict: word, exitCode: code, title, headline })
    const printed = terminal.flatMap((line) => line.split('\n'))
    expect(printed[0]).toBe(`${title}  ${headline}`)

    const html = text('report.html')
    expect(within(html, /<title>(.*?): /)).toBe(capital(title))
    expect(within(html, /<h1 id="verdict">(.*?)<\/h1>/)).toBe(capital(title.replace(/ \(.*/, '')))
    expect(within(html, /<ul class="lines">(.*?)<\/ul>/).replace(/<\/?code>/g, '`')).toBe(
      lines.map((line) => `<li>${line}</li>`).join(''),
    )
    for (const note of notes) expect(unescaped(html)).toContain(note)

    expect(within(text('badge.svg'), /<title id="title">API conformance: (.*?)<\/title>/)).toBe(`${title}. ${headline}`)

    const [first = '', , second = ''] = text('summary.md').split('\n')
    expect(first.replace(/^# \S+ /, '').replaceAll('\\', '')).toBe(capital(title))
    expect(second.replaceAll('\\', '').replace(/&[#\w]+;/g, '')).toBe(headline)

    const junit = xml.parse(text('junit.xml')).testsuites as Junit
    const own = junit.testsuite.find(({ name }) => name === 'assay')?.testcase
    expect(own?.name).toBe('verdict')
    const isConformant = code === 0
    const [failure, problem] = isConformant ? [] : [headline, `${title}: ${headline}`]
    expect(own?.failure && unescaped(own.failure.message)).toBe(failure)
    expect(Number(junit.failures) + Number(junit.errors) === 0).toBe(isConformant)

    const [run] = JSON.parse(text('assay.sarif')).runs
    const [invocation] = run.invocations
    expect(invocation).toMatchObject({ exitCode: code, exitCodeDescription: `${title}: ${headline}` })
    expect(invocation.toolExecutionNotifications.length === 0).toBe(isConformant)
    expect(run.properties.verdict).toBe(title)

    const [entry] = JSON.parse(text(quality))
    expect(entry?.check_name === 'assay/verdict' ? entry.description : undefined).toBe(problem)
    const annotation = text('annotations.txt').split('\n')[0]?.replaceAll('%2C', ',').replaceAll('%25', '%')
    const command = isConformant ? 'notice' : 'error'
    expect(annotation?.startsWith(`::${command} title=Assay – ${title}::${headline}`)).toBe(true)

    expect(verdictReplayed(document).status).toBe(isConformant ? 'passed' : 'failed')
  })
})
