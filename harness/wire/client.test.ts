import { describe, expect, onTestFinished, test } from 'vitest'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { createClient, pathOf, type WireClient, type WireOptions, type WireRequest } from './client.ts'
import { type Asked, endpointAt, rawServer, scriptedServer } from './scripted-server.ts'
import { gracesOfRun, stoppingAfter } from './stop-signals.ts'
import type { Timer } from './timer.ts'

/** The waits in ms that the client asked for. The timer records each and returns immediately. */
const waits: number[] = []
const timer: Timer = {
  now: () => 1_000_000,
  wait: async (ms) => {
    waits.push(ms)
  },
}

function client(url: string, options: Partial<WireOptions> = {}, allowedHosts: string[] = []): WireClient {
  waits.length = 0
  const made = createClient(endpointAt(url, { allowedHosts }), {
    timeoutMs: patient(2000),
    maxRps: 0,
    timer,
    environment: {},
    ...options,
  })
  onTestFinished(() => made.close())
  return made
}

async function http(answer: Parameters<typeof scriptedServer>[0]) {
  const server = await scriptedServer(answer)
  onTestFinished(() => server.close())
  return server
}

async function raw(answer: Parameters<typeof rawServer>[0]) {
  const server = await rawServer(answer)
  onTestFinished(() => server.close())
  return server
}

const read: WireRequest = { method: 'GET', path: '/v1/x', headers: {} }
const write: WireRequest = { method: 'POST', path: '/v1/x', headers: {}, body: '{"a":1}' }
const head = 'HTTP/1.1 200 OK\r\ncontent-length: '

describe('one exchange', () => {
  test('returns status, headers, text, bytes, JSON, and the request', async () => {
    const server = await http((_asked, response) => {
      response.writeHead(200, { 'x-one': ['a', 'b'], date: 'Fri, 20 Nov 2026 20:00:00 GMT' }).end('{"data":{"k":1}}')
    })
    const { reply, attempts } = await client(server.url).send({
      ...write,
      query: { list: 'true' },
      headers: { a: 'b' },
    })
    expect(reply).toMatchObject({
      status: 200,
      json: { data: { k: 1 } },
      text: '{"data":{"k":1}}',
      asked: 'POST /v1/x',
      at: Date.parse('2026-11-20T20:00:00Z'),
    })
    expect(reply?.headers['x-one']).toBe('a, b')
    expect(attempts).toHaveLength(1)
    expect(server.asked[0]).toMatchObject({ method: 'POST', path: '/v1/x?list=true', body: '{"a":1}' })
    expect(server.asked[0]?.headers.a).toBe('b')
  })

  test('is sent below the base path of the endpoint', async () => {
    const server = await http((_asked, response) => response.end())
    await client(`${server.url}/base`).send(read)
    expect(server.asked[0]?.path).toBe('/base/v1/x')
  })

  test('escapes characters that a path cannot hold, and keeps existing escapes', () => {
    expect(pathOf('/v1/ü b/{c}?d#e')).toBe('/v1/%C3%BC%20b/%7Bc%7D%3Fd%23e')
    expect(pathOf('/v1/a%2Fb', { q: '1 2' })).toBe('/v1/a%2Fb?q=1+2')
  })

  test('keeps the bytes of a body that is neither valid UTF-8 nor JSON', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe])
    const server = await http((_asked, response) => response.end(bytes))
    const { reply } = await client(server.url).send(read)
    expect(reply?.json).toBeUndefined()
    expect(Buffer.from(reply?.bytes ?? [])).toEqual(bytes)
  })

  test('ignores an interim response and waits for the final one', async () => {
    const server = await raw((socket) => socket.end('HTTP/1.1 103 Early Hints\r\na: b\r\n\r\nHTTP/1.1 204 No\r\n\r\n'))
    expect((await client(server.url).send(read)).reply?.status).toBe(204)
  })
})

describe('hostile replies', () => {
  test.each([
    ['nested too deep', '['.repeat(4_000_000), 'nested deeper than 200 levels'],
    [
      'nested too deep in objects',
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      'nested deeper than 200 levels',
    ],
    ['with too many values', `[${'[],'.repeat(600_000)}[]]`, 'more than 500000 values'],
  ])('JSON %s is not parsed', async (_name, text, excess) => {
    const server = await http((_asked, response) => response.end(text))
    const { reply, trouble } = await client(server.url, { timeoutMs: 20_000 }).send(read)
    expect(reply).toBeUndefined()
    expect(trouble).toBe(`the reply body is JSON that is ${excess}: it was not parsed`)
  })

  test('brackets within strings do not count', async () => {
    const value = { text: '[{"\\'.repeat(500), last: '\\' }
    const server = await http((_asked, response) => response.end(JSON.stringify(value)))
    expect((await client(server.url).send(read)).reply?.json).toEqual(value)
  })

  test('a body beyond 8 MiB is cut off', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 97)
    const server = await http((_asked, response) => {
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    const { reply, trouble } = await client(server.url, { timeoutMs: 20_000 }).send(read)
    expect(reply).toBeUndefined()
    expect(trouble).toBe('the reply body is larger than 8 MiB')
  })

  const raws: readonly (readonly [string, string, RegExp])[] = [
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9\r\n', /is not HTTP\/1\.1/],
    [
      'endless headers',
      `HTTP/1.1 200 OK\r\n${'x-pad: yyyyyyyyyyyyyyyyyyyyyyyy\r\n'.repeat(5000)}`,
      /headers are larger than 32 KiB/,
    ],
    [
      '4000 headers',
      `HTTP/1.1 200 OK\r\n${Array.from({ length: 4000 }, (_, n) => `x${n}:1\r\n`).join('')}\r\n{}`,
      /has 4000 headers, but at most 256 are read/,
    ],
    [
      'interim replies with many headers',
      `HTTP/1.1 103 Early Hints\r\n${'a:b\r\n'.repeat(257)}\r\nHTTP/1.1 204 No\r\n\r\n`,
      /has 257 headers/,
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', /not as long as/],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab', /is not HTTP\/1\.1/],
  ]
  test.each(raws)('%s is trouble, and is not retried', async (_name, bytes, words) => {
    let count = 0
    const server = await raw((socket) => {
      count += 1
      socket.end(bytes)
    })
    const { reply, trouble } = await client(server.url).send(read)
    expect(reply).toBeUndefined()
    expect(trouble).toMatch(words)
    expect(count).toBe(1)
  })

  test('a reply that trickles in is given up at the timeout', async () => {
    const server = await http((_asked, response) => {
      response.writeHead(200).write('a')
      const drip = setInterval(() => response.write('a'), 5)
      response.on('close', () => clearInterval(drip))
    })
    const timeoutMs = patient(500)
    const { trouble, attempts } = await client(server.url, { timeoutMs }).send(read)
    expect(trouble).toBe(`no complete reply from ${new URL(server.url).host} within ${timeoutMs} ms`)
    expect(attempts).toHaveLength(1)
    expect(attempts[0]?.status).toBe(200)
  })

  test('a header that cannot be sent is trouble, not an exception', async () => {
    const server = await http((_asked, response) => response.end())
    const { trouble } = await client(server.url).send({ ...read, headers: { a: 'b\r\nc: d' } })
    expect(trouble).toMatch(/cannot be sent/)
    expect(server.asked).toHaveLength(0)
  })
})

describe('attempts', () => {
  const busyTwice = (status: number, headers = {}) =>
    http((_asked: Asked, response, nth) => void response.writeHead(nth < 2 ? status : 200, headers).end())

  test('429 and 503 are retried, and every attempt is recorded', async () => {
    const server = await busyTwice(503)
    const { reply, attempts } = await client(server.url).send(write)
    expect(reply?.status).toBe(200)
    expect(attempts.map(({ status }) => status)).toEqual([503, 503, 200])
    expect(waits).toEqual([200, 500])
  })

  test('Retry-After is respected, within bounds', async () => {
    const asked = await busyTwice(429, { 'retry-after': '7' })
    await client(asked.url).send(read)
    expect(waits).toEqual([7000, 7000])
    const long = await busyTwice(429, { 'retry-after': '86400' })
    await client(long.url).send(read)
    expect(waits).toEqual([10_000, 5000])
    const date = await busyTwice(503, { 'retry-after': new Date(1_003_000).toUTCString() })
    await client(date.url).send(read)
    expect(waits).toEqual([3000, 3000])
  })

  test.each([
    ['a day', '86400', [10_000, 5000, 1000]],
    ['a number without end', '9'.repeat(400), [10_000, 5000, 1000]],
    ['a date in 2099', 'Wed, 21 Oct 2099 07:28:00 GMT', [10_000, 5000, 1000]],
    ['a date in the past', 'Wed, 21 Oct 1969 07:28:00 GMT', [200, 500, 1000]],
    ['no wait', '0', [200, 500, 1000]],
    ['a negative number', '-5', [200, 500, 1000]],
    ['a fraction', '1.5', [200, 500, 1000]],
    ['a word', 'soon', [200, 500, 1000]],
    ['nothing', '', [200, 500, 1000]],
  ])('Retry-After of %s', async (_name, header, expected) => {
    const server = await http((_asked, response) => response.writeHead(429, { 'retry-after': header }).end())
    await client(server.url).send(read)
    expect(waits).toEqual(expected)
  })

  test('the waits that a target asks for by Retry-After are bounded over a run', async () => {
    const server = await http((_asked, response) => response.writeHead(429, { 'retry-after': '86400' }).end())
    const made = client(server.url)
    for (let count = 0; count < 6; count++) await made.send(read)
    const asked = waits.filter((ms) => ms > 1000)
    expect(asked.reduce((sum, ms) => sum + ms, 0)).toBe(60_000)
    expect(waits.slice(-3)).toEqual([200, 500, 1000])
  })

  test('the reply of a target that stays busy is its last one', async () => {
    const server = await http((_asked, response) => response.writeHead(503).end())
    const { reply, attempts } = await client(server.url).send(read)
    expect(reply?.status).toBe(503)
    expect(attempts).toHaveLength(4)
  })

  test('neither a request with `once` nor a write after 502 or 504 is retried', async () => {
    const busy = await busyTwice(503)
    expect((await client(busy.url).send({ ...read, once: true })).attempts).toHaveLength(1)
    const gateway = await busyTwice(502)
    expect((await client(gateway.url).send({ ...read, method: 'POST' })).attempts).toHaveLength(1)
    expect((await client((await busyTwice(504)).url).send(read)).attempts).toHaveLength(3)
  })

  test.each([
    ['a read', read, 2],
    ['a list', { ...read, method: 'LIST' }, 2],
    ['taking back', { ...write, method: 'DELETE', repeatable: true }, 2],
    ['a write', write, 1],
    ['a deletion', { ...read, method: 'DELETE' }, 1],
  ] as const)('a connection that breaks after sending: %s', async (_name, request, attempts) => {
    const server = await raw((socket, nth) => (nth === 0 ? socket.destroy() : socket.end(`${head}2\r\n\r\n{}`)))
    const outcome = await client(server.url).send(request)
    expect(outcome.attempts).toHaveLength(attempts)
    if (attempts === 1) expect(outcome.trouble).toMatch(/ended before the reply was complete/)
    else expect(outcome.reply?.json).toEqual({})
  })

  test('a connection that breaks in the middle of a body', async () => {
    const server = await raw((socket) => socket.end(`${head}100\r\n\r\n{"a":`))
    const { attempts, trouble } = await client(server.url).send(read)
    expect(trouble).toBeDefined()
    expect(attempts[0]?.bytes?.toString()).toBe('{"a":')
  })

  test('a server that ends its connections without saying so loses one write at most', async () => {
    const used = new WeakSet<object>()
    const server = await http((_asked, response) => {
      const { socket } = response
      if (!socket || used.has(socket)) return void socket?.destroy()
      used.add(socket)
      response.end('{}')
    })
    const here = client(server.url)
    const seen = []
    for (let nth = 0; nth < 6; nth++) {
      const { reply, troubleKind } = await here.send(write)
      seen.push(reply?.status ?? troubleKind)
    }
    expect(seen.toSorted()).toEqual([200, 200, 200, 200, 200, 'broken'])
    expect(seen.slice(-3)).toEqual([200, 200, 200])
  })

  test('if nothing listens, every method is retried, and the trouble says so', async () => {
    const server = await scriptedServer(() => {})
    await server.close()
    const { attempts, trouble } = await client(server.url).send(write)
    expect(attempts).toHaveLength(4)
    expect(trouble).toMatch(/^nothing listens at 127\.0\.0\.1:\d+$/)
  })

  test('after an abort there is no wait and no retry', async () => {
    const server = await busyTwice(503)
    const { attempts } = await client(server.url, {
      stopping: stoppingAfter(AbortSignal.abort(), timer, gracesOfRun()),
    }).send(read)
    expect(attempts).toHaveLength(1)
  })

  test('requests are spaced by the rate limit', async () => {
    const server = await http((_asked, response) => response.end())
    const made = client(server.url, { maxRps: 10 })
    await Promise.all([made.send(read), made.send(read), made.send(read)])
    expect(waits).toEqual([100, 200])
  })
})

describe('redirects', () => {
  const to = (location: string, status = 307) =>
    http((asked, response) => {
      if (asked.path === '/v1/x') response.writeHead(status, { location }).end()
      else response.end('{}')
    })

  test('to the same host are followed with the same method, body and token', async () => {
    const server = await to('/v1/y')
    const { reply, attempts } = await client(server.url).send({ ...write, headers: { 'x-vault-token': 't' } })
    expect(reply?.status).toBe(200)
    expect(attempts.map(({ status }) => status)).toEqual([307, 200])
    expect(server.asked[1]).toMatchObject({ method: 'POST', path: '/v1/y', body: '{"a":1}' })
    expect(server.asked[1]?.headers['x-vault-token']).toBe('t')
  })

  test('to another host are followed only where the profile names it', async () => {
    const other = await http((_asked, response) => response.end('{}'))
    const server = await to(`${other.url}/v1/y`, 302)
    const refused = await client(server.url).send(read)
    expect(refused.trouble).toMatch(/neither the target nor a host named in the profile/)
    expect(other.asked).toHaveLength(0)
    const followed = await client(server.url, {}, [new URL(other.url).host]).send(read)
    expect(followed.reply?.status).toBe(200)
    expect(other.asked).toHaveLength(1)
  })

  test('in a loop are followed five times', async () => {
    const server = await to('/v1/x', 308)
    const outcome = await client(server.url).send(read)
    expect(outcome).toMatchObject({ trouble: 'redirected more than 5 times', troubleKind: 'not-taken' })
    expect(server.asked).toHaveLength(6)
  })

  test('without a location, and other 3xx, are ordinary replies', async () => {
    const nowhere = await http((_asked, response) => response.writeHead(307).end())
    expect((await client(nowhere.url).send(read)).reply?.status).toBe(307)
    const see = await to('/v1/y', 303)
    expect((await client(see.url).send(read)).reply?.status).toBe(303)
  })
})

describe('proxies', () => {
  test('a proxy is used for other hosts, and not for this machine', async () => {
    const proxy = await http((_asked, response) => response.end('{"via":"proxy"}'))
    const environment = { HTTP_PROXY: proxy.url }
    const outcome = await client('http://target.invalid:8200', { environment }).send(read)
    expect(outcome.reply?.json).toEqual({ via: 'proxy' })
    expect(proxy.asked[0]?.path).toBe('http://target.invalid:8200/v1/x')
    const server = await http((_asked, response) => response.end('{"via":"none"}'))
    expect((await client(server.url, { environment }).send(read)).reply?.json).toEqual({ via: 'none' })
  })

  test('NO_PROXY is respected', async () => {
    const proxy = await http((_asked, response) => response.end())
    const environment = { http_proxy: proxy.url, no_proxy: '.invalid' }
    const outcome = await client('http://target.invalid:8200', { environment }).send(read)
    expect(outcome.trouble).toBeDefined()
    expect(proxy.asked).toHaveLength(0)
  })

  test('trouble with a dead proxy names the proxy without its password, and does not blame the target', async () => {
    const proxy = await http(() => {})
    await proxy.close()
    const host = new URL(proxy.url).host
    const environment = {
      HTTP_PROXY: `http://user:s3cret-word@${host}`,
      HTTPS_PROXY: `http://user:s3cret-word@${host}`,
    }
    for (const url of ['http://target.invalid:8200', 'https://target.invalid:8200']) {
      const { trouble } = await client(url, { environment }).send(read)
      expect(trouble).toBe(`nothing listens at the proxy ${host} on the way to target.invalid:8200`)
    }
    const direct = await client(proxy.url, { environment }).send(read)
    expect(direct.trouble).toBe(`nothing listens at ${host}`)
  })

  test.each(['user:s3cret-word@proxy:3128', 'http://user:s3cret%word@proxy:3128'])(
    'an invalid proxy URL is refused without quoting its password: %s',
    (http_proxy) => {
      const made = () => client('http://target.invalid', { environment: { http_proxy } })
      expect(made).toThrow('HTTP_PROXY is not the URL of a proxy: write it as http://host:port')
    },
  )
})
