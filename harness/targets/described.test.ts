import { describe, expect, test } from 'vitest'
import type { Json, Reply } from '../vocabulary/index.ts'
import { describedIn } from './described.ts'
import { vault } from './dialects/vault.ts'

const health = (json: Json): Reply => ({
  status: 200,
  headers: {},
  json,
  text: '',
  bytes: new Uint8Array(),
  asked: 'GET sys/health',
  at: 0,
})
const near = 'http://127.0.0.1:8200'
const nothing = { isReference: false, forms: {}, placed: {} }

describe('what a target says of itself', () => {
  test('shapes, and what lies beside it', () => {
    const files = [{ command: 'one', sha256: '00' }]
    const told = describedIn(
      health({ reference: { forms: { cloud: 'newer' }, placed: { 'plugin-files': files } } }),
      near,
    )
    expect(told).toEqual({ isReference: true, forms: { cloud: 'newer' }, placed: { 'plugin-files': files } })
  })

  test.each<[string, Json]>([
    ['a server of the field', { version: '1.14.0', sealed: false }],
    ['no object', 'ok'],
    ['a description that is none', { reference: [1, 2] }],
    ['parts that are none', { reference: { forms: { cloud: 3 }, placed: 'all' } }],
  ])('nothing from %s', (_, body) => {
    expect(describedIn(health(body), near)).toMatchObject({ forms: {}, placed: {} })
  })

  test('nothing where there was no reply', () => expect(describedIn(undefined, near)).toEqual(nothing))

  test.each([
    ['both on this machine', near, 'http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['a server elsewhere', 'https://server.example', 'http://127.0.0.1:9000', undefined],
    ['a listener elsewhere', near, 'http://control.example', undefined],
    ['a name that only begins so', near, 'http://127.0.0.1.example', undefined],
    ['no URL', near, 'none', undefined],
  ])('a control listener is believed: %s', (_, url, told, believed) => {
    expect(describedIn(health({ reference: { placed: { control: told } } }), url).control).toBe(believed)
  })
})

describe('what the family has in a version', () => {
  test.each([
    ['0.9.6', 'absent'],
    ['0.11.4', 'absent'],
    ['1.9.3', 'absent'],
    ['v1.10.0', 'served'],
    ['1.14.9+ent', 'served'],
    ['2.0.3', 'served'],
  ])('%s: the identity variant of TOTP MFA is %s', (version, form) => {
    expect(vault.formsOf?.(version)).toMatchObject({ 'mfa-identity': form })
  })
})
