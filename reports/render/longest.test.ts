import { expect, it } from 'vitest'
import type { CheckResult, ResultDocument, Timing } from '../../harness/vocabulary/index.ts'
import { renderHtml } from './html/report.ts'
import { areasByTime, slowest, spentOn, stepsOf } from './longest.ts'
import { sampleDocument } from './sample/document.ts'

const sample = sampleDocument({ checks: 90 })
const [first] = sample.checks.filter(({ exchanges }) => exchanges.length > 0)
if (!first) throw new Error('the sample has no check with exchanges')

const taking = (id: string, durationMs: number, replies: readonly number[] = []): CheckResult => ({
  ...first,
  id,
  area: id.startsWith('pki') ? 'pki' : 'policies',
  durationMs,
  exchanges: replies.map((ms) => ({
    ...(first.exchanges[0] as CheckResult['exchanges'][number]),
    attempts: [{ sentAt: '2026-11-20T09:30:00.000Z', durationMs: ms, status: 200 }],
  })),
})
const of = (checks: readonly CheckResult[], timings?: readonly Timing[]): ResultDocument => ({
  ...sample,
  checks,
  run: { ...sample.run, ...(timings ? { timings } : {}) },
})

const checks = [
  taking('policies/a/quick', 10, [4]),
  taking('pki/a/slow', 900, [100, 200]),
  taking('policies/a/next', 400, [300]),
  taking('policies/a/never', 0),
]

it('lists the slowest checks first, without those that took no time', () => {
  const names = (most: number) => slowest(of(checks), most).map(({ id }) => id)
  expect(names(9)).toEqual(['pki/a/slow', 'policies/a/next', 'policies/a/quick'])
  expect(names(1)).toEqual(['pki/a/slow'])
})

it('adds up requests and the time waiting for their replies', () => {
  expect(spentOn(checks.slice(1, 3))).toEqual({ tookMs: 1300, requests: 3, repliesMs: 600 })
  expect(areasByTime(of(checks))).toEqual([
    ['pki', { tookMs: 900, requests: 2, repliesMs: 300 }],
    ['policies', { tookMs: 410, requests: 2, repliesMs: 304 }],
  ])
})

const timings = [
  { name: 'read', startMs: -3, durationMs: 2 },
  { name: 'import pki/a', startMs: 4, durationMs: 10 },
  { name: 'turn of pki/a/slow', startMs: 15, durationMs: 5 },
  { name: 'check pki/a/slow', startMs: 20, durationMs: 900 },
  { name: 'import policies/a', startMs: 30, durationMs: 15 },
  { name: 'request', startMs: 31, durationMs: 7 },
  { name: 'control request', startMs: 33, durationMs: 1 },
  { name: 'request', startMs: 35, durationMs: 8 },
  { name: 'judge', startMs: 3, durationMs: 1000 },
]

it('has one step for all imports and one for all requests, but no step for a single check', () => {
  expect(stepsOf(of(checks, timings))).toEqual([
    { name: 'read', startMs: -3, durationMs: 2 },
    { name: 'judge', startMs: 3, durationMs: 1000 },
    { name: 'import 2 files of topics', startMs: 4, durationMs: 25 },
    { name: 'wait for the replies to 2 requests, added up', startMs: 31, durationMs: 15 },
    { name: 'wait for the replies to 1 control request, added up', startMs: 33, durationMs: 1 },
  ])
  expect(stepsOf(of(checks))).toEqual([])
})

const section = async (document: ResultDocument): Promise<string> =>
  /<details class="times">.*?<\/details>/s.exec(await renderHtml(document))?.[0] ?? ''

it('is shown in the report, with steps if they were recorded', async () => {
  const html = await section(of(checks, timings))
  for (const part of ['href="#open=pki/a/slow"', '<td>900 ms</td><td>2</td><td>300 ms</td>', '>judge<', '>before<'])
    expect(html).toContain(part)
  expect(await section(of(checks))).not.toContain('Steps of the run')
  expect(await section(of([]))).toBe('')
})

it('shows a dash instead of 0 for what was not recorded', async () => {
  expect(await section(of([taking('policies/a/cut', 900)]))).toContain('<td>900 ms</td><td>–</td><td>–</td>')
})

it('shows the range in which the number of parallel checks varied', async () => {
  const adapted = { fewest: 2, most: 12 }
  const html = await renderHtml({ ...sample, run: { ...sample.run, adapted } })
  expect(html).toContain('2 to 12 jobs')
  expect(html).toContain('42, 2 to 12<')
})
