import { describe, expect, test } from 'vitest'
import { canonical, compareVersions, isSemantic, tagOf } from './semver.ts'

test.each(['0.0.0', '1.2.3', 'v1.2.3', '10.20.30-alpha.1', '1.0.0-0A.is.legal', '1.0.0+build.1', '1.0.0-rc.1+5-x'])(
  '%s is a semantic version',
  (version) => expect(isSemantic(version)).toBe(true),
)
test.each([
  '',
  'v',
  '1',
  '1.2',
  '1.2.3.4',
  '01.2.3',
  '1.2.3-',
  '1.2.3-01',
  '1.2.3-a..b',
  'V1.2.3',
  'vv1.2.3',
  ' 1.2.3',
  '1.2.3\n',
])('%j is invalid', (version) => expect(isSemantic(version)).toBe(false))
test('a long invalid version is rejected quickly', () => {
  expect(isSemantic(`1.2.3-${'a.'.repeat(50_000)}!`)).toBe(false)
})

test('versions are stored with a leading v, and tags have no leading v', () => {
  expect(['', '1.2.3', 'v1.2.3'].map(canonical)).toEqual(['', 'v1.2.3', 'v1.2.3'])
  expect(['1.2.3', 'v1.2.3'].map(tagOf)).toEqual(['1.2.3', '1.2.3'])
})

describe('precedence', () => {
  // This is the order of semver.org, item 11.
  const rising = ['', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11']
  const all = [...rising, '1.0.0-rc.1', '1.0.0', 'v1.0.1', '1.9.0', 'v1.10.0', '2.0.0']
  test('sorts versions in ascending order', () => {
    expect([...all].reverse().sort(compareVersions)).toEqual(all)
  })
  test('ignores build metadata', () => {
    expect(compareVersions('1.0.0+a', 'v1.0.0+b')).toBe(0)
  })
})
