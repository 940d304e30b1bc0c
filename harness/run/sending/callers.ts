import type { CheckNames } from '../../safety/names.ts'
import { type Exchange, isDenied, isRefusal, type Reply } from '../../vocabulary/index.ts'
import { mainCluster } from '../clusters.ts'
import type { Session } from '../session.ts'

/** The tokens of a caller other than the operator. */
export interface TokensOfOther {
  /** `isWiped`: what was made there is gone, and what main has may have come there. */
  tokenOn(cluster: string, isWiped?: boolean): Promise<string | undefined>
  isUnknownTo(cluster: string): void
}

/** Who sends a request. */
export interface Caller {
  readonly token: string | undefined
  /** True if the other caller sends a request of the operator. */
  readonly isOther: boolean
}

/** Those who send the requests of one check: the operator, nobody, tokens that the check made, and principals of the
 * profile. */
export class Callers {
  readonly #session: Session
  readonly #names: CheckNames
  /** Sends the requests of the operator, if it is set. */
  other: TokensOfOther | undefined
  /** True if the other caller sent a request of the operator. */
  hasOtherCalled = false
  /** The tokens of the other caller by cluster. */
  readonly #others = new Map<string, string | undefined>()
  /** The clusters that served the other caller, or made it anew. */
  readonly #known = new Set<string>()

  constructor(session: Session, names: CheckNames) {
    this.#session = session
    this.#names = names
  }

  /** Returns who sends a request to a cluster. `token` is the token to send, if it is known already. */
  on(cluster: string, as: string, token?: string): Caller {
    const other = as === 'operator' ? this.#others.get(cluster) : undefined
    this.hasOtherCalled ||= other !== undefined
    return { token: token ?? other ?? this.tokenOf(as, cluster), isOther: other !== undefined }
  }

  /** Returns whether a caller has a token, or needs none. */
  knows(as: string): boolean {
    return as === 'nobody' || as === 'operator' || this.#names.has(as) || this.#principal(as) !== undefined
  }

  #principal(as: string): string | undefined {
    const { principals } = this.#session.plan.target.provides
    return (principals as Readonly<Record<string, { token?: string }>> | undefined)?.[as]?.token
  }

  tokenOf(as: string, cluster: string): string | undefined {
    if (as === 'nobody') return undefined
    if (as === 'operator') return this.#session.operatorToken(cluster)
    if (this.#names.has(as) || this.#names.isLost(as)) return this.#names.value(as)
    return this.#principal(as) ?? this.#names.value(as)
  }

  /** Returns whether a cluster refused a request because it does not know the other caller. A cluster that another check wiped
   * gets a new one. After a change of roles, the operator sends. Servers may deny with any status (readings of the documents,
   * 55). */
  async isUnknown({ as = 'operator', cluster = mainCluster }: Exchange, reply: Reply): Promise<boolean> {
    const other = as === 'operator' ? this.#others.get(cluster) : undefined
    if (other === undefined) return false
    const wasKnown = this.#known.has(cluster)
    this.#known.add(cluster)
    if (!isRefusal(reply) || (!isDenied(reply) && (await this.#isKnown(other, cluster)))) return false
    this.#others.set(cluster, undefined)
    this.other?.isUnknownTo(cluster)
    if (!wasKnown) await this.callAsOther(cluster)
    return true
  }

  async #isKnown(token: string, cluster: string): Promise<boolean> {
    const { dialect } = this.#session
    const [lookup] = dialect.operations.lookupSelf?.({}).exchanges ?? []
    if (!lookup) return true
    const headers = { [dialect.tokenHeader]: token }
    const { reply } = await this.#session.ask(cluster)({ method: lookup.method, path: lookup.path, headers })
    return reply === undefined || !isRefusal(reply)
  }

  /** Has the requests of the operator to a cluster sent by the other caller, as long as it knows that one. */
  async callAsOther(cluster: string, isWiped = false): Promise<void> {
    this.#others.set(cluster, await this.other?.tokenOn(cluster, isWiped))
  }

  /** Takes the token of the operator that a cluster has admitted. The other caller gets one there only if the check
   * judges that cluster, because making it takes requests. */
  async admitted(cluster: string, token: string, isJudged: boolean): Promise<void> {
    const isKnown = token === this.#session.operatorToken(cluster)
    this.#session.setOperatorToken(cluster, token)
    const isFirst = !this.#others.has(cluster)
    if (isJudged && (isFirst || !isKnown)) await this.callAsOther(cluster, !isFirst)
    else if (!isKnown) this.#others.set(cluster, undefined)
  }
}
