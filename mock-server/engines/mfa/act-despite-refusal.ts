/** What a request about secrets does although it is refused: nothing, but under one fault. */
import type { Call, Reply } from '../../kernel/contracts.ts'
import { textField } from '../../kernel/http/body-fields.ts'
import { presentedToken } from '../../kernel/http/request-context.ts'
import type { Desk } from './context.ts'
import { make } from './handlers/secrets.ts'
import type { Deed } from './tables.ts'

type Run<D extends Deed> = (deed: D, call: Call, desk: Desk) => Reply | Promise<Reply>

export async function orRefuse<D extends Deed>(deed: D, call: Call, desk: Desk, run: Run<D>): Promise<Reply> {
  try {
    return await run(deed, call, desk)
  } catch (refusal) {
    if (desk.tables().refusedDeed === 'done') actAllTheSame(deed, call, desk)
    throw refusal
  }
}

/** A method or an entity that is not named, or not there, is every one: one of the two must be known, so that the requests of
 * others stay as they are. */
function actAllTheSame(deed: Deed, call: Call, desk: Desk): void {
  const { variant, methods, secrets, services, tables } = desk
  const key = variant === 'legacy' ? (call.params.name ?? '') : (textField(call.body, 'method_id') ?? '').toLowerCase()
  const presented = presentedToken(call)
  const caller = presented === undefined ? undefined : services.tokens.find(presented)?.entityId
  const entityId = deed === 'generate' ? caller : textField(call.body, 'entity_id')
  const usable = methods.all(tables().usable)
  const named = usable.filter((method) => method.key === key)
  const meant = services.entities.all().filter(({ id }) => id === entityId)
  if (named.length === 0 && meant.length === 0) return
  for (const method of named.length > 0 ? named : usable)
    for (const { id: entity } of meant.length > 0 ? meant : services.entities.all()) {
      const present = secrets.filter((one) => one.method === method.id && one.entity === entity)
      if (deed === 'admin-destroy') for (const secret of present) secrets.destroy(secret)
      else if (present.length === 0) secrets.put(make(deed, method, entity, desk))
    }
}
