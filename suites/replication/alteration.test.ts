import { describe, expect, test } from 'vitest'
import { altered, alteredAtItsEnd } from './alteration.ts'

describe('an altered token', () => {
  test('has its form, and no letter or digit in common', () => {
    expect(altered('s.azAZ09-_=')).toBe('t.baBA10-_=')
  })

  test('keeps the prefix that tells its kind, where only its end is another', () => {
    expect(alteredAtItsEnd('hvs.CAESIJ9z')).toBe('hvs.CAESJK0a')
  })
})
