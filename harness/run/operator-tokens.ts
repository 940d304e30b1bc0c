/** The operator's tokens on the clusters of a session. */
import type { Redactor } from '../redaction/redaction.ts'
import type { ClusterAccess, Dialect } from '../vocabulary/index.ts'
import { type Ask, asOperator } from '../wire/ask.ts'
import type { Stopping } from '../wire/stop-signals.ts'
import type { Timer } from '../wire/timer.ts'
import { type ClusterClients, clusterAccess } from './clusters.ts'
import type { SessionPlan } from './session-plan.ts'

interface TokenParts {
  readonly target: SessionPlan['target']
  readonly dialect: Dialect
  readonly clients: ClusterClients
  readonly redactor: Redactor
  readonly timer: Timer
  readonly stopping: Stopping
}

/** The operator's tokens on the clusters. A cluster that is wiped or joins another one needs a new token. */
export class OperatorTokens {
  readonly #parts: TokenParts
  /** The token that was found last, by cluster. */
  readonly #found = new Map<string, string>()
  /** The cluster of each root token that was made with key shares. */
  readonly #made = new Map<string, string>()
  /** The key shares that last worked, by cluster. */
  readonly #fitting = new Map<string, readonly string[]>()

  constructor(parts: TokenParts) {
    this.#parts = parts
  }

  /** Returns the token that was found last, else the profile's. */
  on(cluster: string): string | undefined {
    return this.#found.get(cluster) ?? this.#parts.clients.on(cluster).endpoint.token
  }

  set(cluster: string, token: string): void {
    this.#parts.redactor.learn(token, 'token')
    this.#found.set(cluster, token)
  }

  ask(cluster: string): Ask {
    const { clients, dialect } = this.#parts
    return asOperator(clients.on(cluster), dialect, () => this.on(cluster))
  }

  /** Sends questions, and looks for another token if the cluster denies one: a cluster that was wiped no longer knows
   * the old token. */
  askAnew(cluster: string): Ask {
    const ask = this.ask(cluster)
    return async (question) => {
      const outcome = await ask(question)
      if (outcome.reply?.status !== 403) return outcome
      const found = await this.#parts.dialect.admission?.(this.accessTo(cluster))
      if (!found || 'blocked' in found || found.token === this.on(cluster)) return outcome
      this.set(cluster, found.token)
      return ask(question)
    }
  }

  /** Returns what the code of a dialect can use on a cluster. */
  accessTo(cluster: string): ClusterAccess {
    const { clients, redactor, ...rest } = this.#parts
    return clusterAccess(cluster, {
      ...{ ...rest, client: clients.on(cluster) },
      found: [this.#found.get(cluster), ...this.#found.values()],
      learn: (secret) => redactor.learn(secret, 'token'),
      made: (token) => void this.#made.set(token, cluster),
      fitting: this.#fitting.get(cluster),
      fitted: (shares) => void this.#fitting.set(cluster, shares),
    })
  }

  /** Revokes the root tokens that were made with key shares. After a revocation without a reply, nothing more is sent
   * to that cluster. */
  async revokeMade(): Promise<void> {
    const [revocation] = this.#parts.dialect.operations.revokeSelf?.({}).exchanges ?? []
    if (!revocation) return
    const gone = new Set<string>()
    for (const [token, cluster] of this.#made)
      if (!gone.has(cluster) && !(await this.accessTo(cluster).send(revocation, token))) gone.add(cluster)
    this.#made.clear()
  }
}
