import { expect, test } from 'vitest'
import type { CheckResult, Verdict } from '../vocabulary/index.ts'
import { showProgress, showWriting } from './progress.ts'

function shown(isLive: boolean, verdicts: readonly Verdict[]) {
  const lines: string[] = []
  let time = 5000
  const terminal = {
    isLive,
    say: (line: string) => lines.push(line),
    live: (line: string) => isLive && lines.push(line),
  }
  const progress = showProgress(terminal, verdicts.length, { now: () => time })
  for (const [at, verdict] of verdicts.entries()) {
    time += 1000
    progress.saw({ id: `policies/errors/c${at}`, verdict } as CheckResult)
  }
  progress.end()
  return lines
}

test('a log shows after each fifth how far the run is, how long it has taken and what failed', () => {
  const verdicts = Array.from({ length: 20 }, (_, at): Verdict => (at === 2 ? 'fail' : 'pass'))
  const lines = shown(false, verdicts)
  expect(lines).toEqual([
    'fail  policies/errors/c2',
    '4/20 checks (20 %) after 4.0 s, 1 failed',
    '8/20 checks (40 %) after 8.0 s, 1 failed',
    '12/20 checks (60 %) after 12.0 s, 1 failed',
    '16/20 checks (80 %) after 16.0 s, 1 failed',
    '20/20 checks (100 %) after 20.0 s, 1 failed',
  ])
})

test('a log names the first failures, and counts the others', () => {
  const lines = shown(false, [...Array(60)].fill('fail', 0, 57).fill('error', 57))
  expect(lines.filter((line) => line.startsWith('fail  '))).toHaveLength(20)
  expect(lines).toContain('further failures are counted here, and named in the report')
  expect(lines.at(-1)).toBe('60/60 checks (100 %) after 1 min 0 s, 57 failed, 3 errors')
})

test.each([true, false])('shows that reports are being written, and then how long it took (terminal: %s)', (isLive) => {
  const messages: string[] = []
  const live: string[] = []
  let time = 0
  const terminal = { isLive, say: (line: string) => messages.push(line), live: (line: string) => live.push(line) }
  const written = showWriting(terminal, ['html', 'json'], { now: () => time })
  expect(isLive ? live : messages).toEqual(['removing secrets, and writing reports: json, html'])
  expect(isLive ? messages : live).toEqual([])
  time = 2400
  expect(written()).toBe('2.4 s')
})

test('a terminal shows the same in one line with the last check, which is wiped at the end', () => {
  expect(shown(true, ['pass', 'error', 'pass'])).toEqual([
    '1/3 checks (33 %) after 1.0 s  policies/errors/c0',
    'error  policies/errors/c1',
    '2/3 checks (66 %) after 2.0 s, 1 error  policies/errors/c1',
    '3/3 checks (100 %) after 3.0 s, 1 error  policies/errors/c2',
    '',
  ])
})
