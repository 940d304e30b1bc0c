/** Runs the example topic as the command line would, and prints the outcome. Tests start it as a child process. */
import { fileURLToPath } from 'node:url'
import { createRedactor } from '../../redaction/redaction.ts'
import { endpointAt } from '../../wire/scripted-server.ts'
import { runSuites } from '../run-suites.ts'

interface Order {
  readonly url: string
  readonly checks: readonly string[]
  readonly file?: string
  readonly jobs?: number
  readonly adaptsJobs?: boolean
  /** If given, each worker opens its own target, and `left` is left behind there. If `left` is `null`, the inventory
   * fails. */
  readonly own?: { readonly left: readonly string[] | null }
  /** Adds the topic of another file. */
  readonly isWithQuick?: boolean
  readonly shard?: { readonly index: number; readonly of: number }
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order
const file = fileURLToPath(new URL(order.file ?? './example-topic.ts', import.meta.url))
const quick = order.isWithQuick
  ? [{ id: 'policies/errors-quick', file: fileURLToPath(new URL('./quick-topic.ts', import.meta.url)) }]
  : []
const stop = new AbortController()
const live: string[] = []
process.on('SIGINT', () => stop.abort())

const target = {
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
} as const
const redactor = createRedactor(target.secrets)
const outcome = await runSuites({
  topics: [{ id: 'policies/errors-example', file }, ...quick],
  selected: [...order.checks.map((id) => `policies/errors-example/${id}`), ...quick.map(({ id }) => `${id}/quick`)],
  plan: {
    // A worker with its own target must not send requests to this one.
    target: order.own ? { ...target, url: 'http://127.0.0.1:1' } : target,
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
  ...(order.own
    ? {
        own: {
          module: new URL('./open-example.ts', import.meta.url).href,
          order: { target, ...order.own },
          workers: 2,
        },
      }
    : {}),
  ...(order.shard ? { shard: order.shard } : {}),
  onEvent: (event) => event.event === 'judged' && live.push(event.id),
  redactor,
  signal: stop.signal,
})
console.log(JSON.stringify({ ...outcome, live, secrets: redactor.values() }))
