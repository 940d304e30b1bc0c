/** Defines, reads, lists and deletes methods. */
import { isDeepStrictEqual } from 'node:util'
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { badRequest, Refusal, refuse } from '../../../kernel/http/refusal.ts'
import { droppingOthers } from '../../../kernel/lost-writes.ts'
import type { Context } from '../context.ts'
import { type Field, type Method, Methods, type Settings } from '../store.ts'
import type { FieldRule, FieldRules, Reach, Traits } from '../tables.ts'

/** Returns the name, or the id in lower case, by which the URL names a method. */
export const keyIn = ({ params }: Pick<Call, 'params'>, { tables }: Context): string =>
  params.name === undefined ? (params.id ?? '').toLowerCase() : tables().nameOf(params.name)

type Body = Call['body']
interface Settled {
  readonly settings: Settings
  /** The values of the fields that are valid. */
  readonly valid: Partial<Settings>
  /** The refusal for the first rule that was broken. */
  readonly refusal: Refusal | undefined
}

/** Reads every field by its rule. If there is a refusal, `settings` still has the values of the request, because
 * mutants store them. */
function settle(body: Body, fields: FieldRules): Settled {
  let refusal: Refusal | undefined
  const wrong: Field[] = []
  const settleField = <Name extends Field>(name: Name, none: Settings[Name]): Settings[Name] => {
    const { absent, read, fits, wanted, misfit, given }: FieldRule<Settings[Name]> = fields[name]
    const standard = absent === 'refused' ? none : absent.value
    const value = read(body, name)
    if (value === undefined) {
      if (absent === 'refused') refusal ??= badRequest(`${name} must be set`)
      return standard
    }
    if (fits(value)) return given === 'kept' ? value : standard
    if (misfit === 'default') return standard
    wrong.push(name)
    refusal ??= badRequest(`${name} is ${JSON.stringify(value)}; expected ${wanted}`)
    return value
  }
  const settings: Settings = {
    issuer: settleField('issuer', ''),
    period: settleField('period', 0),
    key_size: settleField('key_size', 0),
    qr_size: settleField('qr_size', 0),
    algorithm: settleField('algorithm', ''),
    digits: settleField('digits', 0),
    skew: settleField('skew', 0),
    max_validation_attempts: settleField('max_validation_attempts', 0),
  }
  const valid = Object.fromEntries(Object.entries(settings).filter(([name]) => !wrong.includes(name as Field)))
  return { settings, valid, refusal }
}

function put(key: string, id: string, body: Body, context: Context): void {
  const { methods } = context
  const { fields, refusedWrite, deletedSettings, answers } = context.tables()
  const before = methods.find(key)
  const deleted = deletedSettings === 'completing' ? methods.findDeleted(key)?.settings : undefined
  const { settings, valid, refusal } = settle({ ...deleted, ...body }, fields)
  if (refusal && refusedWrite === 'issuer-stored') putIssuer(before, settings.issuer, methods)
  if (refusal && refusedWrite === 'others-stored' && before)
    methods.put({ ...before, settings: { ...before.settings, ...valid, issuer: before.settings.issuer } })
  if (refusal && refusedWrite !== 'stored') throw refusal
  if (before) replace(before, settings, context)
  else methods.put({ id, key, settings, first: settings })
  if (refusal) throw refusal
  if (before && answers.update === 'refused') refuse(`method ${key} was not changed`)
}

const isDefault = (value: unknown, { absent }: Pick<FieldRule<unknown>, 'absent'>): boolean =>
  absent !== 'refused' && absent.value === value

function replace(method: Method, settings: Settings, context: Context): void {
  const { methods, secrets, tables } = context
  const { fields, update, updateInUse, updateKeeps, reach } = tables()
  const unchanged = (Object.keys(fields) as Field[]).filter((name) => isDefault(settings[name], fields[name]))
  const keeping = update === 'except-by-defaults' ? unchanged : updateKeeps
  const kept = Object.fromEntries(keeping.map((name) => [name, method.settings[name]]))
  if (tables().secret.afterUpdate === 'destroyed') destroySecretsOf(method, secrets)
  const counts = update !== 'kept' && !(update === 'replaced-once' && traitsOf(method, context).isUpdated)
  if (counts && (updateInUse === 'replaced' || !traitsOf(method, context).isInUse))
    methods.put({ ...method, settings: { ...settings, ...kept } })
  for (const other of othersWithin(reach.update, method, methods)) methods.put({ ...other, settings })
}

function putIssuer(method: Method | undefined, issuer: string, methods: Context['methods']): void {
  if (method && issuer !== '') methods.put({ ...method, settings: { ...method.settings, issuer } })
}

const isLonger = (text: string, beginning: string): boolean =>
  text.startsWith(beginning) && text.length > beginning.length

/** Returns the other methods that a request about a method affects. Only mutants affect any. */
export function othersWithin(reach: Reach, { key, settings }: Method, methods: Context['methods']): readonly Method[] {
  if (reach === 'own') return []
  return methods
    .all(['defined'])
    .filter((other) =>
      reach === 'longer-names' ? isLonger(other.key, key) : isLonger(other.settings.issuer, settings.issuer),
    )
}

/** Writes a method, perhaps while another one is written. */
export function amongOthers(
  call: Call,
  context: Context,
  writing: (call: Call, context: Context) => Reply,
): Reply | Promise<Reply> {
  if (context.tables().simultaneous === 'stored') return writing(call, context)
  return droppingOthers(
    context.methods,
    () => writing(call, context),
    // The reply is that of a server which has stored the method.
    () => writing(call, { ...context, methods: new Methods() }),
  )
}

/** Defines a method under the name in the URL. */
export function define(call: Call, context: Context): Reply {
  put(context.tables().writes(keyIn(call, context), call.body.name), context.services.mint.uuid(), call.body, context)
  return done
}

/** Creates a method under an id that the server chooses. */
export function create(call: Call, context: Context): Reply {
  const id = context.tables().newId(context.services.random.uuid())
  put(id, id, call.body, context)
  return { kind: 'data', data: { method_id: id } }
}

/** Updates the method of the id in the URL, or creates it under that id. */
export function putById(call: Call, context: Context): Reply {
  const id = context.tables().writes(keyIn(call, context), call.body.id)
  if (!context.tables().isId(id)) refuse(`${JSON.stringify(id)} is not a UUID`)
  const known = context.methods.find(id) !== undefined
  put(id, id, call.body, context)
  return known ? done : { kind: 'data', data: { method_id: id } }
}

export function read(call: Call, context: Context): Reply {
  const { find, readable } = context.tables()
  const method = find(context.methods.all(readable), keyIn(call, context))
  if (!method) throw new Refusal('not-found')
  return { kind: 'data', data: view(method, context) }
}

function view({ id, key, settings }: Method, { variant, tables, services, secrets }: Context): object {
  const shown = Object.keys(tables().fields) as Field[]
  const seconds = services.variation().period === 'seconds'
  return {
    type: 'totp',
    id,
    name: variant === 'legacy' ? key : '',
    ...Object.fromEntries(
      shown.map((name) => [name, name === 'period' && !seconds ? `${settings.period}s` : settings[name]]),
    ),
    issuer: tables().shownIssuer(settings.issuer),
    ...(tables().shownSecrets === 'all'
      ? { secrets: secrets.filter(({ method }) => method === id).map((one) => one.key) }
      : {}),
    ...(variant === 'identity' ? placeOf(services) : {}),
  }
}

/** Returns the fields of a reply that name the namespace. */
export const placeOf = ({ namespaces: { here } }: Context['services']): object => ({
  namespace_id: here.id,
  namespace_path: here.path,
})

/** Each trait is computed when it is read, because most lists need none. */
const traitsOf = (method: Method, { methods, secrets, enforcements }: Context): Traits => ({
  get isDeleted() {
    return methods.find(method.key) === undefined
  },
  get isUpdated() {
    return !isDeepStrictEqual(method.settings, method.first)
  },
  get hasSecrets() {
    return secrets.areKnownOf(method.id)
  },
  get isInUse() {
    return enforcements.all(['defined']).some(({ methodIds }) => methodIds.includes(method.id))
  },
  get isUndeleted() {
    return methods.isUndeleted(method)
  },
})

/** Returns the methods of this namespace, and how each is shown. */
function listedHere(context: Context): readonly (readonly [id: string, shown: object])[] {
  const { listed, omitted, named } = context.tables()
  const shown = context.methods.all(listed).filter((method) => !omitted(traitsOf(method, context)))
  const byIssuer = Map.groupBy(shown, ({ settings }) => settings.issuer)
  return [...byIssuer.values()].flatMap(named).map((method) => [method.key, view(method, context)])
}

/** Returns the deleted methods of this namespace. Only a mutant lists them below. */
const deletedHere = (context: Context) =>
  context.methods.all(['deleted']).map((method) => [method.key, view(method, context)] as const)

/** Returns the methods that LIST in the namespaces below shows as well: those of this namespace and of the ones above
 * it. */
export const listedBelow = (context: Context) => [
  ...context.methodsAbove(),
  ...(context.tables().listedBelow === 'none' ? [] : listedHere(context)),
  ...(context.tables().listedBelow === 'all-and-deleted' ? deletedHere(context) : []),
]

/** Returns the methods of the namespaces directly below. Only a mutant lists them here. */
const listedInside = ({ services: { namespaces } }: Context) =>
  namespaces.all().flatMap(({ name }) => namespaces.servicesOf(name)?.extensions.methodsBelow?.() ?? [])

export function list(context: Context): Reply {
  const inside = context.tables().listedFrom === 'here' ? [] : listedInside(context)
  const all = new Map([...inside, ...listedHere(context), ...context.methodsAbove()])
  const methods = [...all].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    kind: 'data',
    data: {
      keys: [...methods.map(([key]) => key), ...context.tables().strangers],
      ...(methods.length > 0 ? { key_info: Object.fromEntries(methods) } : {}),
    },
  }
}

function destroySecretsOf({ id }: Method, secrets: Context['secrets']): void {
  for (const secret of secrets.filter(({ method }) => method === id)) secrets.destroy(secret)
}

/** Destroys all secrets of every entity that has a secret of this method. */
function destroySecretsBeside({ id }: Method, secrets: Context['secrets']): void {
  const entities = new Set(secrets.filter(({ method }) => method === id).map(({ entity }) => entity))
  for (const secret of secrets.filter(({ entity }) => entities.has(entity))) secrets.destroy(secret)
}

/** Refuses to delete a method that a login enforcement uses. */
function assertUnused(method: Method, context: Context): void {
  const { methods, secrets, enforcements, tables } = context
  const { deletion, fields } = tables()
  const user = deletion
    .enforcements(enforcements.all(deletion.usedBy))
    .find(({ methodIds }) => deletion.methods(methodIds).includes(method.id))
  if (!user || deletion.inUse === 'deleted') return
  if (deletion.inUse === 'refused-until-updated' && traitsOf(method, context).isUpdated) return
  if (deletion.inUse === 'refused-once' && methods.isUndeleted(method)) return
  methods.noteRefusedDeletion(method)
  if (deletion.secrets === 'destroyed') destroySecretsOf(method, secrets)
  if (deletion.refused === 'reset') {
    const { settings } = settle({ issuer: method.settings.issuer }, fields)
    methods.put({ ...method, settings })
  }
  refuse(`method ${method.id} is used by the login enforcement ${user.name}`)
}

/** Deletes a method and the secrets that were made from it. */
export function remove(call: Call, context: Context): Reply {
  const { methods, secrets } = context
  const { deletion, reach, answers } = context.tables()
  const method = methods.find(keyIn(call, context))
  if (!method) return done
  assertUnused(method, context)
  const isHeld = secrets.filter((one) => one.method === method.id).length > 0
  if (isHeld && deletion.withSecrets === 'kept') return done
  const others = othersWithin(reach.deletion, method, methods)
  if (deletion.takes === 'secrets-of-their-entities') destroySecretsBeside(method, secrets)
  for (const affected of [method, ...others]) {
    methods.remove(affected.key)
    destroySecretsOf(affected, secrets)
  }
  if (answers.deletion === 'refused') refuse(`method ${method.id} was not deleted`)
  return done
}
