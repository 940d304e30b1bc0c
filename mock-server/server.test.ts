import { once } from 'node:events'
import { connect } from 'node:net'
import supertest from 'supertest'
import { describe, expect, test } from 'vitest'
import { createMockServer } from './server.ts'
import { shared } from './test-beds/shared.test-bed.ts'

const server = shared(await createMockServer({ bodyLimit: 1000 }))

const ask = (method: string, path: string, token = server.rootToken) =>
  new supertest.Test(server.url, method, path).set('X-Vault-Token', token)

/** Returns what a raw connection receives until it is quiet or closed. */
async function raw(text: string, until: RegExp): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let seen = ''
  socket.write(text)
  await new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      seen += bytes.toString()
      if (until.test(seen)) resolve()
    })
    socket.on('close', () => resolve())
    socket.on('error', () => resolve())
  })
  socket.destroy()
  return seen
}

describe('methods', () => {
  test('an unknown method is 405 with a JSON body', async () => {
    for (const method of ['LISTX', 'BREW', 'LINK', 'OPTIONS', 'PROPFIND']) {
      const seen = await raw(`${method} /v1/secret/a HTTP/1.1\r\nHost: a\r\n\r\n`, /errors.*\n/)
      expect(seen).toMatch(/^HTTP\/1\.1 405 /)
      expect(seen).toContain('{"errors":[]}')
    }
  })

  test('an unsupported method is 405, an unknown path is 404, and the error says what exists', async () => {
    await ask('DELETE', '/v1/sys/health').expect(405, { errors: ['unsupported operation: this path has GET'] })
    const cause = async (path: string): Promise<string> => (await ask('GET', path).expect(404)).body.errors[0]
    expect(await cause('/v1/sys/nothing-here')).toMatch(
      /^unsupported path: this reference server .* has no sys\/nothing-here; below sys\/ it has audit, .*: see mock-server\/README.md$/,
    )
    expect(await cause('/v1/sys/leases/x')).toMatch(/has no such path below sys\/leases: see /)
    expect(await cause('/v1/nowhere/at/all')).toMatch(
      /nothing is mounted at nowhere\/; .* can mount aws, cloud, kv, pki:/,
    )
    expect(await cause('/v1/auth/nowhere/login')).toMatch(/no auth method is mounted at auth\/nowhere\/; .*userpass/)
    expect(await cause('/v1/identity/no-such-thing')).toMatch(/the engine identity at identity\/ .* has no such path/)
    expect(await cause('/sys/health')).toBe('unsupported path: the API is below /v1/')
  })

  test('the front pages name the server and what it serves', async () => {
    for (const path of ['/', '/v1', '/v1/']) {
      const { body } = await new supertest.Test(server.url, 'GET', path).expect(200)
      expect(body).toMatchObject({
        server: expect.stringContaining('reference server'),
        secret_engines: server.serves.secretEngines,
        auth_methods: expect.arrayContaining(['token', 'userpass']),
        system: expect.arrayContaining(['sys/mounts', 'sys/policies']),
      })
    }
    await ask('POST', '/').expect(404)
  })
})

describe('bodies', () => {
  const odd = '{"n":12345678901234567890,"m":[1.0,1e3,-0],"o":{"p":2.50},"q":"1.0"}'
  test.each(['secret/odd', 'cubbyhole/odd'])('%s returns numbers as they were written', async (path) => {
    await ask('POST', `/v1/${path}`).type('json').send(odd).expect(204)
    expect((await ask('GET', `/v1/${path}`).expect(200)).text).toContain(`"data":${odd}`)
    // A restart keeps them as well.
    server.restore(server.snapshot())
    expect((await ask('GET', `/v1/${path}`).expect(200)).text).toContain(`"data":${odd}`)
  })

  test('a body that is too long is answered 413, and nothing is stored', async () => {
    const long = `{"x":"${'y'.repeat(5000)}"}`
    const head = `POST /v1/secret/a HTTP/1.1\r\nHost: a\r\nX-Vault-Token: ${server.rootToken}\r\n`
    const sized = await raw(`${head}Content-Length: ${long.length}\r\n\r\n${long}`, /errors.*\n/)
    expect(sized).toMatch(/^HTTP\/1\.1 413 /)
    expect(sized).toContain('{"errors":["http: request body too large"]}')
    await ask('GET', '/v1/secret/a').expect(404)
  })

  test('a body that is nested too deep is refused', async () => {
    const text = `{"x":${'['.repeat(490)}${']'.repeat(490)}}`
    const { body } = await ask('POST', '/v1/secret/a').set('Content-Type', 'application/json').send(text).expect(400)
    expect(body.errors[0]).toContain('nested deeper than 256 levels')
  })
})

describe('paths', () => {
  test('a whole URL on the request line is accepted', async () => {
    const seen = await raw('GET http://a/v1/sys/health HTTP/1.1\r\nHost: a\r\n\r\n', /cluster_id/)
    expect(seen).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('answers', () => {
  test('have the headers of the family, with the date of the clock of the server', async () => {
    await server.clock.advance(86_400_000)
    const { headers } = await ask('GET', '/v1/auth/token/lookup-self').expect(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-type']).toBe('application/json')
    expect(Math.abs(Date.parse(headers.date ?? '') - server.clock.now())).toBeLessThan(5000)
  })
  test('without data are 204, with a content type', async () => {
    const { headers, text } = await ask('POST', '/v1/secret/a').send({ x: 1 }).expect(204)
    expect(text).toBe('')
    expect(headers['content-type']).toBe('application/json')
  })
  test('have an envelope', async () => {
    await ask('POST', '/v1/secret/a').send({ x: 1 })
    const { body } = await ask('GET', '/v1/secret/a').expect(200)
    expect(body).toEqual({
      request_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      lease_id: '',
      renewable: false,
      lease_duration: 2_764_800,
      data: { x: 1 },
      wrap_info: null,
      warnings: null,
      auth: null,
    })
  })
})

describe('the connection', () => {
  test('accepts pipelined requests and answers them in order', async () => {
    const one = (path: string): string =>
      `LIST /v1/${path} HTTP/1.1\r\nHost: a\r\nX-Vault-Token: ${server.rootToken}\r\n\r\n`
    const seen = await raw(
      `${one('auth/token/accessors')}${one('nowhere')}${one('sys/policies/acl')}BAD\r\n\r\n`,
      /400 Bad|405 /,
    )
    expect(seen.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200', 'HTTP/1.1 405'])
  })

  test('that breaks the protocol gets the reason as JSON, after the answers to its earlier requests', async () => {
    const good = 'GET /v1/sys/health HTTP/1.1\r\nHost: a\r\n\r\n'
    const seen = await raw(`${good}GET / HTTP/1.1\r\nbad header\r\n\r\n`, /400 Bad[\s\S]*errors.*\n/)
    expect(seen.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(seen).toMatch(/\{"errors":\["Parse Error.*"\]\}\n$/)
    const long = await raw(`GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, /errors.*\n/)
    expect(long).toMatch(/^HTTP\/1\.1 431 /)
  })

  test('is cut when the server closes', async () => {
    const own = await createMockServer()
    const socket = connect(Number(new URL(own.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {})
    const closed = once(socket, 'close')
    await own.close()
    await closed
  })
})
