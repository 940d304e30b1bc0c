/** A documented step that is refused although its condition was just read as met contradicts the row of that step, and
 * is reported once (readings of the documents, 73). */
import { afterEach, expect, test } from 'vitest'
import { requirements, topics } from '../../suites/index.ts'
import { differingClient, type Opening } from '../differences/player.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { newestReference, type ReferenceServer, referenceTarget, startReference } from '../targets/mock.ts'
import { toldOnce } from '../verdict/told-once.ts'
import { addressOf, type CheckResult, type WireAnswer } from '../vocabulary/index.ts'
import { realTimer } from '../wire/timer.ts'

let servers: ReferenceServer[] = []
afterEach(async () => {
  for (const server of servers) await server.close()
  servers = []
})

const refusal = (status: number, error: string): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ errors: [error] })),
})

const modeIn = ({ body }: WireAnswer): string => {
  const { data = {} } = JSON.parse(Buffer.from(body).toString() || '{}') as { data?: { mode?: string } }
  return data.mode ?? 'disabled'
}

/** Judges checks while the wire plays this server, and returns its status of performance replication, too. */
async function judged(open: Opening, wanted: readonly string[]) {
  const server = await startReference({ edition: 'premium', control: true, clusters: 2, testKeys: true })
  servers.push(server)
  const session = await openSession(
    {
      target: { ...referenceTarget(server), patienceSeconds: 1, immediateSeconds: 0.3 },
      facts: { edition: 'premium', version: await newestReference(), features: server.features },
      ...{ runId: 'steps', seed: 1, ceiling: 'disruptive', jobs: 1, level: 'should', requirements },
    },
    { settle: server.settle, between: (client) => differingClient(client, open, realTimer) },
  )
  const results: CheckResult[] = []
  try {
    for (const { topic } of topics)
      for (const check of topic.checks)
        if (wanted.includes(addressOf(topic, check))) results.push(await judge(topic, check, session))
  } finally {
    await session.close()
  }
  const roles = await Promise.all(
    [server, ...server.peers.map((peer) => peer.server)].map(async ({ url }) => {
      const reply = await fetch(`${url}/v1/sys/replication/performance/status`)
      return ((await reply.json()) as { data: { mode: string } }).data.mode
    }),
  )
  return { results: toldOnce(results, requirements), roles }
}

const seen = ({ verdict, mismatches, blocker }: CheckResult) => [verdict, mismatches[0]?.requirement ?? blocker?.code]

test('the status of a secondary that wants a token', async () => {
  const wantsToken: Opening = () => async (sent, pass) => {
    const answer = await pass(sent)
    const isBare = sent.headers['x-vault-token'] === undefined
    const isStatus = /performance\/status$/.test(sent.path)
    return isStatus && isBare && modeIn(answer) === 'secondary' ? refusal(403, 'permission denied') : answer
  }
  const { results, roles } = await judged(wantsToken, [
    'performance-replication/transitions-filters/allow-includes-what-it-lists-only',
    'performance-replication/transitions-filters/allow-includes-each-of-what-it-lists',
    'performance-replication/transitions/secondary-enable-makes-a-secondary',
  ])
  expect(results.map(seen).filter(([verdict]) => verdict === 'fail')).toEqual([
    ['fail', 'performance-replication.status.unauthenticated'],
  ])
  expect(results.map(({ blocker }) => blocker?.code)).toContain('rests-on')
  expect(roles).toEqual(['disabled', 'disabled'])
})

test('primary/enable of one kind that is refused because of the other', async () => {
  const oneKindOnly: Opening = () => async (sent, pass) => {
    if (!/dr\/primary\/enable$/.test(sent.path)) return pass(sent)
    const status = await pass({
      ...sent,
      method: 'GET',
      path: sent.path.replace('dr/primary/enable', 'performance/status'),
    })
    return modeIn(status) === 'primary' ? refusal(400, 'performance replication is enabled') : pass(sent)
  }
  const wanted = topics
    .flatMap(({ topic }) => topic.checks.map((check) => addressOf(topic, check)))
    .filter((address) => /-replication\/.*leaves-(performance|dr)-replication-alone$/.test(address))
  const { results } = await judged(oneKindOnly, wanted)
  const found = results.map(seen)
  expect(found.filter(([verdict]) => verdict === 'fail')).toEqual([
    ['fail', 'dr-replication.primary-enable.makes-primary'],
  ])
  expect(found.filter(([verdict]) => verdict === 'not-verified').length).toBeGreaterThan(0)
})

test('a revocation that does not find a certificate that was just issued', async () => {
  const forgetful: Opening = () => async (sent, pass) =>
    /\/revoke$/.test(sent.path) ? refusal(400, 'certificate not found') : pass(sent)
  const { results } = await judged(forgetful, [
    'pki/transitions-revocation/disabled-crl-is-empty-as-der',
    'pki/transitions-revocation/disabled-crl-is-signed',
  ])
  const [first, second] = results.map(seen)
  expect(first).toEqual(['fail', 'pki.state.revoke.revoked'])
  expect(second).toEqual(['not-verified', 'rests-on'])
})
