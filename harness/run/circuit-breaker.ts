/** A cluster that fails in the middle of a run would cost every further check its timeouts and retries. */
import { pathPattern, unnamed } from '../safety/path-pattern.ts'
import { isFailing } from '../wire/ask.ts'
import { bounds } from '../wire/bounds.ts'
import type { WireOutcome, WireRequest } from '../wire/client.ts'

type Request = Pick<WireRequest, 'method' | 'path' | 'once' | 'asked'>

interface Line {
  failures: number
  /** Different requests among the failures. */
  readonly requests: Set<string>
  readonly kinds: Map<string, number>
  asking: boolean
  open?: string
}

/** Counts, over all checks, the exchanges in a row that ended without a reply that could be judged: late, broken, garbled,
 * oversized, throttled, or without any connection. One breaker a cluster. It opens for good where the cluster does not
 * answer about its health either; a cluster that cuts off one request and serves all others answers. */
export class CircuitBreaker {
  readonly #lines = new Map<string, Line>()
  readonly #isHealthy: (cluster: string) => Promise<boolean>

  /** `isHealthy` asks a cluster for the cheapest reply that it has. */
  constructor(isHealthy: (cluster: string) => Promise<boolean>) {
    this.#isHealthy = isHealthy
  }

  /** Takes note of how an exchange ended. A request that is sent once whatever comes back may be one of many that wait
   * for a cluster to get ready: its failure tells nothing, its reply does. */
  async saw(cluster: string, request: Request, outcome: WireOutcome): Promise<void> {
    const line = this.#lineOf(cluster)
    if (!isFailing(outcome)) {
      if (outcome.reply) reset(line)
      return
    }
    if (request.once) return
    const kind = outcome.troubleKind ?? 'throttled'
    line.failures += 1
    line.requests.add(shapeOf(request))
    line.kinds.set(kind, (line.kinds.get(kind) ?? 0) + 1)
    if (line.failures < bounds.badInARow.value || line.asking || line.open !== undefined) return
    const isForGood =
      line.failures >= bounds.badInARowForGood.value && line.requests.size >= bounds.differentRequests.value
    if (!isForGood && (line.failures % bounds.badInARow.value !== 0 || (await this.#answers(cluster, line)))) return
    // Another check may have had a reply meanwhile.
    if (line.failures > 0) line.open = wordsOf(line, request, outcome)
  }

  /** Tells whether a cluster answers at all. */
  answers(cluster: string): Promise<boolean> {
    return this.#isHealthy(cluster)
  }

  /** One sentence, once the breaker of a cluster is open. */
  whyOpen(cluster: string): string | undefined {
    return this.#lines.get(cluster)?.open
  }

  async #answers(cluster: string, line: Line): Promise<boolean> {
    line.asking = true
    try {
      return await this.#isHealthy(cluster)
    } finally {
      line.asking = false
    }
  }

  #lineOf(cluster: string): Line {
    const known = this.#lines.get(cluster)
    if (known) return known
    const line: Line = { failures: 0, requests: new Set(), kinds: new Map(), asking: false }
    this.#lines.set(cluster, line)
    return line
  }
}

function reset(line: Line): void {
  line.failures = 0
  line.requests.clear()
  line.kinds.clear()
}

/** A request without what differs from check to check. */
const shapeOf = ({ method, path }: Request): string => `${method} ${unnamed(pathPattern(path))}`

const words: Readonly<Record<string, string>> = {
  unsent: 'without a connection',
  broken: 'broken off',
  'too-large': 'oversized',
  untrusted: 'not trusted',
}

function wordsOf({ failures, kinds }: Line, { asked, method, path }: Request, { trouble, reply }: WireOutcome): string {
  const counts = [...kinds].map(([kind, count]) => `${count} ${words[kind] ?? kind}`).join(', ')
  const last = `${asked ?? `${method} ${path}`}: ${trouble ?? `still ${reply?.status} after all retries`}`
  return `nothing more was sent, because ${failures} requests in a row got no reply that could be judged (${counts}), the last being ${last}`
}
