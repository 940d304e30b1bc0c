import { describe, expect, test } from 'vitest'
import { createMockServer, type Fault, type MockServerOptions } from '../server.ts'
import { shared } from '../test-beds/shared.test-bed.ts'

const seeded = {
  mounts: { ca: 'pki', 'auth/staff': 'userpass' },
  policies: {
    app: 'path "secret/*" { capabilities = ["read"] }',
    gate: { policy: 'main = rule { true }', enforcement_level: 'advisory' },
  },
  users: { ada: { password: 'for-ada-0', policies: ['app'], mount: 'staff' } },
  roles: { 'ca/web': { allow_any_name: true } },
  entities: { ada: { policies: ['app'], aliases: { staff: 'ada' } } },
  tokens: { 'app-token': { policies: ['app'], ttl: '1h' } },
  writes: { 'secret/app': { user: 'ada' } },
} satisfies MockServerOptions

const server = shared(await createMockServer(seeded))

function jsonOf(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

async function ask(method: string, path: string, token = server.rootToken, body?: object) {
  const answer = await fetch(`${server.url}/v1/${path}`, {
    method,
    headers: { 'x-vault-token': token },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, json: jsonOf(text) }
}

describe('a seeded state', () => {
  test('contains every part', async () => {
    expect((await ask('GET', 'secret/app', 'app-token')).json.data).toEqual({ user: 'ada' })
    expect((await ask('GET', 'sys/policies/acl/app', 'app-token')).status).toBe(403)
    const { json } = await ask('POST', 'auth/staff/login/ada', '', { password: 'for-ada-0' })
    expect(json.auth).toMatchObject({ policies: expect.arrayContaining(['app']) })
    expect((await ask('GET', `identity/entity/id/${json.auth.entity_id}`)).json.data.name).toBe('ada')
    expect((await ask('GET', 'ca/roles/web')).json.data.allow_any_name).toBe(true)
    expect((await ask('GET', 'sys/policies/rgp/gate')).json.data.enforcement_level).toBe('advisory')
  })

  test('is restored by a reset, and its tokens expire', async () => {
    await ask('DELETE', 'secret/app')
    await server.clock.advance(3_600_000)
    expect((await ask('GET', 'secret/app', 'app-token')).status).toBe(403)
    await server.reset()
    expect((await ask('GET', 'secret/app', 'app-token')).status).toBe(200)
  })

  test('is part of a snapshot, which this server or another can restore', async () => {
    await ask('POST', 'secret/second', server.rootToken, { x: 1 })
    const snapshot = server.snapshot()
    await ask('DELETE', 'secret/second')
    server.restore(snapshot)
    expect((await ask('GET', 'secret/second')).status).toBe(200)
    await using other = await createMockServer()
    other.restore(snapshot)
    expect(other.rootToken).toBe(server.rootToken)
    expect(other.inventory()).toEqual(server.inventory())
    expect(() => server.restore('{}')).toThrow(RangeError)
    expect(() => server.restore(snapshot.replace('"sum":"', '"sum":"0'))).toThrow('checksum')
  })
})

describe('invalid options are refused with a clear message', () => {
  test.each<[string, object, RegExp]>([
    [
      'an option',
      { mount: {} },
      /unknown option "mount"; did you mean "mounts"\? Known are namespaces, mounts, policies/,
    ],
    ['a part', { users: [] }, /users must be an object/],
    [
      'a field',
      { users: { ada: { pasword: 'x' } } },
      /unknown field of users, "ada": "pasword"; did you mean "password"/,
    ],
    ['a type of a mount', { mounts: { x: 'kvv' } }, /mounts, "x" was refused: POST sys\/mounts\/x answered 400/],
    [
      'an alias',
      { entities: { a: { aliases: { nowhere: 'a' } } } },
      /entities, "a": no auth mount "nowhere"; known are token/,
    ],
    ['a fault', { faults: [{ fault: 'slwo' }] }, /unknown fault in faults\[0\]: "slwo"; did you mean "slow"/],
    ['a fault without its value', { faults: [{ fault: 'slow' }] }, /faults\[0\] \(slow\) needs "seconds": a number/],
    [
      'a field of a fault',
      { faults: [{ fault: 'sealed', status: 1 }] },
      /unknown field of faults\[0\] \(sealed\): "status"/,
    ],
    ['a value of a fault', { faults: [{ fault: 'cut', path: '/x' }] }, /path must be a path below \/v1\/; saw "\/x"/],
    ['a mutant', { mutants: ['policies/acl-list-keeps-delete'] }, /did you mean "policies\/acl-list-keeps-deleted"/],
    [
      'a seeded state of a server that is not initialized',
      { initialized: false, tokens: {} },
      /tokens cannot be seeded/,
    ],
  ])('%s', async (_, options, message) => {
    await expect(createMockServer(options as MockServerOptions)).rejects.toThrow(message)
  })
})

describe('the log of requests', () => {
  test('shows requests and the statuses of their answers, in order', async () => {
    await ask('LIST', 'ca/roles')
    await ask('POST', 'ca/roles/web', 'app-token', { ttl: '1h', key_type: 'ec' })
    const accessor = (await ask('GET', 'auth/token/lookup-self', 'app-token')).json.data.accessor
    expect(server.requests).toMatchObject([
      { method: 'LIST', path: 'ca/roles', status: 200, body: undefined },
      { method: 'POST', path: 'ca/roles/web', status: 403, body: { ttl: '1h', key_type: 'ec' }, accessor },
      { method: 'GET', path: 'auth/token/lookup-self', status: 200, query: {} },
    ])
    await server.reset()
    expect(server.requests).toEqual([])
  })

  test('shows no secrets', async () => {
    const canary = 'canary-8f31'
    await ask('POST', 'secret/a', server.rootToken, { plain: canary, list: [canary], deep: { x: canary } })
    await ask('POST', 'auth/token/create', server.rootToken, { id: canary, policies: ['app'] })
    await ask('POST', 'auth/token/lookup', canary, { token: canary, other: canary })
    await ask('GET', `sys/policies/acl/${canary}?token=${canary}`, canary)
    await ask('POST', 'auth/staff/users/eve', server.rootToken, { password: canary })
    await ask('POST', 'sys/wrapping/wrap', server.rootToken, { any: canary })
    await ask('POST', 'sys/mfa/validate', '', { mfa_payload: { id: [canary] } })
    await ask('POST', 'nowhere/at/all', server.rootToken, { any: canary })
    await ask('POST', 'auth/token/revoke-self', canary)
    const text = JSON.stringify(server.requests)
    expect(server.requests).toHaveLength(9)
    expect(text).not.toContain(canary)
    expect(text).not.toContain(server.rootToken)
    expect(server.requests[0]?.body).toEqual({ plain: '[redacted]', list: ['[redacted]'], deep: { x: '[redacted]' } })
  })
})

describe('faults', () => {
  const read = () => ask('GET', 'secret/app')
  const play = (...faults: Fault[]) => server.setFaults(faults)

  test('are chosen by path, method and count', async () => {
    play({ fault: 'refuse', status: 500, errors: ['no'], path: 'ca/roles/+', method: 'GET', after: 1, times: 1 })
    const statuses = [
      await ask('GET', 'ca/roles/web'),
      await ask('GET', 'ca/roles/web'),
      await ask('GET', 'ca/roles/web'),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([200, 500, 200])
    expect(statuses[1]?.json).toEqual({ errors: ['no'] })
    expect((await ask('LIST', 'ca/roles')).status).toBe(200)
    expect(server.requests.map(({ fault }) => fault)).toEqual([undefined, 'refuse', undefined, undefined])
  })

  test('a cut connection has no answer, whether the request was carried out or not', async () => {
    const cut = { fault: 'cut', path: 'secret/*', method: 'PUT', times: 1 } as const
    play(cut, { ...cut, isDone: true })
    const write = () => ask('POST', 'secret/b', server.rootToken, { x: 1 })
    await expect(write()).rejects.toThrow()
    expect((await ask('GET', 'secret/b')).status).toBe(404)
    await expect(write()).rejects.toThrow()
    expect((await ask('GET', 'secret/b')).status).toBe(200)
  })

  test('requests can be throttled, or answered as sealed or with an expired token', async () => {
    play({ fault: 'throttle', seconds: 7 })
    const throttled = await read()
    expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '7'])
    play({ fault: 'sealed' })
    expect([(await read()).status, (await read()).json]).toEqual([503, { errors: ['server is sealed'] }])
    play({ fault: 'expired-token' })
    expect((await read()).status).toBe(403)
  })

  test('answers can have malformed JSON or another content type', async () => {
    play({ fault: 'malformed' })
    const { status, text } = await read()
    expect(status).toBe(200)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    play({ fault: 'wrong-content-type' })
    expect((await read()).headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('a slow answer is sent when the clock has moved, or at a reset', async () => {
    play({ fault: 'slow', seconds: 3600 })
    const answers = [read(), read()]
    while (server.requests.length < 2) await new Promise(setImmediate)
    await server.clock.advance(3_600_000)
    expect(await Promise.all(answers)).toMatchObject([{ status: 200 }, { status: 200 }])
    const third = read()
    while (server.requests.length < 3) await new Promise(setImmediate)
    await server.reset()
    expect((await third).status).toBe(200)
  })

  test('of the options are played from the start, and again after a reset', async () => {
    await using own = await createMockServer({ faults: [{ fault: 'sealed', times: 1 }] })
    const health = async () => (await fetch(`${own.url}/v1/sys/health`)).status
    expect([await health(), await health()]).toEqual([503, 200])
    await own.reset()
    expect(await health()).toBe(503)
  })
})

test('leaves nothing open', async () => {
  const left = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length
  const own = await createMockServer()
  const open = left()
  await own.close()
  // Node removes a closed socket from the list some turns of the event loop later.
  for (let turn = 0; turn < 100 && left() >= open; turn++) await new Promise(setImmediate)
  expect(left()).toBeLessThan(open)
})

test('namespaces are seeded in order of their paths, and writes can lead into them', async () => {
  const seeded = await createMockServer({
    namespaces: { 'team/inner': {}, team: { custom_metadata: { owner: 'ann' } } },
    writes: { 'team/inner/sys/mounts/kv': { type: 'kv' }, 'team/inner/kv/a': { v: '1' } },
  })
  const headers = { 'x-vault-token': seeded.rootToken, 'x-vault-namespace': 'team/inner' }
  const reply = await fetch(`${seeded.url}/v1/kv/a`, { headers })
  expect(await reply.json()).toMatchObject({ data: { v: '1' } })
  await seeded.close()
  const wrong = createMockServer({ namespaces: { team: { owner: 'ann' } as object } })
  await expect(wrong).rejects.toThrow(/namespaces, "team"/)
})
