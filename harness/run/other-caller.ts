/** A token that the run makes for itself, with the policy that its checks need. A server may be wrong only for callers who may
 * not do everything, so some checks send with it what they would send with the token of the operator. */
import { callerName, callerSteps, callerStepsWith } from '../targets/touches.ts'
import { type AclRule, fieldOf, isSuccess, type Step } from '../vocabulary/index.ts'
import { mainCluster } from './clusters.ts'
import { isForeseen } from './outcome.ts'
import { CheckScope } from './scope.ts'
import type { Session } from './session.ts'
import { undoAll } from './taking-back.ts'

/** A caller for the requests of the operator. Its tokens are taken back when the session ends. */
class OtherCaller {
  readonly #session: Session
  readonly #scopes: CheckScope[] = []
  /** The tokens by cluster, each with the operator's that made it: a cluster that takes another one was wiped since. */
  readonly #made = new Map<string, { readonly by: string | undefined; readonly token: Promise<string | undefined> }>()
  #isOfRoot: Promise<boolean> | undefined
  /** The name of the policy on main. */
  #policy: string | undefined

  constructor(session: Session) {
    this.#session = session
  }

  /** Resolves with a token for a cluster. Undefined if the operator may not do everything either, or if it cannot be made. */
  tokenOn(cluster: string, isWiped = false): Promise<string | undefined> {
    const by = this.#session.operatorToken(cluster)
    // A cluster that took over what main had knows the tokens of main.
    const known = [cluster, mainCluster].map((one) => this.#made.get(one)).find((one) => one?.by === by)
    const token = known?.token ?? this.#tokenMadeOn(cluster, isWiped)
    this.#made.set(cluster, { by, token })
    return token
  }

  isUnknownTo(cluster: string): void {
    this.#made.delete(cluster)
  }

  async #tokenMadeOn(cluster: string, isWiped: boolean): Promise<string | undefined> {
    const { callerRules = [] } = this.#session.plan
    try {
      this.#isOfRoot ??= isRoot(this.#session)
      if (callerRules.length === 0 || !(await this.#isOfRoot)) return undefined
      const steps = this.#stepsOn(cluster, callerRules, isWiped)
      if (steps.length === 0) return undefined
      const scope = new CheckScope(this.#session, [callerName])
      this.#scopes.push(scope)
      for (const step of steps) await scope.perform(step, cluster)
      if (cluster === mainCluster) this.#policy = scope.value(callerName)
      return scope.value('token')
    } catch (error) {
      if (isForeseen(error)) return undefined
      throw error
    }
  }

  /** On a cluster that joined another one, a policy would be written for both, and taken back from one. So the caller has the
   * policy that came from main. */
  #stepsOn(cluster: string, rules: readonly AclRule[], isWiped: boolean): readonly Step[] {
    if (!isWiped) return callerSteps(rules)
    return cluster === mainCluster || this.#policy === undefined
      ? []
      : callerStepsWith(this.#policy, this.#session.dialect)
  }

  /** Revokes the tokens and deletes their policies. */
  async end(): Promise<void> {
    for (const { token } of this.#made.values()) await token
    for (const scope of this.#scopes) await undoAll(scope, this.#session)
  }
}

const made = new WeakMap<Session, OtherCaller>()

export function otherCallerOf(session: Session): OtherCaller {
  const known = made.get(session) ?? new OtherCaller(session)
  made.set(session, known)
  return known
}

export const endOtherCaller = async (session: Session): Promise<void> => made.get(session)?.end()

async function isRoot(session: Session): Promise<boolean> {
  const [lookup] = session.dialect.operations.lookupSelf?.({}).exchanges ?? []
  if (!lookup) return false
  const { reply } = await session.ask(mainCluster)({ method: lookup.method, path: lookup.path })
  const policies = reply && isSuccess(reply) ? fieldOf(reply, '/data/policies') : undefined
  return Array.isArray(policies) && policies.includes('root')
}
