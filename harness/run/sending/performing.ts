import { defined } from '../../vocabulary/defined.ts'
import {
  DoesNotApply,
  type Exchange,
  isSuccess,
  isUnserved,
  type Operation,
  performanceOf,
  type Scope,
  type Step,
  StepFailed,
  stepRefused,
} from '../../vocabulary/index.ts'
import { mainCluster } from '../clusters.ts'

/** Performs a step of a check. `cluster`: where the exchanges of an operation go. */
export async function performStep(step: Step, scope: Scope, cluster?: string): Promise<void> {
  if (step.kind === 'action') return step.run(scope)
  if (step.kind === 'operation') return operate(step, scope, cluster)
  const reply = await scope.send(step)
  if (!isSuccess(reply)) throw stepRefused(reply)
  for (const name of Object.keys(step.saves ?? {})) if (!step.mayLack?.includes(name)) scope.value(name)
}

async function operate(step: Operation, scope: Scope, cluster?: string): Promise<void> {
  const { dialect } = scope
  const performance = performanceOf(dialect.operations, step)
  if (!performance) throw new StepFailed('dialect-lacks', { dialect: dialect.id, operation: step.operation })
  for (const [name, value] of Object.entries(performance.values ?? {}))
    scope.save(name, scope.fill(value), { secret: performance.secrets?.includes(name) ?? false })
  for (const exchange of performance.exchanges) {
    const { ifKnown, unlessKnown } = exchange
    if (ifKnown !== undefined && !scope.has(ifKnown)) continue
    if (unlessKnown !== undefined && scope.has(unlessKnown)) continue
    await performStep(onCluster(exchange, cluster), scope).catch(throwUnserved)
  }
}

const onCluster = (exchange: Exchange, cluster = mainCluster): Exchange =>
  cluster === mainCluster
    ? exchange
    : { ...exchange, cluster, ...defined({ orUndo: exchange.orUndo?.map((one) => ({ ...one, cluster })) }) }

/** Throws `DoesNotApply` if the target does not serve a path of an operation: such paths are not in the documents, so a
 * target need not serve them (readings, 56). */
function throwUnserved(error: unknown): never {
  if (!(error instanceof StepFailed) || !isUnserved({ status: error.reply?.status ?? 0 })) throw error
  throw DoesNotApply.ofStep(
    error,
    ({ message }) => `${message}: the documents do not describe this path, and the target does not serve it`,
  )
}
