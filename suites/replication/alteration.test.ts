import { describe, expect, test } from 'vitest'
import { altered, alteredAtItsEnd } from './alteration.ts'

describe('an altered token', () => {
  test('has the same format, and no letter or digit in common', () => {
    expect(altered('s.azAZ09-_=')).toBe('t.baBA10-_=')
  })

  test('keeps the prefix that names its kind if only its end changes', () => {
    expect(alteredAtItsEnd('hvs.CAESIJ9z')).toBe('hvs.CAESJK0a')
  })
})
