/** The operator's tokens on the clusters of a session. A cluster that is wiped, or that joins another, needs a new one. */
import type { Redactor } from '../safety/redaction.ts'
import type { ClusterAccess, Dialect } from '../vocabulary/index.ts'
import { type Ask, asOperator } from '../wire/ask.ts'
import type { Stopping } from '../wire/stop-signals.ts'
import type { Timer } from '../wire/timer.ts'
import type { ClusterClients } from './cluster-clients.ts'
import { clusterAccess } from './clusters.ts'
import type { SessionPlan } from './session-plan.ts'

interface Parts {
  readonly target: SessionPlan['target']
  readonly dialect: Dialect
  readonly clients: ClusterClients
  readonly redactor: Redactor
  readonly timer: Timer
  readonly stopping: Stopping
}

export class OperatorTokens {
  readonly #parts: Parts
  /** The token found last, by cluster. */
  readonly #found = new Map<string, string>()
  /** The cluster of each token that key shares made. */
  readonly #made = new Map<string, string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The one found last, else the profile's. */
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

  /** Looks for another token where the cluster denies this one: a cluster that was wiped knows it no more. */
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
    })
  }

  /** Root tokens that key shares made end with the run, unless a wipe has ended them. */
  async revokeMade(): Promise<void> {
    const [revocation] = this.#parts.dialect.operations.revokeSelf?.({}).exchanges ?? []
    if (!revocation) return
    const gone = new Set<string>()
    for (const [token, cluster] of this.#made)
      if (!gone.has(cluster) && !(await this.accessTo(cluster).send(revocation, token))) gone.add(cluster)
    this.#made.clear()
  }
}
