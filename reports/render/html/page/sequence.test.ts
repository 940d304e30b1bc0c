import { expect, test } from 'vitest'
import type { RecordedExchange } from '../../../../harness/vocabulary/index.ts'
import { stepsOf } from './sequence.ts'

const asked = (path: string, more: Partial<RecordedExchange> = {}, status = 200): RecordedExchange => ({
  phase: 'given',
  method: 'GET',
  url: `http://target.test${path}`,
  requestHeaders: {},
  as: 'operator',
  attempts: [{ sentAt: '2026-01-01T00:00:00.000Z', durationMs: 1, status }],
  ...more,
})

const shown = (exchanges: readonly RecordedExchange[]) =>
  stepsOf(exchanges, (url) => url.startsWith('http://target.test')).map(
    ({ from, to, at, times }) => `${from} > ${to} ${at} x${times}`,
  )

test('an arrow leads from the token to the server that was asked', () => {
  expect(
    shown([
      asked('/a'),
      asked('/a', { as: 'reader' }),
      asked('/b', { to: 'second', as: 'nobody' }),
      asked('/log', { to: 'provider' }),
      asked('/log', { url: 'http://elsewhere.test/log' }),
    ]),
  ).toEqual([
    'token of the run > target 0 x1',
    'reader > target 1 x1',
    'no token > second 2 x1',
    'suite > provider 3 x1',
    'token of the run > elsewhere.test 4 x1',
  ])
  expect(shown([asked('', { url: 'http://[redacted:token]/' })])).toEqual([
    'token of the run > http://[redacted:token]/ 0 x1',
  ])
})

test('equal exchanges in a row are one arrow; another status, phase or path is a new one', () => {
  const polled = [asked('/a'), asked('/a'), asked('/a', {}, 404), asked('/a', { phase: 'when' }), asked('/b')]
  expect(shown(polled)).toEqual([0, 2, 3, 4].map((at) => `token of the run > target ${at} x${at === 0 ? 2 : 1}`))
})

test('many tokens share one column', () => {
  const steps = stepsOf(['operator', 'a', 'b', 'c'].map((as) => asked('/a', { as })))
  expect(new Set(steps.map(({ from }) => from))).toEqual(new Set(['suite']))
})
