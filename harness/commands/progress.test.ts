import { describe, expect, test } from 'vitest'
import type { Verdict } from '../vocabulary/index.ts'
import type { Verbosity } from './output/terminal.ts'
import { Progress, showTexts } from './progress.ts'

/** A clock that moves only when told to, and notes when each line was written. */
function opened({ isLive = false, verbosity = 'normal' as Verbosity } = {}) {
  const lines: { readonly at: number; readonly text: string }[] = []
  const waits = new Set<() => void>()
  let time = 0
  const timer = {
    now: () => time,
    wait: (ms: number, signal?: AbortSignal) => {
      const end = time + ms
      return new Promise<void>((resolve) => {
        const due = () => {
          if (time < end && !signal?.aborted) return
          waits.delete(due)
          resolve()
        }
        waits.add(due)
        signal?.addEventListener('abort', due)
      })
    },
  }
  const write = (text: string) => void lines.push({ at: time, text })
  const terminal = { isLive, verbosity, say: write, live: (text: string) => isLive && write(text) }
  const progress = new Progress(terminal, timer)
  return {
    progress,
    terminal,
    timer,
    lines,
    texts: () => lines.map(({ text }) => text),
    async pass(seconds: number) {
      for (let tenth = 0; tenth < seconds * 10; tenth++) {
        time += 100
        for (const due of [...waits]) due()
        await Promise.resolve()
      }
    },
    judged(verdict: Verdict, at: number) {
      const id = `policies/errors/c${at}`
      progress.saw({ event: 'began', id })
      progress.saw({ event: 'judged', id, verdict })
    },
  }
}

describe('in a log', () => {
  test('a line each ten seconds tells how far the run is, how fast, and how long it will take', async () => {
    const { progress, pass, judged, lines } = opened()
    progress.judging(100)
    for (let at = 0; at < 100; at++) {
      await pass(0.3)
      judged(at === 2 ? 'fail' : 'pass', at)
    }
    progress.judged()
    progress.end()
    expect(lines.map(({ at, text }) => `${at / 1000}: ${text}`)).toEqual([
      '0.9: fail  policies/errors/c2',
      '10: 33/100 checks (33 %) after 10.0 s, 3.3/s, about 21 s left, 1 failed',
      '20: 66/100 checks (66 %) after 20.0 s, 3.3/s, about 11 s left, 1 failed',
      '30: 99/100 checks (99 %) after 30.0 s, 3.3/s, about 1 s left, 1 failed',
    ])
  })

  test('no silence is longer than ten seconds, although nothing happens, and no two lines are closer', async () => {
    const { progress, pass, judged, lines } = opened()
    progress.step('asking for its areas')
    await pass(25)
    progress.judging(1000)
    for (let at = 0; at < 300; at++) {
      await pass(at % 100 === 99 ? 20 : 0.1)
      judged('pass', at)
    }
    progress.end()
    const gaps = lines.map(({ at }, index) => at - (lines[index - 1]?.at ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10_900)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000)
    expect(lines.length).toBeGreaterThan(8)
    expect(lines[0]?.text).toBe('asking for its areas (10.0 s)')
  })

  test('names what is waited for: a reply, a check that takes long, a target that is away', async () => {
    const { progress, pass, texts } = opened()
    await pass(9)
    progress.waiting('GET sys/health', 4, 60)
    await pass(1)
    progress.judging(3)
    progress.saw({ event: 'began', id: 'policies/errors/slow' })
    await pass(10)
    progress.saw({ event: 'away', why: '5 requests in a row got no reply' })
    await pass(10)
    progress.saw({ event: 'away' })
    await pass(10)
    expect(texts()).toEqual([
      'waiting for GET sys/health (4 s of 60 s)',
      '0/3 checks (0 %) after 10.0 s; waiting for policies/errors/slow (10.0 s)',
      '0/3 checks (0 %) after 20.0 s; waiting for the target: 5 requests in a row got no reply',
      '0/3 checks (0 %) after 30.0 s; waiting for policies/errors/slow (30.0 s)',
    ])
    progress.end()
  })

  test('the rate is that of the last half minute', async () => {
    const { progress, pass, judged, texts } = opened()
    progress.judging(1000)
    for (let at = 0; at < 160; at++) {
      await pass(at < 100 ? 0.1 : 1)
      judged('pass', at)
    }
    progress.end()
    expect(texts().at(-1)).toBe('159/1000 checks (15 %) after 1 min 10 s, 1.0/s, about 14 min 30 s left')
  })

  test('names the first failures, and counts the others', async () => {
    const { progress, pass, judged, texts } = opened()
    progress.judging(60)
    for (let at = 0; at < 60; at++) judged(at < 57 ? 'fail' : 'error', at)
    await pass(10)
    expect(texts().filter((line) => line.startsWith('fail  '))).toHaveLength(20)
    expect(texts()).toContain('further failures are counted here, and named in the report')
    expect(texts().at(-1)).toBe('60/60 checks (100 %) after 10.0 s, 57 failed, 3 errors')
    progress.end()
  })

  test('a shard, which does not know its share, counts without a total', async () => {
    const { progress, pass, judged, texts } = opened()
    progress.judging(undefined)
    judged('pass', 1)
    await pass(10)
    progress.end()
    expect(texts()).toEqual(['1 checks after 10.0 s'])
  })

  test('names reports as they are written: at once after two seconds of silence', async () => {
    const { progress, pass, texts } = opened()
    const took = progress.writing(['html', 'json', 'allure'])
    progress.wrote('result.json')
    await pass(2.4)
    progress.wrote('report.html')
    expect(took()).toBe('2.4 s')
    progress.wrote('junit.xml')
    progress.slowBegins(['allure'])
    await pass(3)
    progress.wrote('allure-report.html')
    progress.end()
    expect(texts()).toEqual([
      'removing secrets, and writing reports: json, html, allure',
      'written: result.json, report.html',
      'written: junit.xml; writing allure, which takes longest',
      'written: allure-report.html',
    ])
  })
})

describe('on a terminal', () => {
  test('one line shows the step, then a bar; failures get lines of their own', async () => {
    const { progress, pass, judged, texts } = opened({ isLive: true })
    progress.step('asking what the target is')
    progress.judging(4)
    judged('pass', 0)
    await pass(1)
    judged('error', 1)
    await pass(2)
    progress.end()
    expect(texts()).toEqual([
      'asking what the target is',
      '[                    ]   0 %  0/4 checks',
      '[=====               ]  25 %  1/4 checks',
      'error  policies/errors/c1',
      '[==========          ]  50 %  2/4 checks, 1 error',
      '[==========          ]  50 %  2/4 checks, 1.0/s, about 2 s left, 1 error',
      '[==========          ]  50 %  2/4 checks, 0.7/s, about 3 s left, 1 error',
      '',
    ])
  })

  test('it is rewritten at most ten times a second', async () => {
    const { progress, judged, lines } = opened({ isLive: true })
    progress.judging(1000)
    for (let at = 0; at < 1000; at++) judged('pass', at)
    progress.end()
    expect(lines.length).toBeLessThan(4)
  })
})

test('--quiet shows nothing, and --verbose each check', async () => {
  const [quiet, verbose] = [opened({ verbosity: 'quiet' }), opened({ verbosity: 'verbose' })]
  for (const { progress, judged, pass } of [quiet, verbose]) {
    progress.say('2 checks against staging')
    progress.judging(2)
    judged('pass', 0)
    judged('fail', 1)
    await pass(10)
    progress.end()
  }
  expect(quiet.texts()).toEqual([])
  expect(verbose.texts()).toEqual([
    '2 checks against staging',
    'pass  policies/errors/c0',
    'fail  policies/errors/c1',
    '2/2 checks (100 %) after 10.0 s, 1 failed',
  ])
})

test('a command that words its progress itself shows all of it on a terminal, and a line each ten seconds in a log', async () => {
  const [log, live] = [opened(), opened({ isLive: true })]
  for (const { terminal, timer, pass, progress } of [log, live]) {
    progress.end()
    const show = showTexts(terminal, timer)
    for (let at = 1; at <= 25; at++) {
      await pass(1)
      show(`mutant ${at}`)
    }
  }
  expect(log.texts()).toEqual(['mutant 10', 'mutant 20'])
  expect(live.texts().filter((text) => text !== '')).toHaveLength(25)
})
