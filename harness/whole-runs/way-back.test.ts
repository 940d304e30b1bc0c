/** Servers whose clusters cannot leave replication: at most one cluster is left in its role, and it is reported. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { differences } from '../../suites/differences/index.ts'
import { requirements, topics } from '../../suites/index.ts'
import { jumpingTimer } from '../differences/jumping-timer.ts'
import { differingClient, type Opening } from '../differences/player.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { newestReference, type ReferenceServer, referenceTarget, startReference } from '../targets/mock.ts'
import { toldOnce } from '../verdict/told-once.ts'
import { addressOf, type CheckResult, type WireAnswer } from '../vocabulary/index.ts'

let server: ReferenceServer
beforeAll(async () => {
  server = await startReference({ clusters: 2 })
})
afterEach(() => server.reset())
afterAll(() => server.close())

const all = topics.flatMap(({ topic }) =>
  topic.checks.map((check) => ({ topic, check, address: addressOf(topic, check) })),
)
const promotionOf = (kind: string) => `${kind}-replication/transitions-secondary/promote-makes-a-primary`
const rolesOf = (kind: string) => [
  `${kind}-replication/transitions/secondary-enable-makes-a-secondary`,
  promotionOf(kind),
  `${kind}-replication/transitions-primary/demote-makes-a-secondary`,
  `${kind}-replication/transitions/primary-enable-makes-a-primary`,
]
const apart = 'policies/fields/acl-name-comes-from-the-url'

async function judged(addresses: readonly string[], open: Opening): Promise<readonly CheckResult[]> {
  const target = { ...referenceTarget(server), patienceSeconds: 2 }
  const timer = jumpingTimer()
  const session = await openSession(
    {
      target,
      facts: { edition: 'premium', version: await newestReference(), features: server.features },
      ...{ runId: 'back', seed: 1, ceiling: 'disruptive', jobs: 1, level: 'should', requirements, record: 'none' },
    },
    { timer, between: (client) => differingClient(client, open, timer) },
  )
  try {
    const results: CheckResult[] = []
    for (const address of addresses) {
      const found = all.find((one) => one.address === address)
      if (!found) throw new Error(`no check ${address}`)
      results.push(await judge(found.topic, found.check, session))
    }
    return results
  } finally {
    await session.close()
  }
}

const refusal = (status: number): WireAnswer => ({ status, headers: {}, body: Buffer.from('{"errors":["refused"]}') })

/** Makes a server that refuses requests by their path below the prefix of the API. */
const refusing =
  (paths: RegExp, status = 400): Opening =>
  () =>
  async (sent, pass) =>
    sent.method !== 'GET' && paths.test(sent.path) ? refusal(status) : pass(sent)

/** Makes a server that returns no one-time password for an attempt, and rejects PGP keys. */
const withoutDecoding: Opening = () => async (sent, pass) => {
  if (sent.method !== 'POST' || !sent.path.endsWith('generate-operation-token/attempt')) return pass(sent)
  if (sent.body?.includes('pgp_key')) return refusal(400)
  const answer = await pass(sent)
  return { ...answer, body: Buffer.from(Buffer.from(answer.body).toString().replaceAll('"otp"', '"none"')) }
}

/** Makes a server that confirms that an attempt is cancelled, and continues it. */
const uncancellable: Opening = () => async (sent, pass) =>
  sent.method === 'DELETE' && sent.path.endsWith('generate-operation-token/attempt')
    ? { status: 204, headers: {}, body: Buffer.alloc(0) }
    : pass(sent)

/** Makes a server whose DR secondaries show another status. */
const showing =
  (change: (answer: WireAnswer, text: string) => WireAnswer): Opening =>
  () =>
  async (sent, pass) => {
    const answer = await pass(sent)
    const text = Buffer.from(answer.body).toString()
    return sent.path.endsWith('dr/status') && /"mode": ?"secondary"/.test(text) ? change(answer, text) : answer
  }
const retold = (from: string, to: string) =>
  showing((answer, text) => ({ ...answer, body: Buffer.from(text.replace(from, to)) }))

async function modes(): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  const urls = { main: server.url, second: server.peers[0]?.server.url }
  for (const [cluster, url] of Object.entries(urls))
    for (const kind of ['dr', 'performance']) {
      const reply = await fetch(`${url}/v1/sys/replication/${kind}/status`)
      const { data } = (await reply.json()) as { data: { mode: string } }
      if (data.mode !== 'disabled') found[`${cluster} ${kind}`] = data.mode
    }
  return found
}

const ends = (results: readonly CheckResult[]) =>
  results.map(({ verdict, blocker }) => (blocker ? `${verdict} ${blocker.code}` : verdict))

describe('a cluster that cannot be restored', () => {
  test.each<[string, string, Opening, string]>([
    ['a ceremony without password and key', 'dr', withoutDecoding, 'cannot be started with a PGP key'],
    [
      'a ceremony that is refused for every token',
      'dr',
      refusing(/generate-operation-token/, 403),
      'cannot be started',
    ],
    [
      'refused requests to end a role',
      'performance',
      refusing(/secondary\/(disable|promote)$/),
      'disable answered status 400',
    ],
  ])('is the only one that gets a role: %s', async (_, kind, open, why) => {
    const other = kind === 'dr' ? 'performance' : 'dr'
    const results = await judged([...rolesOf(kind), ...rolesOf(other), apart], open)
    expect(ends(results)).toEqual([...Array(8).fill('not-verified no-way-back'), 'pass'])
    expect(await modes()).toEqual({ [`second ${kind}`]: 'secondary' })
    const [first] = results
    expect(first?.blocker?.reason).toContain(`the cluster second (${server.peers[0]?.server.url}) is still a`)
    expect(first?.blocker?.reason).toContain(why)
    expect(first?.blocker?.reason).toMatch(/; by hand: /)
    expect(new Set(results.slice(0, 8).map(({ blocker }) => blocker?.reason)).size).toBe(1)
  })
})

describe('a cluster that can be restored', () => {
  test.each([
    ['makes a refused promotion a fail', 'dr', 'promote', 'fail'],
    ['makes a refused promotion a fail', 'performance', 'promote', 'fail'],
    ['is promoted if it cannot be disabled', 'dr', 'disable', 'pass'],
    ['is promoted if it cannot be disabled', 'performance', 'disable', 'pass'],
  ])('%s: %s', async (_, kind, trigger, verdict) => {
    const open = refusing(new RegExp(`secondary/${trigger}$`))
    expect(ends(await judged([promotionOf(kind)], open))).toEqual([verdict])
    expect(await modes()).toEqual({})
  })

  test.each<[string, Opening]>([
    ['attempts cannot be cancelled', uncancellable],
    ['the status of a secondary is shown to nobody', showing(() => refusal(403))],
    ['the status of a secondary says primary', retold('"secondary"', '"primary"')],
    ['the status of a secondary has no mode', retold('"mode"', '"other"')],
  ])('is restored although %s', async (_, open) => {
    expect(ends(await judged([promotionOf('dr')], open))).not.toContain('not-verified no-way-back')
    expect(await modes()).toEqual({})
  })

  test.each<[string, Opening, string]>([
    ['hidden', showing(() => refusal(403)), 'dr-replication/access/status-of-a-secondary-needs-no-token'],
    ['another', retold('"secondary"', '"primary"'), 'dr-replication/transitions/secondary-enable-makes-a-secondary'],
  ])('has one cause, on which checks that wait for the role rest: the mode is %s', async (_, open, reporter) => {
    const results = toldOnce(await judged([reporter, promotionOf('dr')], open), requirements)
    expect(ends(results)).toEqual(['fail', 'not-verified rests-on'])
    expect(results[1]?.blocker?.facts).toMatchObject({ check: reporter })
  })

  test.each(['ceremony-with-client-token', 'ceremony-without-otp'])('is restored under %s', async (id) => {
    const open = differences.find((one) => one.id === id)?.open
    expect(open && ends(await judged([promotionOf('dr')], open))).toEqual(['pass'])
    expect(await modes()).toEqual({})
  })
})
