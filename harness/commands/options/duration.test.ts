import { expect, test } from 'vitest'
import { duration } from './options.ts'

test.each([
  ['90', 90],
  ['45s', 45],
  ['30m', 1800],
  ['2h', 7200],
  ['1h30m', 5400],
  ['1m5s', 65],
])('--max-duration %s is %i seconds', (text, seconds) => {
  expect(duration(text)).toBe(seconds)
})

test.each(['', '0', '0s', '-5', '1.5', 'm', '30 m', '5x', '1d', 's30', '30mm', '9'.repeat(20)])(
  '--max-duration %j is refused',
  (text) => {
    expect(() => duration(text)).toThrow('Give seconds, or a time such as 90s, 30m or 1h30m.')
  },
)
