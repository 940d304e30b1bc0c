/** Makes and destroys the secrets of entities. */
import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { refuse } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import type { Method, Secret } from '../store.ts'
import { otpauthUrl } from '../totp/otpauth.ts'
import { drawQrCode } from '../totp/qr-code.ts'
import { base32 } from '../totp/totp.ts'

/** Returns the name or the id of the method in a request, or an empty text if the request has neither. */
const methodKey = (call: Call, { variant }: Context): string =>
  variant === 'legacy' ? (call.params.name ?? '') : (textField(call.body, 'method_id') ?? '').toLowerCase()

function methodFor(call: Call, context: Context): Method {
  const key = methodKey(call, context)
  if (key === '') return refuse('missing method ID')
  return context.methods.find(key) ?? refuse(`there is no MFA method ${JSON.stringify(key)}`)
}

function entityInBody({ body }: Call, { services }: Context): string {
  const entity = textField(body, 'entity_id') ?? ''
  if (entity === '') return refuse('missing entity ID')
  return services.entities.find(entity) ? entity : refuse('invalid entity ID')
}

function entityOfCaller({ token }: Call, { services }: Context): string {
  const entity = token?.entityId ?? ''
  return services.entities.find(entity) ? entity : refuse('the token has no entity to keep a secret on')
}

/** Makes a secret for the entity of the caller. */
export const generate = (call: Call, context: Context): Promise<Reply> | Reply => {
  const method = methodFor(call, context)
  return secretFor(method, entityOfCaller(call, context), context)
}

/** Makes a secret for the entity in the body. */
export const adminGenerate = (call: Call, context: Context): Promise<Reply> | Reply => {
  const method = methodFor(call, context)
  return secretFor(method, entityInBody(call, context), context)
}

async function secretFor(method: Method, entity: string, context: Context): Promise<Reply> {
  const { secrets } = context
  if (secrets.find({ method: method.id, entity })) return present(context)
  const secret = make(method, entity, context)
  secrets.put(secret)
  try {
    return { kind: 'data', data: await shown(secret, context) }
  } catch (error) {
    // The caller never saw the secret, so it must not stay stored.
    if (secrets.find(secret) === secret) secrets.remove(secret)
    throw error
  }
}

export function present({ services }: Context): Reply {
  const message = 'Entity already has a secret for this MFA method: destroy it first'
  if (services.variation().secretPresent === 'refusal') refuse(message)
  return { kind: 'data', data: null, warnings: [message] }
}

export const make = ({ id, settings }: Method, entity: string, { services }: Context): Secret => ({
  ...{ method: id, entity, settings },
  key: services.random.bytes(settings.key_size).toString('base64'),
  ...{ used: [], failures: 0, failedAt: 0 },
})

export async function shown({ key, settings, entity }: Secret, { rules }: Context): Promise<object> {
  const url = otpauthUrl(settings, entity, base32(Buffer.from(key, 'base64')), rules.url)
  const picture = settings.qr_size === 0 ? Buffer.alloc(0) : await drawQrCode(url, settings.qr_size)
  return { barcode: picture.toString('base64'), url }
}

/** Destroys a secret. Destroying a secret that does not exist succeeds as well. */
export function destroy(call: Call, context: Context): Reply {
  const method = methodFor(call, context)
  context.secrets.remove({ method: method.id, entity: entityInBody(call, context) })
  return done
}
