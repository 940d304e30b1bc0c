import { describe, expect, test } from 'vitest'
import { type Dialect, get, list, post } from '../vocabulary/index.ts'
import type { Question } from '../wire/ask.ts'
import type { Undo } from './journal-lines.ts'
import { takeBack } from './take-back.ts'

const dialect: Dialect = {
  id: 'test',
  prefix: '/v1',
  tokenHeader: 'X-Token',
  operations: {
    inventory: () => ({
      exchanges: [get('mounts', { words: 'mounts' }), list('accessors', { words: 'token accessors' })],
    }),
    tokenByAccessor: (args) => ({ exchanges: [post('lookup', { accessor: String(args.accessor) })] }),
    revokeAccessor: (args) => ({ exchanges: [post('revoke', { accessor: String(args.accessor) })] }),
  },
}

const deletion = (path: string): Undo => ({ cluster: 'main', method: 'DELETE', path, words: `POST ${path}` })
const revocation: Undo = { ...deletion('revoke'), method: 'POST', body: '{"accessor":"acc-1"}' }

/** Takes back against a target with these replies by `METHOD path`: a status, or a status and JSON. All other requests
 * get 403. */
async function left(undo: Undo, replies: Record<string, number | [number, object]>): Promise<string | undefined> {
  const ask = async ({ method, path }: Question) => {
    const [status, json = {}] = [replies[`${method} ${path}`] ?? 403].flat() as [number, object?]
    const text = JSON.stringify(json)
    const reply = { status, headers: {}, json: JSON.parse(text), text, bytes: new Uint8Array(), asked: path, at: 0 }
    return { url: '', headers: {}, attempts: [], reply }
  }
  return takeBack(undo, ask, dialect)
}

const unserved: [number, object] = [404, { errors: ['1 error occurred: unsupported path'] }]
const ofNoEdition = { 'DELETE sys/policies/rgp/x': unserved, 'GET sys/policies/rgp/x': unserved }

describe('a refused undo leaves nothing behind', () => {
  test.each([
    ['404', { 'DELETE roles/x': 404 }],
    ['410', { 'DELETE roles/x': 410 }],
    ['a mount that is gone', { 'DELETE roles/x': [404, { errors: ['unsupported path'] }] as [number, object] }],
    ['a path that is not served, by which it was to be made', ofNoEdition],
    ['a refusal and a read that finds nothing', { 'DELETE roles/x': 400, 'GET roles/x': 404 }],
  ])('of a path: %s', async (_, replies) => {
    const [path = ''] = Object.keys(replies).map((asked) => asked.slice('DELETE '.length))
    expect(await left(deletion(path), replies)).toBeUndefined()
  })

  test('of a path that the list of its kind does not contain', async () => {
    const mounts: [number, object] = [200, { data: { 'secret/': { type: 'kv' } } }]
    for (const reading of [400, mounts])
      expect(await left(deletion('mounts/x'), { 'GET mounts/x': reading, 'GET mounts': mounts })).toBeUndefined()
  })

  test('unless the list shows its name in lower case', async () => {
    const mounts: [number, object] = [200, { data: { 'with-capitals/': { type: 'kv' } } }]
    expect(await left(deletion('mounts/With-Capitals'), { 'GET mounts': mounts })).toMatch(/answered 403/)
  })

  test('of a path with a further slash, which the nearest list does not contain', async () => {
    const mounts: [number, object] = [200, { data: { 'x/': { type: 'kv' } } }]
    expect(await left(deletion('mounts/a/x'), { 'GET mounts': mounts })).toBeUndefined()
    expect(await left(deletion('mounts/x'), { 'GET mounts': mounts })).toMatch(/answered 403/)
  })

  test('below an object that is gone', async () => {
    const undo: Undo = { ...deletion('methods/m1/destroy'), method: 'POST', words: 'POST methods/m1/generate' }
    expect(await left(undo, { 'GET methods/m1': 404 })).toBeUndefined()
    expect(await left(undo, { 'GET methods/m1': 200 })).toMatch(/answered 403/)
    const inBody: Undo = {
      ...undo,
      path: 'methods/destroy',
      words: 'POST methods/generate',
      body: '{"method_id":"m1"}',
    }
    expect(await left(inBody, { 'GET methods/m1': 404 })).toBeUndefined()
    expect(await left(inBody, { 'GET methods/m1': 200 })).toMatch(/answered 403/)
    // The path of a lease does not contain the name of what it was made from.
    expect(await left({ ...undo, path: 'leases/revoke' }, { 'GET methods/m1': 404 })).toMatch(/answered 403/)
  })

  test('except below a fixed word of the API, which a read cannot show to be gone', async () => {
    const undo: Undo = { ...deletion('auth/token/revoke-self'), method: 'POST', words: 'POST auth/token/create' }
    expect(await left(undo, { 'GET auth/token': 404 })).toMatch(/answered 403/)
  })

  test.each([
    ['a list of accessors without it', { 'LIST accessors': [200, { data: { keys: ['acc-2'] } }] as [number, object] }],
    ['a lookup that finds nothing', { 'POST lookup': 404 }],
    ['a lookup that does not know it', { 'POST lookup': [400, { errors: ['invalid accessor'] }] as [number, object] }],
  ])('of a token: %s', async (_, replies) => expect(await left(revocation, replies)).toBeUndefined())
})

describe('a refused undo leaves an object that the target shows, or does not show to be gone', () => {
  test.each([
    ['a path that can be read', deletion('roles/x'), { 'GET roles/x': 200 }],
    ['a path that cannot be read nor listed', deletion('roles/x'), {}],
    [
      'a path that the target does not serve, and by which it was not made',
      { ...deletion('identity/entity/name/x'), words: 'POST identity/entity' },
      {
        'DELETE identity/entity/name/x': [404, { errors: ['unsupported path'] }] as [number, object],
        'GET identity/entity/name/x': [404, { errors: ['unsupported path'] }] as [number, object],
      },
    ],
    [
      'a mount that is listed',
      deletion('mounts/x'),
      { 'GET mounts/x': 405, 'GET mounts': [200, { data: { 'x/': {} } }] as [number, object] },
    ],
    ['a path of which only the removal is not served', deletion('sys/x'), { 'DELETE sys/x': unserved }],
    ['a token that is found', revocation, { 'POST lookup': 200 }],
    ['a listed token', revocation, { 'LIST accessors': [200, { data: { keys: ['acc-1'] } }] as [number, object] }],
    ['a token, and an empty list', revocation, { 'LIST accessors': [200, { data: { keys: [] } }] as [number, object] }],
    ['an undo that is no deletion', { ...deletion('force/x'), method: 'POST' }, { 'GET force/x': 404 }],
  ])('%s', async (_, undo, replies) =>
    expect(await left(undo, replies)).toMatch(new RegExp(`^${undo.method} ${undo.path} answered 40[34]$`)),
  )
})
