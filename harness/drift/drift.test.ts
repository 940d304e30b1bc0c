import { describe, expect, test } from 'vitest'
import { checkResult, sampleResult } from '../commands/output/sample-results.test-bed.ts'
import type { Drift, RecordedExchange, ResultDocument, Verdict } from '../vocabulary/index.ts'
import { driftOf } from './drift.ts'

interface Reply {
  readonly path?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const url = 'http://vault.example:8200'

function exchange({
  path = 'things/assay-r1-3-thing',
  status = 200,
  headers = {},
  body = '',
}: Reply): RecordedExchange {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body)
  const attempt = { sentAt: '2026-01-01T00:00:00.000Z', durationMs: 1, status, responseHeaders: headers, responseBody }
  return {
    phase: 'when',
    method: 'GET',
    url: `${url}/v1/${path}`,
    requestHeaders: {},
    as: 'operator',
    attempts: [attempt],
  }
}

function result(replies: readonly Reply[], verdict: Verdict = 'pass', when = 'GET x'): ResultDocument {
  const document = sampleResult({ checks: [{ ...checkResult('a', verdict), when, exchanges: replies.map(exchange) }] })
  return { ...document, target: { ...document.target, url } }
}

const brief = (drift: Drift | undefined) =>
  drift?.entries.map(({ kind, fields }) => [kind, fields.map(({ name }) => name).join(' ')].join(' ').trim())
const between = (first: Reply, other: Reply) => brief(driftOf(result([first]), result([other])))

describe('two replies to one request', () => {
  test.each<[string, Reply, Reply, readonly string[]]>([
    ['another status alone', { status: 200, body: { a: 1 } }, { status: 204 }, ['status']],
    ['a body and no body', { body: { a: 1 } }, {}, ['body']],
    ['JSON and text', { body: { a: 1 } }, { body: 'a' }, ['body']],
    ['a field of another type', { body: { a: 1 } }, { body: { a: '1' } }, ['type a']],
    ['a field on one side', { body: { a: { b: 1 } } }, { body: { a: { b: 1, c: 2 } } }, ['field a.c']],
    ['a field with a dot in its name', { body: { a: 1 } }, { body: { a: 1, 'b.c': 2 } }, ['field b.c']],
    ['an object on one side, reported once', { body: {} }, { body: { a: { b: 1, c: 2 } } }, ['field a']],
    ['an empty list', { body: { a: [] } }, { body: { a: [{ b: 1 }] } }, ['value a']],
    ['items of a list', { body: { a: ['x', 'y'] } }, { body: { a: ['x'] } }, ['value a[]']],
    ['the order of a list', { body: { a: ['x', 'y'] } }, { body: { a: ['y', 'x'] } }, ['order a[]']],
    ['the order of fields', { body: { a: 1, b: 2 } }, { body: { b: 2, a: 1 } }, []],
    ['a value', { body: { a: 'x' } }, { body: { a: 'y' } }, ['value a']],
    ['a number', { body: { a: 1 } }, { body: { a: 2 } }, ['value a']],
    ['a message', { body: { errors: ['no'] } }, { body: { errors: ['never'] } }, ['text errors[]']],
    ['a header', { headers: { via: 'a', 'x-a': '1' } }, { headers: { via: 'a' } }, ['header x-a']],
    ['headers of the connection', { headers: { via: 'a', date: 'now' } }, { headers: { via: 'a' } }, []],
    ['headers that were not recorded', { headers: { via: 'a' } }, {}, []],
  ])('%s', (_, first, other, expected) => {
    expect(between(first, other)).toEqual(expected)
  })
})

test('values that differ from run to run are not compared', () => {
  const body = (run: string, id: string, serial: string, time: string, ttl: number) => ({
    request_id: id,
    data: {
      name: `assay-${run}-3-thing`,
      [`assay-${run}-3-thing/`]: { accessor: `auth_userpass_${id.slice(0, 8)}`, by: `${url}/v1/x` },
      key_info: { [id]: { is_default: true } },
      keys: [`assay-${run}-3-thing`, `assay-${run}-77-of-another-check`],
      serial,
      time,
      ttl,
      certificate: `-----BEGIN CERTIFICATE-----\n${id}\n-----END CERTIFICATE-----\n`,
      token: '[redacted:token]',
      unix: Date.parse(time) / 1000,
      random: Buffer.from(`${id}A1z`).toString('base64'),
    },
    errors: [`1 error occurred at position ${ttl}: ${serial} until ${time}`],
  })
  const path = 'things/assay-r1-3-thing'
  const one = body(
    'r1',
    '0b3f0c5e-1f1c-4b43-8df0-9a1cf8e0b001',
    '1a:2b:3c:4d:5e:6f:70:81',
    '2026-01-01T00:00:00.123Z',
    3600,
  )
  const two = body(
    'r2',
    'e5a1b0de-71aa-4f0e-a7b7-00d0c3b1f777',
    'ff:2b:3c:4d:5e:6f:70:82',
    '2026-02-03T04:05:06.7Z',
    3598,
  )
  two.data.keys.pop()
  expect(between({ path, body: one }, { path: path.replace('r1', 'r2'), body: two })).toEqual([])
})

describe('only checks that pass on both are compared', () => {
  const first = result([{ body: { a: 1 } }])
  test.each<[string, ResultDocument]>([
    ['one that fails', result([{ body: { a: 2 } }], 'fail')],
    ['one of another definition', result([{ body: { a: 2 } }], 'pass', 'GET y')],
    ['one without exchanges', result([])],
  ])('%s', (_, other) => expect(driftOf(first, other)).toBeUndefined())
})

test('the same difference in many replies is one entry, with an example', () => {
  const replies = ['things/one', 'things/two?a', 'things/two?b'].map((path) => ({ path, body: { data: { a: 1 } } }))
  const others = replies.map((reply) => ({ ...reply, body: { data: { a: 1, b: 2, c: 3 } } }))
  const drift = driftOf(result(replies), result(others))
  expect(drift).toMatchObject({ checks: 1, replies: 3, unpaired: 0 })
  expect(drift?.entries).toMatchObject([
    {
      kind: 'field',
      areas: ['policies'],
      fields: [{ name: 'data.b', other: '2' }, { name: 'data.c' }],
      requests: [
        { request: 'GET things/one', replies: 1, of: 1 },
        { request: 'GET things/two?a', replies: 1, of: 1 },
        { request: 'GET things/two?b', replies: 1, of: 1 },
      ],
      example: {
        check: 'policies/errors/a',
        first: { request: 'GET /v1/things/one', status: 200, body: '{"data":{"a":1}}' },
        other: { body: '{"data":{"a":1,"b":2,"c":3}}' },
      },
    },
  ])
})

test('addresses that are not valid are compared as far as they can be', () => {
  const at = (address: string, reply: Reply): ResultDocument => {
    const { target, checks, ...rest } = result([reply])
    const moved = checks.map((one) => ({ ...one, exchanges: one.exchanges.map((sent) => ({ ...sent, url: address })) }))
    return { ...rest, target: { ...target, url: 'http://[redacted:token]' }, checks: moved }
  }
  const drift = (address: string) => driftOf(at(address, {}), at(address, { status: 404 }))?.entries
  expect(drift('http://[redacted:token]/v1/things')).toMatchObject([
    { kind: 'status', example: { first: { request: 'GET http://[redacted:token]/v1/things' } } },
  ])
  expect(drift('no address')).toBeUndefined()
})

test('while a check waits, only the last reply is compared, without fields that were changing', () => {
  const waiting = { body: { done: false } }
  const done = { body: { done: true } }
  expect(brief(driftOf(result([waiting, waiting, done]), result([waiting, done])))).toEqual([])
  expect(brief(driftOf(result([waiting, done]), result([waiting])))).toEqual([])
  expect(brief(driftOf(result([done]), result([waiting])))).toEqual(['value done'])
})

test('a field with a new value in each reply of one server is not compared', () => {
  const numbered = (from: number) =>
    [1, 2, 3, 4].map((n) => ({ path: `things/assay-r1-${n}-x`, body: { etag: `v${from + n}` } }))
  expect(brief(driftOf(result(numbered(0)), result(numbered(10))))).toEqual([])
})

test('messages that are all wrapped in the same text are one difference', () => {
  const says = (...errors: string[]) =>
    result(errors.map((text, at) => ({ path: `things/${at}`, body: { errors: [text] } })))
  const drift = driftOf(says('no', 'never'), says('1 error: no', '1 error: never'))
  expect(drift?.entries).toMatchObject([{ kind: 'text', more: 1, requests: [{ replies: 1 }, { replies: 1 }] }])
})
