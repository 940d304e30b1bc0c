import { afterAll, beforeAll, expect, test } from 'vitest'
import { differences } from '../../suites/differences/index.ts'
import { requirements, topics } from '../../suites/index.ts'
import { jumpingTimer } from '../differences/jumping-timer.ts'
import { differingClient } from '../differences/player.ts'
import { newestReference, type ReferenceServer, referenceTarget, startReference } from '../targets/mock.ts'
import { addressOf, type DifferentServer, type WireSent } from '../vocabulary/index.ts'
import { judge } from './judge.ts'
import { openSession } from './session.ts'

let server: ReferenceServer
beforeAll(async () => {
  server = await startReference()
})
afterAll(() => server.close())

const versioned = 'plugin-catalog/transitions/each-version-is-read-by-itself'
const apart = 'policies/fields/acl-name-comes-from-the-url'

/** Judges both checks behind a gateway, and returns their ends and what was sent. */
async function judgedBehind(gateway: DifferentServer) {
  const timer = jumpingTimer()
  const sent: WireSent[] = []
  const session = await openSession(
    {
      ...{ target: referenceTarget(server), runId: 'queries', seed: 1, ceiling: 'scoped', jobs: 1, level: 'should' },
      facts: { edition: 'premium', version: await newestReference(), features: server.features },
      ...{ requirements, record: 'none' },
    },
    {
      timer,
      between: (client) =>
        differingClient(
          client,
          () => (request, pass) => {
            sent.push(request)
            return gateway(request, pass)
          },
          timer,
        ),
    },
  )
  const ends: string[] = []
  const all = topics.flatMap(({ topic }) => topic.checks.map((check) => ({ topic, check })))
  for (const address of [versioned, versioned, apart]) {
    const found = all.find(({ topic, check }) => addressOf(topic, check) === address)
    if (!found) throw new Error(`there is no check ${address}`)
    const { verdict, blocker } = await judge(found.topic, found.check, session)
    ends.push(blocker ? `${verdict} ${blocker.code}` : verdict)
  }
  await session.close()
  return { ends, sent }
}

test('behind a gateway that drops query strings, a check that needs one sends nothing and is not verified', async () => {
  const open = differences.find(({ id }) => id === 'gateway-drops-queries')?.open
  if (!open) throw new Error('there is no such legal difference')
  const { ends, sent } = await judgedBehind(open({ now: () => 0, wait: async () => {} }))
  expect(ends).toEqual([...Array(2).fill('not-verified query-strings-lost'), 'pass'])
  expect(sent.filter(({ path }) => path.includes('plugins'))).toEqual([])
  expect(sent.filter(({ path }) => path.endsWith('sys/health'))).toHaveLength(1)
})

test('a health reply that keeps its status is no loss where the help text comes as its query string says', async () => {
  const { ends, sent } = await judgedBehind(async (request, pass) => {
    const { path, query } = request
    if (query.help === '1') return { status: 200, headers: {}, body: Buffer.from('{"help":"built-in to Some"}') }
    return pass(path.endsWith('sys/health') ? { ...request, query: {} } : request)
  })
  expect(ends).toEqual(Array(3).fill('pass'))
  expect(sent.filter(({ query }) => query.help === '1')).toHaveLength(1)
})
