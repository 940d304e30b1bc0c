import { expect, test } from 'vitest'
import { requirements } from '../../suites/index.ts'
import { aboutField } from './broken.ts'

const rows = new Map(requirements.map((row) => [row.id, row]))

test('of several statements that a check decides, a mismatch contradicts the one about the field that differs', () => {
  const several = ['mfa-legacy.period.default', 'mfa-legacy.digits.default', 'mfa-legacy.key-size.default']
  expect(aboutField('/data/digits', several, rows)).toEqual({ requirement: 'mfa-legacy.digits.default' })
  expect(aboutField('key_size', several, rows)).toEqual({ requirement: 'mfa-legacy.key-size.default' })
  expect(aboutField('status', several, rows)).toEqual({})
  expect(aboutField('digits', ['mfa-legacy.digits.default', 'mfa-legacy.digits.values'], rows)).toEqual({})
})
