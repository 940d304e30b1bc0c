/** The two variants of TOTP MFA with their paths. Everything else is the same for both. */
import type { AclRule, Exchange, JsonObject, Reply, Scope, Witness } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  del,
  fieldOf,
  get,
  isObject,
  isOfTheWay,
  isSuccess,
  list,
  post,
  stepRefused,
} from '../../harness/vocabulary/index.ts'
import { methodStays, noMethodOf } from './witnesses.ts'

export interface Variant {
  readonly area: 'mfa-legacy' | 'mfa-identity'
  /** Throw-away names for three methods, if the variant has names. */
  readonly names: readonly string[]
  /** The requests that `define` may send. */
  defining(fields: JsonObject, method: string): readonly Exchange[]
  /** Sends a POST that defines a method; if it succeeds, `{method}` is its name or id. */
  define(scope: Scope, fields: JsonObject, method: string): Promise<Reply>
  /** A POST on an existing method. */
  redefine(fields: JsonObject, method?: string): Exchange
  read(method?: string): Exchange
  remove(method?: string): Exchange
  /** Generates a secret for the entity of the token `as`; `owner` is the scope name of that entity's id. */
  generate(as: string, owner: string, method?: string): Exchange
  /** `fields` replace the entity's id. */
  adminGenerate(owner: string, method?: string, fields?: JsonObject): Exchange
  adminDestroy(owner: string, method?: string, fields?: JsonObject): Exchange
  /** Shows that a refused definition of `{method}` with that issuer, or without one, defined nothing. `{second}`
   * exists. */
  undefinedStays(issuer?: string): Witness
  /** The ACL rules that allow a caller to call `generate`. */
  readonly callerRules: readonly AclRule[]
  /** The ACL rules that allow a caller to call the operations that name an entity. */
  readonly adminRules: readonly AclRule[]
}

/** The documents do not say which capabilities an endpoint needs, so a caller gets all that a server could ask for. */
const anyCall = ['create', 'read', 'update', 'sudo'] as const

const entityOf = (owner: string): JsonObject => ({ entity_id: `{${owner}}` })

/** The name of a further method begins with that of the first, so that a server which takes a name for the beginning of
 * others is noticed. */
const nameOf = (method: string): string =>
  method === 'second' || method === 'third' ? `{method}-${method}` : `{${method}}`
const named = (method: string): string => `sys/mfa/method/totp/${nameOf(method)}`
const destroyNamed = (owner: string, method: string, fields = entityOf(owner)): Exchange =>
  post(`sys/mfa/method/${nameOf(method)}/admin-destroy`, fields)

/** Methods have names, which are part of every path. */
export const legacy: Variant = {
  area: 'mfa-legacy',
  names: ['method', 'second', 'third'],
  defining: (fields, method) => [post(named(method), fields, { undo: del(named(method)) })],
  define: (scope, fields, method) => scope.send(post(named(method), fields, { undo: del(named(method)) })),
  redefine: (fields, method = 'method') => post(named(method), fields, { undo: del(named(method)) }),
  read: (method = 'method') => get(named(method)),
  remove: (method = 'method') => del(named(method)),
  generate: (as, owner, method = 'method') =>
    get(`${named(method)}/generate`, { as, undo: destroyNamed(owner, method) }),
  adminGenerate: (owner, method = 'method', fields = entityOf(owner)) =>
    post(`${named(method)}/admin-generate`, fields, { undo: destroyNamed(owner, method) }),
  adminDestroy: (owner, method = 'method', fields = entityOf(owner)) => destroyNamed(owner, method, fields),
  undefinedStays: () => methodStays(get(named('method')), get(named('second'))),
  callerRules: [{ path: 'sys/mfa/method/totp/*', capabilities: anyCall }],
  adminRules: [{ path: 'sys/mfa/method/*', capabilities: anyCall }],
}

const collection = 'identity/mfa/method/totp'
const identified = (method: string): string => `${collection}/{${method}}`
const both = (owner: string, method: string): JsonObject => ({ method_id: `{${method}}`, ...entityOf(owner) })
const destroyIdentified = (owner: string, method: string, fields = both(owner, method)): Exchange =>
  post(`${collection}/admin-destroy`, fields)

/** Returns the paths of a method with an id: where it is defined, and where it is read. `space` is empty, or a
 * namespace with its slash. */
const placeOf = (space: string, method: string) => ({
  made: `${space}${collection}`,
  named: `${space}${identified(method)}`,
})
const onCollection = (fields: JsonObject, method: string, space: string): Exchange => {
  const { made, named } = placeOf(space, method)
  return post(made, fields, { saves: { [method]: 'method_id' }, undo: del(named) })
}
const onPath = (fields: JsonObject, method: string, space = ''): Exchange => {
  const { named } = placeOf(space, method)
  return post(named, fields, { undo: del(named) })
}

/** The requests that `defineById` may send. */
export const definingById = (fields: JsonObject, method: string, space = ''): readonly Exchange[] => [
  onCollection(fields, method, space),
  onPath(fields, method, space),
]

/** Returns the ids in a reply. The documents do not show the reply, so the id of the method may be in any field, beside
 * the id of the request. */
function idsIn(reply: Reply): readonly string[] {
  const texts = [
    fieldOf(reply, 'method_id'),
    fieldOf(reply, 'id'),
    isObject(reply.json) ? reply.json.data : undefined,
    reply.json,
  ]
  const ids = texts.flatMap((value) => JSON.stringify(value ?? null).match(uuids) ?? [])
  return [...new Set(ids)].slice(0, mostIds)
}
const uuids = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi
const mostIds = 4

/** A gateway, or a server that is sealed for a moment, does not show which way of defining methods the target has. */
function fromTarget(reply: Reply): Reply {
  if (isOfTheWay(reply)) throw stepRefused(reply)
  return reply
}

/** Saves the id of the method that was defined, and adds an undo for the method. Returns whether the reply contains
 * such an id. */
async function isNamed(scope: Scope, reply: Reply, method: string, space: string): Promise<boolean> {
  const { named } = placeOf(space, method)
  for (const id of idsIn(reply)) {
    scope.save(method, id)
    if (isSuccess(fromTarget(await scope.send(get(named, { undo: del(named) }))))) return true
  }
  return false
}

/** Defines a method on the collection or, if that is refused for any reason or returns no id, under an id that is
 * chosen here: only a path with an id is documented, and the id is optional (reading 30). */
export async function defineById(scope: Scope, fields: JsonObject, method: string, space = ''): Promise<Reply> {
  const reply = fromTarget(await scope.send(onCollection(fields, method, space)))
  const isMade = isSuccess(reply)
  if (isMade && (scope.has(method) || (await isNamed(scope, reply, method, space)))) {
    // Only then has the target chosen the id of the method.
    scope.save('methodsMadeOn', 'collection')
    return reply
  }
  // If the collection has accepted a definition before, a refusal is about this method.
  if (scope.has('methodsMadeOn')) return reply
  const chosen = crypto.randomUUID()
  scope.save(method, chosen)
  const made = fromTarget(await scope.send(onPath(fields, method, space)))
  if (isMade && !isSuccess(made))
    throw DoesNotApply.refused(made, `${reply.asked} answered ${reply.status} and showed no id`)
  // A server may still choose the id.
  const id = isSuccess(made) ? (fieldOf(made, 'method_id') ?? fieldOf(made, 'id')) : undefined
  if (typeof id === 'string' && id !== '' && id.toLowerCase() !== chosen) await isNamed(scope, made, method, space)
  return made
}

/** Methods have ids, which are in the bodies of requests about secrets. */
export const identity: Variant = {
  area: 'mfa-identity',
  names: [],
  defining: definingById,
  define: defineById,
  redefine: (fields, method = 'method') => onPath(fields, method),
  read: (method = 'method') => get(identified(method)),
  remove: (method = 'method') => del(identified(method)),
  generate: (as, owner, method = 'method') =>
    post(`${collection}/generate`, { method_id: `{${method}}` }, { as, undo: destroyIdentified(owner, method) }),
  adminGenerate: (owner, method = 'method', fields = both(owner, method)) =>
    post(`${collection}/admin-generate`, fields, { undo: destroyIdentified(owner, method) }),
  adminDestroy: (owner, method = 'method', fields = both(owner, method)) => destroyIdentified(owner, method, fields),
  undefinedStays: (issuer = '') => noMethodOf(issuer, list(collection), 'second'),
  callerRules: [{ path: `${collection}/generate`, capabilities: anyCall }],
  adminRules: [{ path: `${collection}/*`, capabilities: anyCall }],
}
