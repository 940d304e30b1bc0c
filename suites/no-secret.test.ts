import { expect, test } from 'vitest'
import type { Reply, Scope } from '../harness/vocabulary/index.ts'
import { hiding } from './no-secret.ts'

const secret = 'JBSWY3DPEHPK3PXPJBSW'
const scope = { has: (name: string) => name in known, value: (name: string) => known[name] } as unknown as Scope
const known: Readonly<Record<string, string>> = { key: secret, short: 'AE', id: '8b072e4b-6dd7-4277-85ac' }
const { requirements, flawsIn } = hiding({
  ...{
    requirement: 'area.secret.unshown',
    asked: /^GET /,
    names: ['key', 'short', 'id', 'other'],
    form: /^[A-Z2-7]+$/,
    what: 'key',
  },
})
const flaws = (asked: string, text: string) =>
  flawsIn({
    reply: { asked, text, status: 200, headers: {}, bytes: new Uint8Array(), at: 0 } as unknown as Reply,
    scope,
  })

test('a reply that shows a known secret breaks the condition, under the requirement about it', () => {
  expect(requirements).toEqual(['area.secret.unshown'])
  expect(flaws('GET method', `{"key":"${secret}"}`)).toMatchObject([
    { requirement: 'area.secret.unshown', asked: 'GET method', at: 'reply', saw: 'a key' },
  ])
})

test('a reply without it, to another request, or with a text that is too short to be told apart breaks none', () => {
  expect(flaws('GET method', '{"issuer":"AE"}')).toEqual([])
  expect(flaws('GET method', `{"id":"${known.id}"}`)).toEqual([])
  expect(flaws('POST method', `{"key":"${secret}"}`)).toEqual([])
})
