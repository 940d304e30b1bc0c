/** Gateways in front of a correct server. What they do to a request is told once, as one cause that names who answered,
 * and the server is judged as it is without them (readings of the documents, 72 and 75). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paths, requirements, topics } from '../suites/index.ts'
import { type Front, type FrontAnswer, pageOf, withFront } from './commands/front.test-bed.ts'
import { sampleResult } from './commands/sample-results.test-bed.ts'
import { candidatesOf } from './mutation/judged-server.ts'
import { judge } from './run/judge.ts'
import { openSession } from './run/session.ts'
import { knownFacts, knownFeatures } from './targets/features.ts'
import { newestReference, type ReferenceServer, referenceTarget, startReference } from './targets/mock.ts'
import type { CheckResult } from './vocabulary/index.ts'

let server: ReferenceServer
/** What the checks of lists have without a gateway. */
let direct: readonly CheckResult[]
beforeAll(async () => {
  server = await startReference({ edition: 'premium', control: true, seed: 1 })
  direct = await judgedBehind(() => undefined, withLists)
})
afterAll(() => server.close())

async function judgedBehind(front: Front, addresses: RegExp): Promise<readonly CheckResult[]> {
  return withFront(server.url, front, async (url) => {
    const session = await openSession({
      target: { ...referenceTarget(server), url, patienceSeconds: 1 },
      facts: knownFacts({ ...{ edition: 'premium', version: await newestReference(), forms: server.forms }, features }),
      ...{ runId: 'gateway', seed: 1, jobs: 8, level: 'should', ceiling: 'scoped', requirements },
    })
    const own = candidatesOf(topics.map(({ topic }) => topic)).filter(({ address }) => addresses.test(address))
    // The probe of a run decides first how lists are requested.
    await session.ask('main')({ method: 'LIST', path: 'sys/policies/acl' })
    try {
      return await Promise.all(own.map(({ topic, check }) => judge(topic, check, session)))
    } finally {
      await session.close()
    }
  })
}

const features = Object.fromEntries(knownFeatures.map((name) => [name, 'served' as const]))
const ofMethod = /lists-are-served-by-the-method-list$/
const withLists = /^(policies|pki|mfa-identity|cloud|plugin-catalog)\/transitions[^/]*\/.*(list|role-is-|roles-are-)/

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
  test.each(Object.entries(shapes))('%s: one cause, and every other list is judged', async (_, { front, says }) => {
    const checks = await judgedBehind(front, withLists)
    const own = checks.filter(({ id }) => ofMethod.test(id))
    expect(own.map(({ verdict }) => verdict)).toEqual(['fail', 'fail', 'fail', 'fail', 'fail'])
    const others = checks.filter((check) => !own.includes(check))
    const verdicts = (some: readonly CheckResult[]) => some.map(({ id, verdict }) => `${id}: ${verdict}`)
    expect(verdicts(others)).toEqual(verdicts(direct.filter(({ id }) => !ofMethod.test(id))))
    expect(direct.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(30)
    const { causes } = sampleResult({ checks: own, paths })
    expect(causes.map(({ says, checks: { length } }) => [says, length])).toEqual([[expect.stringMatching(says), 5]])
  })
})
