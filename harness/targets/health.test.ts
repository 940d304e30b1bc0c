import { describe, expect, test } from 'vitest'
import type { Json, Reply } from '../vocabulary/index.ts'
import { describedIn } from './health.ts'

const health = (json: Json): Reply => ({
  status: 200,
  headers: {},
  json,
  text: '',
  bytes: new Uint8Array(),
  asked: 'GET sys/health',
  at: 0,
})

describe('the description in a health reply', () => {
  test('is read for forms only, not for addresses or files', () => {
    const url = 'http://127.0.0.1:9000'
    const placed = {
      control: url,
      provider: { iam: url, sts: url, control: url },
      'plugin-files': [{ command: 'one' }],
    }
    expect(describedIn(health({ reference: { forms: { cloud: 'newer' }, placed } }))).toEqual({
      forms: { cloud: 'newer' },
    })
  })

  test.each<[string, Json]>([
    ['a server of the field', { version: '1.14.0', sealed: false }],
    ['no object', 'ok'],
    ['a description that is none', { reference: [1, 2] }],
    ['shapes that are not texts', { reference: { forms: { cloud: 3 } } }],
  ])('yields no forms: %s', (_, body) => {
    expect(describedIn(health(body))).toEqual({ forms: {} })
  })

  test('yields no forms if there was no reply', () => expect(describedIn(undefined)).toEqual({ forms: {} }))
})
