/** A server that gives every request the same response must not pass any check: a check that passes there decides
 * nothing. In `npm test`, every other check is judged under one of the ten responses. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProvider } from '../../fixtures/servers/provider/index.ts'
import { requirements, topics } from '../../suites/index.ts'
import { boundsOf, outsideOf } from '../run/applicability.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { featuresOfForms } from '../targets/features.ts'
import { newestReference } from '../targets/mock.ts'
import { isWhole, sampled } from '../tools/prove/sampled.test-bed.ts'
import type { Facts } from '../vocabulary/index.ts'
import { endpointAt } from '../wire/scripted-server.ts'
import { type Candidate, candidatesOf } from './judged-server.ts'
import { settings } from './settings.ts'

interface Constant {
  readonly status: number
  readonly body?: string
  readonly type?: string
}

const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
/** An object with every field that a check may look for. */
const rich = {
  id: 'fixed',
  name: 'fixed',
  keys: ['fixed'],
  mode: 'primary',
  cluster_id: 'fixed',
  policy: 'path "secret/*" { capabilities = ["read"] }',
  enforcement_level: 'advisory',
  paths: ['secret/*'],
  certificate: pem,
  issuing_ca: pem,
  private_key: 'fixed',
  serial_number: '01:02',
  access_key: 'AKIAFIXEDFIXEDFIXED0',
  secret_key: 'fixed',
  credential_type: 'iam_user',
  nonce: 'fixed',
  progress: 0,
  required: 3,
  complete: false,
  method_id: 'f0000000-0000-4000-8000-000000000000',
  issuer: 'fixed',
  period: 30,
  lease: '1h',
  lease_max: '24h',
  command: 'fixed',
  sha256: 'fixed',
}

const answers: Readonly<Record<string, Constant>> = {
  '200 with an empty object': { status: 200, body: '{}' },
  '200 with empty data': { status: 200, body: '{"data":{}}' },
  '200 with an empty list': { status: 200, body: '{"data":{"keys":[]}}' },
  '200 with a rich object': {
    status: 200,
    body: JSON.stringify({ data: rich, auth: { client_token: 'fixed-token', accessor: 'fixed' } }),
  },
  '200 with a page of HTML': { status: 200, body: '<html><body>Welcome</body></html>', type: 'text/html' },
  '204 without a body': { status: 204 },
  '400': { status: 400, body: '{"errors":["bad request"]}' },
  '403': { status: 403, body: '{"errors":["permission denied"]}' },
  '404 without a cause': { status: 404, body: '{"errors":[]}' },
  '500': { status: 500, body: '{"errors":["internal error"]}' },
}

let answer: Constant = { status: 500 }
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const { status, body = '', type = 'application/json' } = answer
    response.writeHead(status, { 'content-type': type }).end(body)
  })
})
let provider: Awaited<ReturnType<typeof startProvider>>
let url = ''
/** Returns each check with the facts of the first setting that it applies to. */
const groups = new Map<Facts, Candidate[]>()

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider = await startProvider()
  const version = await newestReference()
  const known = new Map(requirements.map((one) => [one.id, one]))
  const left = new Set(candidatesOf(topics.map(({ topic }) => topic)))
  for (const setting of settings) {
    const forms = { 'plugin-catalog': 'newer', 'mfa-identity': 'served', 'mfa-legacy': 'served', cloud: 'newer' }
    const facts: Facts = {
      edition: setting.edition,
      version: setting.version ?? version,
      features: featuresOfForms({ ...forms, ...setting.forms }),
    }
    const mine = [...left].filter(({ check }) => outsideOf(boundsOf(check, known), facts, {}) === undefined)
    for (const candidate of mine) left.delete(candidate)
    groups.set(facts, mine)
  }
  expect([...left].map(({ address }) => address)).toEqual([])
})
afterAll(async () => {
  server.closeAllConnections()
  await Promise.all([provider.close(), new Promise((resolve) => server.close(resolve))])
})

interface Found {
  readonly passes: string[]
  /** Errors in the suite itself, caused by a response that it does not expect. */
  readonly defects: string[]
  judged: number
}

/** Judges every check, in lanes. */
async function judgeAll(facts: Facts, candidates: readonly Candidate[], found: Found): Promise<void> {
  const cluster = { url, token: 'operator-token', headers: {}, tls: { insecure: false }, allowedHosts: [] }
  const place = {
    ...cluster,
    keyShares: ['share-1', 'share-2', 'share-3'],
    clusterAddress: '127.0.0.1:1',
    mayBeWiped: true,
  }
  let now = Date.now()
  const { iam, sts, control } = provider
  const session = await openSession(
    {
      target: {
        ...endpointAt(url, { token: 'operator-token' }),
        name: 'constant',
        dialect: 'vault',
        declared: facts,
        timeoutMs: 5000,
        maxRps: 0,
        maxWaitSeconds: 3600,
        patienceSeconds: 0.01,
        provides: {
          'key-shares': place.keyShares,
          'cluster-address': '127.0.0.1:1',
          clusters: [
            { name: 'second', ...place },
            { name: 'third', ...place },
          ],
          'plugin-files': [{ command: 'plugin.sh', sha256: '00'.repeat(32), type: 'secret', reads: 'status' }],
          provider: { iam, sts, control },
          environment: {},
        },
        secrets: [],
      },
      facts,
      runId: 'constant',
      seed: 1,
      ceiling: 'disruptive',
      jobs: 16,
      level: 'should',
      requirements,
      record: 'none',
      isThrownAway: true,
    },
    {
      environment: {},
      timer: {
        now: () => now,
        // The test does not wait: the clock jumps to the end of each wait.
        wait: async (ms) => {
          now += ms
        },
      },
    },
  )
  const queue = [...candidates]
  const lane = async (): Promise<void> => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      const { verdict, level, blocker } = await judge(one.topic, one.check, session)
      found.judged += 1
      if (verdict === 'pass') found.passes.push(`${level} ${one.address}`)
      if (blocker?.kind === 'suite') found.defects.push(`${one.address}: ${blocker.reason}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: 16 }, lane))
  } finally {
    await session.close()
  }
}

describe('a server that gives every request the same response passes no check', () => {
  for (const [index, [words, constant]] of Object.entries(answers).entries()) {
    test(words, async () => {
      answer = constant
      const found: Found = { passes: [], defects: [], judged: 0 }
      const some = [...groups].map(([facts, all]) => [facts, sampled(all, 20, 2 * index)] as const)
      for (const [facts, candidates] of some) await judgeAll(facts, candidates, found)
      expect(found).toEqual({ passes: [], defects: [], judged: some.flatMap(([, candidates]) => candidates).length })
      expect(found.judged).toBeGreaterThan(isWhole ? 2000 : 100)
    })
  }
})
