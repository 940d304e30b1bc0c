/** Runs the example topic as the command line would. As a program it prints the outcome. */
import { fileURLToPath } from 'node:url'
import { createRedactor } from '../../redaction/redaction.ts'
import { endpointAt } from '../../wire/scripted-server.ts'
import { runSuites, type SuiteOutcome } from '../run-suites.ts'

export interface Order {
  readonly url: string
  readonly checks: readonly string[]
  readonly file?: string
  readonly jobs?: number
  readonly adaptsJobs?: boolean
  /** If given, the worker opens its own target, and `left` is left behind there. If `left` is `null`, the inventory
   * fails. */
  readonly own?: { readonly left: readonly string[] | null; readonly workers?: number }
  /** Adds the topic of another file, before the others if it is `first`. */
  readonly isWithQuick?: boolean | 'first'
  readonly shard?: { readonly index: number; readonly of: number }
}

export interface Outcome extends SuiteOutcome {
  /** The checks that were told, in order. */
  readonly live: readonly string[]
  readonly secrets: readonly string[]
}

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const targetAt = (url: string) => ({
  ...endpointAt(url, { token: 'operator-token-0001' }),
  name: 'example',
  dialect: 'vault',
  declared: {},
  timeoutMs: 5000,
  maxRps: 0,
  maxWaitSeconds: 0,
  patienceSeconds: 1,
  provides: {},
  secrets: ['operator-token-0001'],
})

export async function runExample(order: Order, signal = new AbortController().signal): Promise<Outcome> {
  const file = fileOf(order.file ?? './example-topic.ts')
  const quick = order.isWithQuick ? [{ id: 'cloud/errors-quick', file: fileOf('./quick-topic.ts') }] : []
  const example = { id: 'policies/errors-example', file }
  const live: string[] = []
  const target = targetAt(order.url)
  const redactor = createRedactor(target.secrets)
  const outcome = await runSuites({
    topics: order.isWithQuick === 'first' ? [...quick, example] : [example, ...quick],
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
            workers: order.own.workers ?? 1,
          },
        }
      : {}),
    ...(order.shard ? { shard: order.shard } : {}),
    onEvent: (event) => event.event === 'judged' && live.push(event.id),
    redactor,
    signal,
  })
  return { ...outcome, live, secrets: redactor.values() }
}

if (import.meta.main) console.log(JSON.stringify(await runExample(JSON.parse(process.argv[2] ?? '{}'))))
