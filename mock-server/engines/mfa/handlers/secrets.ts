/** Makes and destroys the secrets of entities. */

import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { Refusal, refuse } from '../../../kernel/http/refusal.ts'
import { presentedToken } from '../../../kernel/http/request-context.ts'
import type { Context } from '../context.ts'
import type { Method, Secret } from '../store.ts'
import type { SecretOperation, SecretTables } from '../tables.ts'
import { otpauthUrl } from '../totp/otpauth.ts'
import { drawQrCode } from '../totp/qr-code.ts'
import { base32 } from '../totp/totp.ts'
import { othersWithin } from './methods.ts'

/** How long a mutant takes to store a secret, in milliseconds. */
const moment = 200

type GenerateOperation = Exclude<SecretOperation, 'admin-destroy'>
interface Addressee {
  readonly entity: string
  /** False if the secret is returned but not stored. */
  readonly stored: boolean
}

/** Returns the name or the id of the method in a request, or an empty text if the request has neither. */
export const methodKey = (call: Call, { variant, tables }: Context): string =>
  variant === 'legacy'
    ? tables().nameOf(call.params.name ?? '')
    : (textField(call.body, 'method_id') ?? '').toLowerCase()

/** Returns the method in the request. It is undefined only if a mutant accepts a request without a known method. */
function methodFor(operation: SecretOperation, call: Call, context: Context): Method | undefined {
  const { methods, tables } = context
  const { missing, unknown, usable } = tables()
  const key = methodKey(call, context)
  if (key === '') return missing.method[operation] === 'ignored' ? undefined : refuse('missing method ID')
  const all = methods.all(usable[operation])
  const method = all.find((one) => one.key === key) ?? (unknown.method[operation] === 'another' ? all[0] : undefined)
  if (method || unknown.method[operation] === 'ignored' || unknown.method[operation] === 'every') return method
  return refuse(`there is no MFA method ${JSON.stringify(key)}`)
}

function entityInBody(
  operation: Exclude<SecretOperation, 'generate'>,
  call: Call,
  { tables, services }: Context,
): Addressee | undefined {
  const { missing, unknown, actsOn } = tables()
  const given = textField(call.body, 'entity_id') ?? ''
  if (given === '') return missing.entity[operation] === 'ignored' ? undefined : refuse('missing entity ID')
  const entity = actsOn[operation] === 'entity-of-the-caller' ? call.token?.entityId || given : given
  if (services.entities.find(entity)) return { entity, stored: true }
  return unknown.entity[operation] === 'refused' ? refuse('invalid entity ID') : { entity, stored: false }
}

function entityOfCaller(call: Call, { tables, services }: Context): Addressee {
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

/** Checks the token and its policies, because the pipeline does not do so for an endpoint that anyone may call. */
function assertToken(presented: string | undefined, call: Call, { tokens, access }: Context['services']) {
  const token = presented === undefined ? undefined : tokens.find(presented)
  const capability = call.verb === 'GET' ? 'read' : 'update'
  if (!token || !access.aclOf(token).check({ path: call.path, capability, parameters: call.body }).allowed)
    throw new Refusal('permission-denied')
  return token
}

function addresseeOf(operation: GenerateOperation, call: Call, context: Context): Addressee | undefined {
  const isInBody = context.tables().generatesFor === 'entity-in-body' && textField(call.body, 'entity_id') !== undefined
  return operation === 'generate' && !isInBody
    ? entityOfCaller(call, context)
    : entityInBody('admin-generate', call, context)
}

/** The first reply of `generate` for each method. Only a mutant uses it. */
const firstReplies = new WeakMap<Method, Promise<Reply>>()

export function generate(operation: GenerateOperation, call: Call, context: Context): Reply | Promise<Reply> {
  const method = methodFor(operation, call, context)
  const to = addresseeOf(operation, call, context)
  if (!method || !to) return done
  if (operation !== 'generate' || context.tables().secret.given === 'to-its-caller')
    return secretFor(operation, method, to, context)
  const reply = firstReplies.get(method) ?? secretFor(operation, method, to, context)
  firstReplies.set(method, reply)
  return reply
}

async function secretFor(
  operation: GenerateOperation,
  method: Method,
  to: Addressee,
  context: Context,
): Promise<Reply> {
  const { secret: rules } = context.tables()
  const before = to.stored ? findPresent(operation, method, to.entity, context) : undefined
  const isChanged = rules.afterEntityChange === 'overwritten' && isOlderThanEntity(before, context)
  if (before && !isChanged && isKept(before, method, rules.present[operation])) {
    changeKept(before, operation, method, context)
    return present(context)
  }
  if (!before && rules.absent[operation] === 'nothing') return done
  if (!before && rules.absent[operation] === 'refused') refuse('no secret is made here')
  if (rules.stored === 'a-moment-later') await wait(moment)
  assertFirst(operation, method, to.entity, context)
  const secret = make(operation, method, to.entity, context)
  changeMethod(method, context)
  if (to.stored) store(secret, context)
  try {
    return { kind: 'data', data: await shown(secret, context) }
  } catch (error) {
    // The caller never saw the secret, so it must not stay stored.
    if (to.stored && context.secrets.find(secret) === secret) context.secrets.remove(secret)
    throw error
  }
}

/** Changes a secret although the reply says that it is kept. Only mutants do. */
function changeKept(secret: Secret, operation: GenerateOperation, method: Method, context: Context): void {
  const rule = context.tables().secret.present[operation]
  if (rule === 'dropped') context.secrets.destroy(secret)
  if (rule === 'replaced') store(make(operation, method, secret.entity, context), context)
}

/** Changes a method of which a secret is made. Only a mutant does. */
function changeMethod(method: Method, { methods, tables }: Context): void {
  if (tables().secret.methodAfterwards === 'kept') return
  methods.put({ ...method, settings: { ...method.settings, digits: 6 } })
}

/** Refuses to generate a secret if the last one that was destroyed was generated as well. Only a mutant does. */
function assertFirst(operation: GenerateOperation, method: Method, entity: string, context: Context): void {
  if (operation !== 'generate' || context.tables().secret.generatedAgain === 'made') return
  const owner = { method: method.id, entity, origin: originOf(operation, context) }
  if (context.secrets.findDestroyed(owner)?.by === operation)
    refuse('the entity has generated a secret for this MFA method already')
}

function store(secret: Secret, { secrets, tables }: Context): void {
  const held = secrets.filter(({ entity }) => entity === secret.entity)
  const [oldest] = held
  if (oldest && held.length >= tables().secret.most) secrets.destroy(oldest)
  secrets.put(secret)
}

const isOutdated = (secret: Secret, method: Method): boolean => !isDeepStrictEqual(secret.settings, method.settings)
const isKept = (secret: Secret, method: Method, rule: SecretTables['present'][GenerateOperation]): boolean =>
  rule === 'kept' ||
  rule === 'dropped' ||
  rule === 'replaced' ||
  (rule === 'kept-until-updated' && !isOutdated(secret, method))

/** Tells whether the entity was changed after it was made, and after the secret was. */
function isOlderThanEntity(secret: Secret | undefined, { services }: Context): boolean {
  const entity = services.entities.find(secret?.entity ?? '')
  return entity !== undefined && entity.updatedAt > entity.createdAt && entity.updatedAt >= (secret?.madeAt ?? 0)
}

/** Destroys the secrets of an entity that logs in. Only a mutant does. */
export function destroyAtLogin(entity: string, { secrets, tables }: Context): void {
  if (tables().secret.afterLogin === 'kept') return
  for (const secret of secrets.filter((one) => one.entity === entity)) secrets.destroy(secret)
}

const originOf = (operation: GenerateOperation, { tables }: Context): string =>
  tables().secret.origins === 'apart' ? operation : ''

function findPresent(
  operation: GenerateOperation,
  method: Method,
  entity: string,
  context: Context,
): Secret | undefined {
  const own = context.secrets.find({ method: method.id, entity, origin: originOf(operation, context) })
  const { presentFor, presentOf } = context.tables().secret
  if (!own && presentOf === 'any-method') return context.secrets.filter((secret) => secret.entity === entity)[0]
  if (own || presentFor === 'own-entity') return own
  return context.secrets.filter((secret) => secret.method === method.id)[0]
}

function present({ services }: Context): Reply {
  const message = 'Entity already has a secret for this MFA method: destroy it first'
  if (services.variation().secretPresent === 'refusal') refuse(message)
  return { kind: 'data', data: null, warnings: [message] }
}

export function make(operation: GenerateOperation, method: Method, entity: string, context: Context): Secret {
  const { bytes, afterDestruction, settings: settingsOf } = context.tables().secret
  const { id } = method
  const settings = settingsOf[operation](method)
  const owner = { method: id, entity, origin: originOf(operation, context) }
  const earlier = afterDestruction === 'earlier' ? context.secrets.findDestroyed(owner) : undefined
  const key = earlier?.key ?? context.services.random.bytes(bytes(settings.key_size)).toString('base64')
  return {
    ...owner,
    by: operation,
    key,
    settings,
    madeAt: context.services.clock.now(),
    used: [],
    failures: 0,
    failedAt: 0,
  }
}

async function shown({ key, settings, entity }: Secret, { tables, services }: Context): Promise<object> {
  const rules = tables().url
  const bytes = Buffer.from(key, 'base64')
  const url = otpauthUrl(settings, entity, base32(bytes), rules)
  if (settings.qr_size === 0) return { barcode: '', url }
  const inCode = rules.qrSecret === 'same' ? bytes : services.random.bytes(bytes.length)
  const drawn = otpauthUrl(rules.qrSettings(settings), entity, base32(inCode), rules)
  const picture = await drawQrCode(drawn, (modules) => rules.qrSize(settings.qr_size, modules))
  return { barcode: picture.toString('base64'), url }
}

/** Destroys all secrets of an entity. Only a mutant does. */
function destroyAll({ secrets }: Context, to: Addressee): Reply {
  for (const secret of secrets.filter(({ entity }) => entity === to.entity)) secrets.destroy(secret)
  return done
}

/** Destroys a secret. Destroying a secret that does not exist succeeds as well. */
export function destroy(call: Call, context: Context): Reply {
  const { secret: rules, unknown, reach } = context.tables()
  const { destruction } = rules
  const method = methodFor('admin-destroy', call, context)
  const to = entityInBody('admin-destroy', call, context)
  const isOfEvery = unknown.method['admin-destroy'] === 'every' && methodKey(call, context) !== ''
  if (!to || destruction.takes === 'nothing') return done
  if (!method) return isOfEvery ? destroyAll(context, to) : done
  const isForEvery = destruction.entities === 'every' || !to.stored
  const reached = [method, ...othersWithin(reach.destruction, method, context.methods)].map(({ id }) => id)
  const affected = context.secrets.filter(
    (secret) =>
      (destruction.methods === 'every' || reached.includes(secret.method)) &&
      (isForEvery || secret.entity === to.entity),
  )
  const methods = new Set(context.secrets.filter(({ entity }) => entity === to.entity).map((one) => one.method)).size
  const newest = context.secrets.filter((secret) => secret.method === method.id).at(-1)
  for (const secret of affected)
    if (destruction.reaches({ methods, isOutdated: isOutdated(secret, method), isNewest: secret === newest }))
      context.secrets.destroy(secret)
  return done
}
