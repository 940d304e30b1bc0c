/** Runs the example topic as the command line would, in a process of its own, and prints what came of it. */
import { fileURLToPath } from 'node:url'
import { endpointAt } from '../../wire/scripted-server.ts'
import { runSuites } from '../run-suites.ts'

interface Order {
  readonly url: string
  readonly checks: readonly string[]
  readonly file?: string
  readonly jobs?: number
  readonly adaptsJobs?: boolean
  readonly shard?: { readonly index: number; readonly of: number }
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order
const file = fileURLToPath(new URL(order.file ?? './example-topic.ts', import.meta.url))
const stop = new AbortController()
const live: string[] = []
process.on('SIGINT', () => stop.abort())

const outcome = await runSuites({
  topics: [{ id: 'policies/errors-example', file }],
  selected: order.checks.map((id) => `policies/errors-example/${id}`),
  plan: {
    target: {
      ...endpointAt(order.url, { token: 'operator-token-0001' }),
      name: 'example',
      dialect: 'vault',
      declared: {},
      timeoutMs: 5000,
      maxRps: 0,
      maxWaitSeconds: 0,
      patienceSeconds: 1,
      provides: {},
      secrets: ['operator-token-0001'],
    },
    facts: {},
    runId: 'example',
    seed: 1,
    ceiling: 'scoped',
    jobs: order.jobs ?? 4,
    adaptsJobs: order.adaptsJobs === true,
    level: 'should',
    requirements: [
      {
        id: 'policies.example.kept',
        area: 'policies',
        level: 'must',
        says: 'Things are kept.',
        source: { document: 1, section: 'Things', row: 'one' },
      },
    ],
  },
  ...(order.shard ? { shard: order.shard } : {}),
  onResult: ({ id }) => live.push(id),
  signal: stop.signal,
})
console.log(JSON.stringify({ ...outcome, live }))
