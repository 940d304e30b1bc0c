/** Secrets on entities: making and destroying them. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { Refusal } from '../../../kernel/http/refusal.ts'
import { presentedToken } from '../../../kernel/http/request-context.ts'
import type { Desk } from '../context.ts'
import { otpauthUrl } from '../otpauth.ts'
import { drawQrCode } from '../qr-code.ts'
import type { Method, Secret } from '../store.ts'
import type { Deed } from '../tables.ts'
import { base32 } from '../totp.ts'

const done: Reply = { kind: 'empty' }
const refuse = (message: string): never => {
  throw new Refusal('bad-request', { message })
}

type Maker = Exclude<Deed, 'admin-destroy'>
interface Addressee {
  readonly entity: string
  /** The secret is kept. */
  readonly stored: boolean
}

/** Undefined where the request is to be answered without doing anything. */
function methodFor(deed: Deed, call: Call, { variant, methods, tables }: Desk): Method | undefined {
  const { missing, unknown, usable } = tables()
  const key = variant === 'legacy' ? (call.params.name ?? '') : (textField(call.body, 'method_id') ?? '').toLowerCase()
  if (key === '') return missing.method[deed] === 'ignored' ? undefined : refuse('missing method ID')
  const method = methods.all(usable).find((one) => one.key === key)
  if (method || unknown.method[deed] === 'ignored') return method
  return refuse(`there is no MFA method ${JSON.stringify(key)}`)
}

function entityInBody(deed: Exclude<Deed, 'generate'>, call: Call, { tables, services }: Desk): Addressee | undefined {
  const { missing, unknown } = tables()
  const entity = textField(call.body, 'entity_id') ?? ''
  if (entity === '') return missing.entity[deed] === 'ignored' ? undefined : refuse('missing entity ID')
  if (services.entities.find(entity)) return { entity, stored: true }
  return unknown.entity[deed] === 'unstored' ? { entity, stored: false } : refuse('invalid entity ID')
}

function entityOfCaller(call: Call, { tables, services }: Desk): Addressee {
  const { callers } = tables()
  const presented = presentedToken(call)
  if (!call.token && presented === undefined && callers.withoutToken === 'unstored')
    return { entity: '', stored: false }
  const token = call.token ?? assertToken(presented, call, services)
  if (services.entities.find(token.entityId)) return { entity: token.entityId, stored: true }
  return callers.withoutEntity === 'unstored'
    ? { entity: '', stored: false }
    : refuse('the token has no entity to keep a secret on')
}

/** What the pipeline asks of a token, for an endpoint that lets everybody in. */
function assertToken(presented: string | undefined, call: Call, { tokens, access }: Desk['services']) {
  const token = presented === undefined ? undefined : tokens.find(presented)
  const capability = call.verb === 'GET' ? 'read' : 'update'
  if (!token || !access.aclOf(token).check({ path: call.path, capability, parameters: call.body }).allowed)
    throw new Refusal('permission-denied')
  return token
}

export async function generate(deed: Maker, call: Call, desk: Desk): Promise<Reply> {
  const method = methodFor(deed, call, desk)
  const isOfBody = desk.tables().generatesFor === 'entity-in-body' && textField(call.body, 'entity_id') !== undefined
  const to = deed === 'generate' && !isOfBody ? entityOfCaller(call, desk) : entityInBody('admin-generate', call, desk)
  if (!method || !to) return done
  const { secret: rules } = desk.tables()
  const before = to.stored ? findPresent(deed, method, to.entity, desk) : undefined
  if (before && rules.present[deed] === 'kept') return present(desk)
  if (!before && rules.absent[deed] === 'nothing') return done
  if (!before && rules.absent[deed] === 'refused') refuse('no secret is made here')
  const secret = make(deed, method, to.entity, desk)
  if (to.stored) desk.secrets.put(secret)
  try {
    return { kind: 'data', data: await shown(secret, desk) }
  } catch (error) {
    // A secret that nobody was told is none.
    if (to.stored && desk.secrets.find(secret) === secret) desk.secrets.remove(secret)
    throw error
  }
}

const originOf = (deed: Maker, { tables }: Desk): string => (tables().secret.origins === 'apart' ? deed : '')

function findPresent(deed: Maker, method: Method, entity: string, desk: Desk): Secret | undefined {
  const own = desk.secrets.find({ method: method.id, entity, origin: originOf(deed, desk) })
  const { presentFor, presentOf } = desk.tables().secret
  if (!own && presentOf === 'any-method') return desk.secrets.filter((secret) => secret.entity === entity)[0]
  if (own || presentFor === 'own-entity') return own
  return desk.secrets.filter((secret) => secret.method === method.id)[0]
}

function present({ services }: Desk): Reply {
  const told = 'Entity already has a secret for this MFA method: destroy it first'
  if (services.manner().secretPresent === 'refusal') refuse(told)
  return { kind: 'data', data: null, warnings: [told] }
}

export function make(deed: Maker, method: Method, entity: string, desk: Desk): Secret {
  const { bytes, afterDestruction, settings: settingsOf } = desk.tables().secret
  const { id } = method
  const settings = settingsOf[deed](method)
  const place = { method: id, entity, origin: originOf(deed, desk) }
  const earlier = afterDestruction === 'earlier' ? desk.secrets.findDestroyed(place) : undefined
  const key = earlier?.key ?? desk.services.random.bytes(bytes(settings.key_size)).toString('base64')
  return { ...place, key, settings, madeAt: desk.services.clock.now(), used: [], failures: 0, failedAt: 0 }
}

async function shown({ key, settings, entity }: Secret, { tables, services }: Desk): Promise<object> {
  const rules = tables().url
  const bytes = Buffer.from(key, 'base64')
  const url = otpauthUrl(settings, entity, base32(bytes), rules)
  if (settings.qr_size === 0) return { barcode: '', url }
  const drawn =
    rules.qrSecret === 'same' ? url : otpauthUrl(settings, entity, base32(services.random.bytes(bytes.length)), rules)
  const picture = await drawQrCode(drawn, (modules) => rules.qrSize(settings.qr_size, modules))
  return { barcode: picture.toString('base64'), url }
}

/** What is not there is destroyed already. */
export function destroy(call: Call, desk: Desk): Reply {
  const { destruction } = desk.tables().secret
  const method = methodFor('admin-destroy', call, desk)
  const to = entityInBody('admin-destroy', call, desk)
  if (!method || !to || destruction.takes === 'nothing') return done
  const doomed = desk.secrets.filter(
    (secret) =>
      (destruction.methods === 'every' || secret.method === method.id) &&
      (destruction.entities === 'every' || secret.entity === to.entity),
  )
  for (const secret of doomed) desk.secrets.destroy(secret)
  return done
}
