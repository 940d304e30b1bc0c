import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Facts } from '../vocabulary/index.ts'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { createClient } from '../wire/client.ts'
import { vault } from './dialects/vault.ts'
import { type Probe, probe } from './probe.ts'
import { resolveTarget } from './resolve.ts'

type Answer = readonly [status: number, body?: unknown]
/** Replies by `METHOD path`. Lists are keyed as GET here, because node:http cannot receive the method LIST. */
type Script = Readonly<Record<string, Answer>>

async function listening(server: Server | ReturnType<typeof createSocketServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const scripted = (script: Script, date?: string): Promise<number> =>
  listening(
    createServer((request: IncomingMessage, response: ServerResponse) => {
      const [status, body] = script[`${request.method} ${request.url}`] ?? [404, { errors: ['unsupported path'] }]
      if (date) response.setHeader('date', date)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
    }),
  )

const dialect = {
  ...vault,
  operations: {
    ...vault.operations,
    listGoverning: () => {
      const [exchange] = vault.operations.listGoverning?.({}).exchanges ?? []
      return exchange ? { exchanges: [{ ...exchange, method: 'GET' as const }] } : { exchanges: [] }
    },
  },
}

async function probed(
  url: string,
  declared: Facts = {},
  token: string | undefined = 'a-token',
  headers: Readonly<Record<string, string>> = {},
) {
  const named = resolveTarget({ target: url }, token === undefined ? {} : { ASSAY_TOKEN: token })
  if (!named) throw new TypeError('a URL makes a target')
  const target = { ...named, headers }
  const client = createClient(target, { timeoutMs: patient(2000), maxRps: 0, environment: {} })
  onTestFinished(() => client.close())
  const wanted = [{ path: 'sys/policies/acl/assay-probe', capabilities: ['read', 'update'] }]
  return probe({ target: { ...target, declared }, dialect, client, wanted: () => wanted, areas: [], record: () => {} })
}

const seenAt = async (script: Script, declared?: Facts, token?: string): Promise<Probe> => {
  const seen = await probed(`http://127.0.0.1:${await scripted(script)}`, declared, token)
  if ('unreachable' in seen) throw new Error(seen.unreachable)
  return seen
}

const health = (more: object = {}): Script => ({
  'GET /v1/sys/health': [200, { initialized: true, sealed: false, version: '1.14.0', cluster_id: 'c-1', ...more }],
})
const accepted: Script = {
  'GET /v1/sys?help=1': [200, { help: 'The system backend is built-in to Vault and cannot be remounted' }],
  'GET /v1/auth/token/lookup-self': [200, { data: { policies: ['root'] } }],
  'POST /v1/sys/capabilities-self': [200, { data: { 'sys/policies/acl/assay-probe': ['root'] } }],
}
const governing = (answer: Answer): Script => ({ 'GET /v1/sys/policies/rgp': answer })
const notServed = governing([404, { errors: ['unsupported path'] }])
const codesOf = ({ findings }: Probe): string[] => findings.map(({ code }) => code)

test('the version is read without the headers of the profile if it is missing with them', async () => {
  const server = createServer((request, response) => {
    const script: Script = request.headers['x-vault-namespace'] ? {} : health()
    const [status, body] = script[`${request.method} ${request.url}`] ?? [404, { errors: ['unsupported path'] }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const seen = await probed(`http://127.0.0.1:${await listening(server)}`, {}, 'a-token', { 'X-Vault-Namespace': 'a' })
  expect('unreachable' in seen ? undefined : seen.facts.version).toBe('1.14.0')
})

describe('the edition', () => {
  const served = governing([404, { errors: [] }])
  const replicates: Script = { 'GET /v1/sys/replication/dr/status': [200, { data: { mode: 'disabled' } }] }
  test.each<[readonly string[], object, Script]>([
    [['community'], {}, notServed],
    [['premium'], { enterprise: true }, governing([200, { data: { keys: [] } }])],
    [['premium'], { version: '1.14.0+prem' }, served],
    [['enterprise'], { version: '1.14.0+ent' }, notServed],
    [[], {}, served],
    [[], {}, governing([403, { errors: ['permission denied'] }])],
    [['enterprise', 'premium'], { enterprise: true }, governing([404, { errors: ['no policies of this kind yet'] }])],
    [['enterprise', 'premium'], { enterprise: true }, governing([422, { errors: ['no policies of this kind yet'] }])],
    [[], {}, governing([404, { message: 'none' }])],
    [[], {}, governing([400])],
    [['enterprise'], { enterprise: true }, governing([501, { errors: ['not in this license'] }])],
    [[], { version: undefined }, notServed],
    [['enterprise', 'premium'], { version: undefined, enterprise: true }, governing([403])],
    [[], { version: '0.8.3' }, notServed],
    [['enterprise', 'premium'], { version: '0.8.3', enterprise: true }, notServed],
    [['enterprise'], {}, { ...notServed, ...replicates }],
    [
      ['community'],
      {},
      { ...notServed, 'GET /v1/sys/replication/dr/status': [200, { data: { mode: 'unsupported' } }] },
    ],
    [['enterprise', 'premium'], {}, { ...served, ...replicates }],
  ])('is one of %j for a health reply with %j', async (left, marks, governingAnswer) => {
    const seen = await seenAt({ ...health(marks), ...accepted, ...governingAnswer })
    const { edition, editions = [] } = seen.observed
    expect(edition === undefined ? editions : [edition]).toEqual(left)
    expect(codesOf(seen).includes('edition-unknown')).toBe(left.length !== 1)
    expect(seen.evidence.edition).not.toBe('')
  })

  test('that the token may not ask for is unknown for that reason', async () => {
    const { hidden } = await seenAt({
      ...health(),
      ...accepted,
      ...governing([403, { errors: ['permission denied'] }]),
    })
    expect(hidden).toMatchObject({
      ...{ code: 'denied', kind: 'permission' },
      mend: expect.stringMatching(/assay plan --policy.*list on sys\/policies\/rgp/),
    })
  })

  test('of a product that numbers its versions in another way does not depend on the number', async () => {
    const seen = await seenAt({
      ...health({ version: '0.5.2' }),
      ...accepted,
      ...notServed,
      'GET /v1/sys?help=1': [404],
    })
    expect(seen.facts).toMatchObject({ version: '0.5.2', judgedAs: 'newest', edition: 'community' })
    expect(codesOf(seen)).toContain('judged-as-newest')
    expect(seen.findings.map(({ text }) => text).join()).toContain('declare "declared.product", or')
  })

  test('of a declared product is judged as the newest without advice to declare the product', async () => {
    const seen = await seenAt({ ...health(), ...accepted, ...notServed }, { product: 'Other', edition: 'community' })
    const text = seen.findings.find(({ code }) => code === 'judged-as-newest')?.text
    expect(text).toContain('declare "declared.compatibleWith"')
    expect(text).not.toContain('declared.product')
  })

  test('that is declared takes precedence, and a difference is reported', async () => {
    const seen = await seenAt({ ...health(), ...accepted, ...notServed }, { edition: 'premium', version: '1.14' })
    expect(seen.facts).toMatchObject({ edition: 'premium', version: '1.14' })
    expect(seen.observed).toMatchObject({ edition: 'community', version: '1.14.0' })
    expect(seen.findings).toEqual([
      expect.objectContaining({ code: 'fact-disagrees', text: expect.stringContaining('declares edition premium') }),
    ])
  })
})

describe('the token', () => {
  const refusal: Answer = [403, { errors: ['permission denied'] }]

  test('is refused if neither lookup nor capabilities are allowed', async () => {
    const seen = await seenAt({
      ...health(),
      'GET /v1/auth/token/lookup-self': refusal,
      'POST /v1/sys/capabilities-self': refusal,
    })
    expect(seen.blocker).toMatchObject({
      kind: 'permission',
      reason: expect.stringContaining('refuses every request with the token'),
    })
    expect(seen.observed.edition).toBeUndefined()
  })

  test.each(['bad token', '2 errors occurred: * permission denied * invalid token', 'token has expired'])(
    'is reported as invalid if the target says %j',
    async (text) => {
      const answer: Answer = [403, { errors: [text] }]
      const script = { 'GET /v1/auth/token/lookup-self': answer, 'POST /v1/sys/capabilities-self': answer }
      const mounts: Script = { 'GET /v1/sys/mounts': [200, { data: { 'secret/': { type: 'kv' } } }] }
      expect((await seenAt({ ...health(), ...mounts, ...script })).blocker).toMatchObject({
        kind: 'permission',
        reason: expect.stringContaining('is wrong, expired or revoked'),
      })
    },
  )

  test('is accepted if it may read a list, although it may not look itself up', async () => {
    const script = { 'GET /v1/auth/token/lookup-self': refusal, 'POST /v1/sys/capabilities-self': refusal }
    const mounts: Script = { 'GET /v1/sys/mounts': [200, { data: { 'secret/': { type: 'kv' } } }] }
    expect((await seenAt({ ...health(), ...notServed, ...mounts, ...script })).blocker).toBeUndefined()
  })

  test('is accepted if it may read its capabilities, although it may not look itself up', async () => {
    const seen = await seenAt({ ...health(), ...accepted, ...notServed, 'GET /v1/auth/token/lookup-self': refusal })
    expect(seen.blocker).toBeUndefined()
  })

  const unlisted: Script = {
    'GET /v1/auth/token/lookup-self': [404, { errors: ['unsupported path'] }],
    'POST /v1/sys/capabilities-self': refusal,
  }
  test('is accepted if it may read a list, on a target that does not serve the lookup', async () => {
    const mounts: Script = { 'GET /v1/sys/mounts': [200, { data: { 'secret/': { type: 'kv' } } }] }
    expect((await seenAt({ ...health(), ...notServed, ...unlisted, ...mounts })).blocker).toBeUndefined()
    expect((await seenAt({ ...health(), ...unlisted })).blocker).toMatchObject({ kind: 'permission' })
  })

  test.each([
    [[503, { errors: ['overloaded'] }], 'transport', /could not serve the requests/, /^run again/],
    [[500, { errors: ['boom'] }], 'transport', /could not serve the requests/, /^run again/],
    [[307, {}], 'need', /do not show whether the token is valid/, /^fix the URL/],
    [[204], 'need', /do not show whether the token is valid/, /^fix the URL/],
    [[200, {}], 'need', /do not show whether the token is valid/, /^fix the URL/],
    [[404, {}], 'need', /do not show whether the token is valid/, /^fix the URL/],
  ] as const)('is not blamed for %j', async (answer, kind, reason, mend) => {
    const script = { 'GET /v1/auth/token/lookup-self': answer, 'POST /v1/sys/capabilities-self': answer }
    const { blocker } = await seenAt({ ...health(), ...script })
    expect(blocker).toMatchObject({ kind, reason: expect.stringMatching(reason), mend: expect.stringMatching(mend) })
  })

  test('is refused if its uses are counted, because it might be gone before the clean-up', async () => {
    const lookup: Script = { 'GET /v1/auth/token/lookup-self': [200, { data: { num_uses: 40 } }] }
    const { blocker } = await seenAt({ ...health(), ...accepted, ...lookup })
    expect(blocker).toMatchObject({
      ...{ kind: 'permission', code: 'token-counted', mend: 'give a token without a limit on its uses' },
      reason: expect.stringMatching(/^the token may be used 40 more times, /),
    })
  })

  test.each([
    [600, ['the token ends in 600 s and the run may take 1800 s']],
    [1800, []],
    [0, []],
    [undefined, []],
  ])('that has %j s left is warned of if it may end before the run', async (ttl, texts) => {
    const lookup: Script = { 'GET /v1/auth/token/lookup-self': [200, { data: { accessor: 'a-1', ttl } }] }
    const { findings } = await seenAt({ ...health(), ...accepted, ...lookup })
    const ends = findings.filter(({ code }) => code === 'token-ends')
    expect(ends.map(({ text }) => text.split(';')[0])).toEqual(texts)
  })

  test('is not blamed for a namespace that does not exist, of which the target has words', async () => {
    const answer = [404, { errors: ['namespace not found'] }] as const
    const script = { 'GET /v1/auth/token/lookup-self': answer, 'POST /v1/sys/capabilities-self': answer }
    const { blocker } = await seenAt({ ...health(), ...script })
    expect(blocker?.reason).toContain('its own lookup: status 404 "namespace not found"')
    expect(blocker?.mend).toMatch(/^fix the URL or the namespace, /)
  })

  test.each([
    [{ accessor: 'a-1', ttl: 3600 }, 'need'],
    [{ creation_time: 1_700_000_000 }, 'need'],
    [{ policies: ['root'] }, undefined],
  ])('is one of many if something in front of the target puts its own, of %j, in place of each', async (data, kind) => {
    const lookup: Script = { 'GET /v1/auth/token/lookup-self': [200, { data }] }
    const { blocker, replaced } = await seenAt({ ...health(), ...accepted, ...lookup })
    expect([blocker?.kind, replaced?.kind]).toEqual([undefined, kind])
    if (replaced)
      expect([replaced.code, replaced.mend]).toEqual(['token-replaced', 'judge the target at its own address'])
  })

  test('is not blamed for a connection that ends', async () => {
    const server = createServer((request, response) =>
      request.url === '/v1/sys/health'
        ? response.end(JSON.stringify({ version: '1.14.0', sealed: false }))
        : request.socket.destroy(),
    )
    const seen = await probed(`http://127.0.0.1:${await listening(server)}`)
    expect(seen).toMatchObject({
      blocker: {
        kind: 'transport',
        reason: expect.stringContaining('did not reply to every request that tries the token'),
      },
    })
  })

  test('is reported as missing', async () => {
    const port = await scripted(health())
    const target = resolveTarget({ target: `http://127.0.0.1:${port}` }, {})
    expect(target?.token).toBeUndefined()
    const seen = await probed(`http://127.0.0.1:${port}`, {}, '')
    expect(seen).toMatchObject({ blocker: { kind: 'permission', reason: 'no token was given' } })
  })

  test('is reported if it lacks a capability that the plan needs', async () => {
    const lesser: Answer = [200, { data: { 'sys/policies/acl/assay-probe': ['read'] } }]
    const script = { ...accepted, 'POST /v1/sys/capabilities-self': lesser }
    const seen = await seenAt({ ...health(), ...notServed, ...script })
    expect(seen.findings).toEqual([
      expect.objectContaining({ text: expect.stringContaining('lacks update on sys/policies/acl/assay-probe') }),
    ])
  })
})

describe('a target', () => {
  test.each([
    [{ sealed: true, standby: true }, 'the target is sealed'],
    [{ sealed: true, initialized: false }, 'the target is not initialized'],
  ])('with %j blocks everything', async (state, reason) => {
    const { blocker, facts } = await seenAt(health(state))
    expect(blocker).toMatchObject({ kind: 'need', reason })
    expect(facts.topology).toBeUndefined()
  })

  test('whose clock differs is reported', async () => {
    const date = new Date(Date.now() - 3_600_000).toUTCString()
    const port = await scripted({ ...health(), ...accepted, ...notServed }, date)
    const seen = await probed(`http://127.0.0.1:${port}`)
    expect(seen).toMatchObject({ findings: [{ code: 'clock-skew', text: expect.stringContaining('behind') }] })
    if ('unreachable' in seen) throw new Error(seen.unreachable)
    expect(Math.round((seen.clockSkewMs ?? 0) / 60_000)).toBe(-60)
  })

  test('shows its cluster id', async () => {
    expect((await seenAt({ ...health(), ...accepted, ...notServed })).clusterId).toBe('c-1')
  })
})

describe('unreachable', () => {
  const wordsOf = async (url: string): Promise<string> => {
    const seen = await probed(url)
    return 'unreachable' in seen ? seen.unreachable : 'reached'
  }

  test('if nothing listens', async () => {
    const server = createSocketServer()
    const port = await listening(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await wordsOf(`http://127.0.0.1:${port}`)).toMatch(/nothing listens at .*\. Start the server/)
  })

  test.each([
    [200, 'Fix the URL, '],
    [401, 'Give what it asks for in "headers" of a profile, '],
  ])('if a web page answers %i in place of the server, whatever is asked', async (status, mend) => {
    const port = await listening(
      createServer((_, response) =>
        response
          .writeHead(status, { 'content-type': 'text/html', server: 'nginx/1.27' })
          .end('<!doctype html><title>Shop'),
      ),
    )
    expect(await wordsOf(`http://127.0.0.1:${port}`)).toContain(
      ` does not serve the API: every request is answered ${status} by nginx, with a page. ${mend}`,
    )
  })

  test('if it redirects to TLS elsewhere', async () => {
    const port = await listening(
      createServer((_, response) => response.writeHead(301, { location: 'https://vault.example/v1/sys/health' }).end()),
    )
    expect(await wordsOf(`http://127.0.0.1:${port}`)).toMatch(
      /redirected to https:\/\/vault\.example, .* Give that URL, /,
    )
  })

  test('not if a page hides the health request alone', async () => {
    const server = createServer((request, response) => {
      const [status, body] = accepted[`${request.method} ${request.url}`] ?? [404, { errors: ['unsupported path'] }]
      if (request.url?.startsWith('/v1/sys/health')) response.writeHead(403).end('<html><body>Forbidden</body></html>')
      else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    expect(await wordsOf(`http://127.0.0.1:${await listening(server)}`)).toBe('reached')
  })

  test('if an https URL leads to plain HTTP', async () => {
    const port = await scripted(health())
    expect(await wordsOf(`https://127.0.0.1:${port}`)).toMatch(/does not speak TLS\. Write http:\/\/ in the URL\.$/)
  })

  test.each([
    'Client sent an HTTP request to an HTTPS server.\n',
    '<html><title>400 The plain HTTP request was sent to HTTPS port</title></html>',
  ])('if an http URL leads to TLS, where the answer is %j', async (text) => {
    const port = await listening(createServer((_, response) => response.writeHead(400).end(text)))
    expect(await wordsOf(`http://127.0.0.1:${port}`)).toMatch(/it speaks TLS\. Write https:/)
  })

  test('if the server does not speak HTTP', async () => {
    const port = await listening(createSocketServer((socket) => socket.end('SSH-2.0-OpenSSH_9\r\n')))
    expect(await wordsOf(`http://127.0.0.1:${port}`)).toMatch(/^http.* cannot be reached: [^\n]+\.$/)
  })
})
