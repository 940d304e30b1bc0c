/** A token that the run makes for itself, with the policy that its checks need. A server may be wrong only for callers who may
 * not do everything, so some checks send with it what they would send with the token of the operator. */
import { callerName, callerSteps } from '../targets/touches.ts'
import { fieldOf, isSuccess, StepFailed } from '../vocabulary/index.ts'
import { mainCluster } from './clusters.ts'
import { isForeseen } from './outcome.ts'
import { CheckScope } from './scope.ts'
import type { Session } from './session.ts'
import { undoAll } from './taking-back.ts'

interface OtherCaller {
  readonly scope: CheckScope
  readonly token: Promise<string | undefined>
}

const made = new WeakMap<Session, OtherCaller>()

/** Resolves with the token. Undefined if the operator may not do everything either, or if it cannot be made. */
export function otherCallerOf(session: Session): Promise<string | undefined> {
  const known = made.get(session)
  if (known) return known.token
  const scope = new CheckScope(session, [callerName])
  const token = tokenMadeIn(scope, session)
  made.set(session, { scope, token })
  return token
}

async function tokenMadeIn(scope: CheckScope, session: Session): Promise<string | undefined> {
  const { callerRules = [] } = session.plan
  if (callerRules.length === 0 || !(await isRoot(session))) return undefined
  try {
    for (const step of callerSteps(callerRules)) await scope.perform(step)
    return scope.value('token')
  } catch (error) {
    if (error instanceof StepFailed || (error instanceof Error && isForeseen(error))) return undefined
    throw error
  }
}

async function isRoot(session: Session): Promise<boolean> {
  const [lookup] = session.dialect.operations.lookupSelf?.({}).exchanges ?? []
  if (!lookup) return false
  const { reply } = await session.ask(mainCluster)({ method: lookup.method, path: lookup.path })
  const policies = reply && isSuccess(reply) ? fieldOf(reply, '/data/policies') : undefined
  return Array.isArray(policies) && policies.includes('root')
}

/** Revokes the token and deletes its policy. */
export async function endOtherCaller(session: Session): Promise<void> {
  const known = made.get(session)
  if (!known) return
  await known.token
  await undoAll(known.scope, session)
}
