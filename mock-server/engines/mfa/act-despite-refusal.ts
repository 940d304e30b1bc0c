/** A refused request about secrets does nothing, unless a mutant is loaded. */
import type { Call, Reply } from '../../kernel/contracts.ts'
import { textField } from '../../kernel/http/body-fields.ts'
import { presentedToken } from '../../kernel/http/request-context.ts'
import type { Context } from './context.ts'
import { make, methodKey } from './handlers/secrets.ts'
import type { Method } from './store.ts'
import type { SecretOperation } from './tables.ts'

type Handler<D extends SecretOperation> = (operation: D, call: Call, context: Context) => Reply | Promise<Reply>

export async function orRefuse<D extends SecretOperation>(
  operation: D,
  call: Call,
  context: Context,
  handle: Handler<D>,
): Promise<Reply> {
  try {
    return await handle(operation, call, context)
  } catch (refusal) {
    if (context.tables().refusedOperation === 'done') actAllTheSame(operation, call, context)
    throw refusal
  }
}

/** A request without a known method acts on every method, and one without a known entity acts on every entity. At least
 * one of the two must be known, so that the secrets of other tests are not affected. */
function actAllTheSame(operation: SecretOperation, call: Call, context: Context): void {
  const { methods, services, tables } = context
  const key = methodKey(call, context)
  const entityId = operation === 'generate' ? callersEntity(call, context) : textField(call.body, 'entity_id')
  const usable = methods.all(tables().usable[operation])
  const named = usable.filter((method) => method.key === key)
  const meant = services.entities.all().filter(({ id }) => id === entityId)
  if (named.length === 0 && meant.length === 0) return
  for (const method of named.length > 0 ? named : usable)
    for (const { id: entity } of meant.length > 0 ? meant : services.entities.all())
      act(operation, method, entity, context)
}

function callersEntity(call: Call, { services }: Context): string | undefined {
  const presented = presentedToken(call)
  return presented === undefined ? undefined : services.tokens.find(presented)?.entityId
}

function act(operation: SecretOperation, method: Method, entity: string, context: Context): void {
  const { secrets } = context
  const present = secrets.filter((one) => one.method === method.id && one.entity === entity)
  if (operation === 'admin-destroy') for (const secret of present) secrets.destroy(secret)
  else if (present.length === 0) secrets.put(make(operation, method, entity, context))
}
