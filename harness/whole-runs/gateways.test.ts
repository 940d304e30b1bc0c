/** Gateways in front of a correct server. What they do to a request is told once, as one cause that names who answered,
 * and the server is judged as it is without them (readings of the documents, 72 and 75). `npm test` judges one of four of
 * the checks of lists. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paths, requirements, topics } from '../../suites/index.ts'
import { assay } from '../commands/child.test-bed.ts'
import { type Front, type FrontAnswer, type FrontReply, pageOf, withFront } from '../commands/front.test-bed.ts'
import { sampleResult } from '../commands/output/sample-results.test-bed.ts'
import { candidatesOf } from '../mutation/judged-server.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { knownFacts, knownFeatures } from '../targets/features.ts'
import { newestReference, type ReferenceServer, referenceTarget, startReference } from '../targets/mock.ts'
import { sampled } from '../tools/prove/sampled.test-bed.ts'
import type { CheckResult, ResultDocument } from '../vocabulary/index.ts'

let server: ReferenceServer
/** What the checks of lists have without a gateway. */
let direct: readonly CheckResult[]
beforeAll(async () => {
  server = await startReference({ edition: 'premium', control: true, seed: 1, testKeys: true })
  direct = await judgedBehind(() => undefined)
})
afterAll(() => server.close())

async function judgedBehind(front: Front): Promise<readonly CheckResult[]> {
  return withFront(server.url, front, async (url) => {
    const session = await openSession({
      target: { ...referenceTarget(server), url, patienceSeconds: 1 },
      facts: knownFacts({ ...{ edition: 'premium', version: await newestReference(), forms: server.forms }, features }),
      ...{ runId: 'gateway', seed: 1, jobs: 8, level: 'should', ceiling: 'scoped', requirements },
    })
    // The probe of a run decides first how lists are requested.
    await session.ask('main')({ method: 'LIST', path: 'sys/policies/acl' })
    try {
      return await Promise.all(withLists.map(({ topic, check }) => judge(topic, check, session)))
    } finally {
      await session.close()
    }
  })
}

const features = Object.fromEntries(knownFeatures.map((name) => [name, 'served' as const]))
const ofMethod = /lists-are-served-by-the-method-list$/
const ofLists = /^(policies|pki|mfa-identity|cloud|plugin-catalog)\/transitions[^/]*\/.*(list|role-is-|roles-are-)/
const all = candidatesOf(topics.map(({ topic }) => topic))
const withLists = [
  ...all.filter(({ address }) => ofMethod.test(address)),
  ...sampled(
    all.filter(({ address }) => ofLists.test(address) && !ofMethod.test(address)),
    8,
  ),
]

const toList =
  (answer: FrontAnswer): Front =>
  (asked) =>
    asked.startsWith('LIST ') ? answer : undefined

describe('a gateway that does not serve the method LIST', () => {
  const shapes: Readonly<Record<string, { readonly front: Front; readonly says: RegExp }>> = {
    ...Object.fromEntries(
      [400, 403, 404, 405, 501].map((status) => [
        `answers ${status} with a page`,
        { front: toList(pageOf(status)), says: new RegExp(`answers ${status} from nginx, with a page`) },
      ]),
    ),
    'answers 200 with a page': { front: toList(pageOf(200)), says: /answers 200 from nginx, with a page/ },
    'answers 405 in the envelope of the server': {
      front: toList([405, 'unsupported operation']),
      says: /answers 405 unsupported operation from the target itself/,
    },
    'cuts the connection': { front: toList('cut'), says: /cuts the connection/ },
    'turns it into GET': {
      front: (asked) => (asked.startsWith('LIST ') ? { method: 'GET' } : undefined),
      says: /`LIST` answers .* from the target itself, and GET/,
    },
  }
  test.each(sampled(Object.entries(shapes), 6, 1))(
    '%s: one cause, and every other list is judged',
    async (_, { front, says }) => {
      const checks = await judgedBehind(front)
      const own = checks.filter(({ id }) => ofMethod.test(id))
      expect(own.map(({ verdict }) => verdict)).toEqual(['fail', 'fail', 'fail', 'fail', 'fail'])
      const others = checks.filter((check) => !own.includes(check))
      const verdicts = (some: readonly CheckResult[]) => some.map(({ id, verdict }) => `${id}: ${verdict}`)
      expect(verdicts(others)).toEqual(verdicts(direct.filter(({ id }) => !ofMethod.test(id))))
      expect(direct.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(10)
      const { causes } = sampleResult({ checks: own, paths })
      expect(causes.map(({ says, checks: { length } }) => [says, length])).toEqual([[expect.stringMatching(says), 5]])
    },
  )
})

describe('a run behind a gateway', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-gateways-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const some =
    'policies/transitions/egp-*,policies/fields/acl-long-*,policies/errors/rgp-*,policies/access/acl-update-*'

  async function runBehind(front: Front): Promise<ResultDocument> {
    const out = mkdtempSync(join(folder, 'out-'))
    return withFront(server.url, front, async (url) => {
      const args = ['run', '--target', url, '--out', out, '--format', 'json', '--check', some]
      await assay(args, { ASSAY_TOKEN: server.rootToken })
      return JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as ResultDocument
    })
  }

  test('that replaces each refusal has one cause, which names the gateway', async () => {
    const replaced = (reply: FrontReply) => (reply.status >= 400 ? pageOf(reply.status) : reply)
    const { counts, causes } = await runBehind(() => ({ back: replaced }))
    expect([counts.fail, counts.warn, counts.error]).toEqual([0, 0, 0])
    const undecided = causes.filter(({ verdict }) => verdict === 'not-verified')
    expect(undecided.map(({ mend }) => mend)).toEqual([expect.stringContaining('let nginx pass its replies on')])
  })

  test('that stores the replies to GET accuses the target of nothing, and has one cause', async () => {
    const stored = new Map<string, FrontReply>()
    const front: Front = (asked) => {
      if (!asked.startsWith('GET ')) return undefined
      const keep = (reply: FrontReply) => {
        stored.set(asked, reply)
        return reply
      }
      return stored.get(asked) ?? { back: keep }
    }
    const { counts, causes, leftBehind } = await runBehind(front)
    expect([counts.fail, counts.warn, counts.error, leftBehind.length]).toEqual([0, 0, 0, 0])
    const undecided = causes.filter(({ verdict }) => verdict === 'not-verified')
    expect(undecided.map(({ mend }) => mend)).toEqual([expect.stringContaining('a cache in front of the target')])
  })

  test('that compresses replies, and strips and adds headers, has the verdict of the target', async () => {
    const compressed = ({ status, headers, body }: FrontReply): FrontReply => ({
      status,
      headers: {
        'content-type': headers['content-type'],
        'content-encoding': 'gzip',
        server: 'nginx',
        via: '1.1 proxy',
      },
      body: gzipSync(body),
    })
    const { verdict } = await runBehind(() => ({
      back: (reply) => (reply.body.length > 0 ? compressed(reply) : reply),
    }))
    expect(verdict.word).toBe('conformant')
  })

  test('that puts a token of its own in place of each hinders only checks with other callers', async () => {
    const front: Front = (_asked, _body, headers) => ({ headers: { ...headers, 'x-vault-token': server.rootToken } })
    const { counts, causes, leftBehind, verdict } = await runBehind(front)
    expect([counts.fail, counts.warn, counts.error, leftBehind.length]).toEqual([0, 0, 0, 0])
    expect(counts.pass).toBeGreaterThan(10)
    const undecided = causes.filter(({ verdict }) => verdict === 'not-verified')
    expect(undecided.map(({ mend }) => mend)).toEqual(['judge the target at its own address'])
    expect(verdict.exitCode).toBe(3)
  })

  test.each([
    ['cluster', { cluster_id: 'another' }],
    ['version', { version: '9.9.9' }],
  ])('that leads to another %s in the middle is warned of', async (kind, shown) => {
    let asked = 0
    const moved = ({ body, ...rest }: FrontReply): FrontReply => {
      const health = JSON.parse(body.toString())
      return { ...rest, body: Buffer.from(JSON.stringify({ ...health, ...shown })) }
    }
    const { counts, findings } = await runBehind((request) => {
      if (request.startsWith('GET /v1/sys/health')) return asked > 200 ? { back: moved } : undefined
      asked += 1
      return undefined
    })
    expect([counts.fail, counts.warn, counts.error]).toEqual([0, 0, 0])
    expect(findings.map(({ code }) => code)).toContain(`other-${kind}`)
  })

  test.each([403, 200])(
    'that answers %i to DELETE, with a page, has one cause, and nothing is left behind',
    async (status) => {
      const before = server.inventory()
      const { counts, causes, leftBehind } = await runBehind((asked) =>
        asked.startsWith('DELETE ') ? pageOf(status) : undefined,
      )
      expect(server.inventory()).toEqual(before)
      expect([counts.fail, counts.warn, counts.error, leftBehind.length]).toEqual([0, 0, 0, 0])
      const undecided = causes.filter(({ verdict }) => verdict === 'not-verified')
      expect(undecided.map(({ mend }) => mend)).toEqual([expect.stringContaining('let nginx pass its replies on')])
    },
  )

  test('that answers DELETE only where there is something to delete, hinders no check', async () => {
    const { counts } = await runBehind((asked) =>
      asked.startsWith('DELETE ') ? { back: (reply) => (reply.status === 404 ? pageOf(404) : reply) } : undefined,
    )
    expect(counts['not-verified']).toBe(0)
  })

  test('that limits bodies has one cause for what is too large', async () => {
    const { counts, causes } = await runBehind((_asked, body) => (body.length > 200 ? pageOf(413) : undefined))
    expect(counts.fail + counts.warn + counts.error).toBe(0)
    expect(causes.filter(({ verdict }) => verdict === 'not-verified')).toHaveLength(1)
  })
})
