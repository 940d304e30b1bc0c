import { expect, test } from 'vitest'
import { isSince, reportedVersion } from '../versions.ts'
import { durationField, parseDuration } from './duration.ts'

test.each([
  [90, 90],
  ['90', 90],
  ['90s', 90],
  ['1h30m', 5400],
  ['1.5h', 5400],
  ['2d', 172_800],
  ['1500ms', 1],
  ['0', 0],
  [-5, -5],
  ['-1m', -60],
])('%j is %d seconds', (value, seconds) => expect(parseDuration(value)).toBe(seconds))

test.each(['', 'soon', '1x', '1h30', 'h', '1 h', null, true, [1], Number.NaN, 1e300, '99999999999h', '9'.repeat(400)])(
  '%j is not a duration',
  (value) => expect(parseDuration(value)).toBeUndefined(),
)

test('a field may be absent, and must not be negative', () => {
  for (const body of [{}, { ttl: null }, { ttl: '' }]) expect(durationField(body, 'ttl')).toBeUndefined()
  expect(durationField({ ttl: '1m' }, 'ttl')).toBe(60)
  for (const ttl of [-1, '-1s', 'soon', {}])
    expect(() => durationField({ ttl }, 'ttl')).toThrow('ttl is not a duration')
})

test.each([
  ['0.9.0', '0.9', true],
  ['0.8.3', '0.9.0', false],
  ['1.10.0', '1.9.9', true],
  ['1.3.0-rc1', '1.3.0', true],
  ['1.3.0+ent', '1.3.1', false],
  ['1', '1.0.0', true],
  ['1.10', '1.9.1', true],
  ['1.03', '1.3.0', false],
])('is %s since %s: %s', (version, floor, wanted) => expect(isSince(version, floor)).toBe(wanted))

test('the reported version has the mark of the edition', () => {
  const reported = (edition: 'community' | 'enterprise' | 'premium') =>
    reportedVersion({ version: '1.2.3', edition, forms: {} })
  expect([reported('community'), reported('enterprise'), reported('premium')]).toEqual([
    '1.2.3',
    '1.2.3+ent',
    '1.2.3+prem',
  ])
})
