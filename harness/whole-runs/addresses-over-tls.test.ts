/** Addresses in the API are judged even on targets that use TLS, although no forwarder has their certificate. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requirements, topics } from '../../suites/index.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { newestReference, type ReferenceServer, referenceTarget, startReference } from '../targets/mock.ts'
import { selfSigned } from '../wire/self-signed.test-bed.ts'

const own = selfSigned('server')
let server: ReferenceServer
beforeAll(async () => {
  server = await startReference({ clusters: 3, tls: own })
})
afterAll(() => server.close())

async function judged(check: string) {
  const target = referenceTarget(server)
  const tls = { insecure: false, ca: own.cert }
  const clusters = (target.provides.clusters as readonly object[]).map((cluster) => ({ ...cluster, tls }))
  const session = await openSession({
    target: { ...target, tls, patienceSeconds: 2, provides: { ...target.provides, clusters } },
    facts: { edition: 'premium', version: await newestReference(), features: server.features },
    ...{ runId: 'tls', seed: 1, ceiling: 'disruptive', jobs: 1, level: 'should', requirements, record: 'none' },
    isThrownAway: true,
  })
  try {
    for (const { topic } of topics)
      for (const one of topic.checks) if (`${topic.id}/${one.id}` === check) return await judge(topic, one, session)
    throw new Error(`no check ${check}`)
  } finally {
    await session.close()
  }
}

const check = 'performance-replication/fields-addresses/secondary-enable-unwraps-at-the-address-given'

test('a server that connects to the address passes, although it does not trust the server there', async () => {
  expect((await judged(check)).verdict).toBe('pass')
})

test('a server that ignores the address does not pass', async () => {
  server.loadMutants(['performance-replication/secondary-enable-ignores-api-addr'])
  expect((await judged(check)).blocker?.reason).toMatch(/secondary\/enable answered 400/)
})
