import { expect, test } from 'vitest'
import type { CheckResult, Verdict } from '../vocabulary/index.ts'
import { showProgress } from './progress.ts'

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

test('a log says at each tenth how far the run is, how long it took and what failed', () => {
  const verdicts = Array.from({ length: 20 }, (_, at): Verdict => (at === 2 ? 'fail' : 'pass'))
  const lines = shown(false, verdicts)
  expect(lines).toHaveLength(11)
  expect(lines.slice(0, 3)).toEqual([
    '2/20 checks (10 %) after 2.0 s',
    'fail  policies/errors/c2',
    '4/20 checks (20 %) after 4.0 s, 1 failed',
  ])
  expect(lines.at(-1)).toBe('20/20 checks (100 %) after 20.0 s, 1 failed')
})

test('a terminal shows the same in one line with the last check, which is wiped at the end', () => {
  expect(shown(true, ['pass', 'error', 'pass'])).toEqual([
    '1/3 checks (33 %) after 1.0 s  policies/errors/c0',
    'error  policies/errors/c1',
    '2/3 checks (66 %) after 2.0 s  policies/errors/c1',
    '3/3 checks (100 %) after 3.0 s  policies/errors/c2',
    '',
  ])
})
