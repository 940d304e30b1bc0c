/** Writes, reads, lists and deletes policies. */
import type { Call, Reply } from '../../kernel/contracts.ts'
import { done } from '../../kernel/contracts.ts'
import { textField } from '../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import { droppingOthers } from '../../kernel/lost-writes.ts'
import type { Context } from './context.ts'
import { decodeDocument, readDocument, tryDocument } from './documents.ts'
import { kinds as everyKind, type Fields, type Kind, type Shelf, type State, type Written } from './store.ts'
import { type Field, type FieldRule, isLevel, type PoliciesTables } from './tables.ts'

type Body = Call['body']

export function list(kind: Kind, { store, tables }: Context): Reply {
  const { kinds, paths } = tables
  const { listed, keys, unlisted, listsAlso } = kinds[kind]
  const isListed = (name: string): boolean => !unlisted.some((state) => store[kind].entry(name)?.state === state)
  const others = listsAlso.flatMap((other) => namesOf(store[other], listed))
  const gone = kinds[kind].deletedTwice === 'listed' ? deletedTwice(store[kind]) : []
  const names = keys([...namesOf(store[kind], listed).filter(isListed), ...others, ...gone])
  if (kind !== 'egp') return { kind: 'data', data: { keys: names } }
  const histories = store.egp.view(paths.mapped).histories()
  const mapped = histories
    .flatMap((history) => paths.mappedOf(history) ?? [])
    .filter(({ name }) => isListed(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, paths.mappedMost)
  const deleted = paths.unmaps === 'own-name' ? [] : store.egp.view(['deleted']).all()
  const unmapped = new Set(deleted.flatMap((written) => written.paths))
  const map = Object.fromEntries(
    mapped.map((written) => {
      const shown = written.paths.filter((path) => !unmapped.has(path))
      return [written.name, paths.map(shown, store.egp.entry(written.name)?.history ?? [written])]
    }),
  )
  // The kernel treats a list with empty `keys` as empty, so `keys` becomes null if the map is not empty.
  const shown = names?.length === 0 && mapped.length > 0 ? null : names
  return { kind: 'data', data: { ...(shown === undefined ? {} : { keys: shown }), name_path_map: map } }
}

/** Returns the names of policies that were deleted, created again and deleted again. Only a mutant lists them. */
const deletedTwice = (shelf: Shelf): readonly string[] =>
  shelf
    .entries()
    .filter(({ state, history }) => state === 'deleted' && history.length > 1 && history.at(-1)?.nth === 1)
    .map(({ history }) => history[0].name)

const namesOf = (shelf: Shelf, sources: Parameters<Shelf['view']>[0]): readonly string[] =>
  shelf
    .view(sources)
    .all()
    .map((written) => written.name)

export function read(kind: Kind, call: Call, context: Context): Reply {
  const { kinds } = context.tables
  const written = load(kind, call, context)
  return {
    kind: 'data',
    data: Object.fromEntries(kinds[kind].shown.map((field) => [field, shown(kind, field, written, context)])),
  }
}

/** Returns the policy that a GET is about. Refuses the request if it does not exist. */
export function load(kind: Kind, call: Call, { store, tables }: Context): Written {
  const { find, readable, readsAlso } = tables.kinds[kind]
  const name = tables.nameFrom(nameIn(call), 'read')
  const [written] = [kind, ...readsAlso].flatMap((one) => find(store[one].view(readable), name) ?? [])
  if (!written) throw new Refusal('not-found')
  return written
}

const nameIn = (call: Pick<Call, 'params'>): string => call.params.name ?? ''

function shown(kind: Kind, field: 'name' | Field, written: Written, { tables }: Context): unknown {
  const level = written.enforcement_level
  if (field === 'policy') return written.shownPolicy ?? written.policy
  if (field !== 'enforcement_level' || kind === 'acl' || !isLevel(level)) return written[field]
  return tables.levels[kind].shown[level]
}

/** Writes a policy, perhaps while another one is written. */
export function writeAmongOthers(kind: Kind, call: Call, context: Context): Reply | Promise<Reply> {
  const written = () => write(kind, call, context)
  return context.tables.simultaneous === 'stored' ? written() : droppingOthers(context.store[kind], written, () => done)
}

export function write(kind: Kind, call: Pick<Call, 'params' | 'body'>, context: Context): Reply {
  const { kinds, reach, nameFrom } = context.tables
  const name = nameFrom(kinds[kind].name(nameIn(call), call.body.name), 'write')
  assertFree(kind, name, context)
  if (kinds[kind].named === 'dropped' && call.body.name !== undefined) return done
  try {
    const content = settle(kind, call.body, context.store[kind].find(name), context)
    const before = context.store[kind].entry(name)
    const gone = before?.state === 'deleted' ? before.history.at(-1) : undefined
    const shownPolicy = gone && kinds[kind].recreated(gone.policy, content.policy)
    if (isRemovedBy(kind, name, content, context)) return done
    const revived = Object.fromEntries(gone ? kinds[kind].revived.map((field) => [field, gone[field]]) : [])
    put(kind, name, { ...content, ...revived, ...(shownPolicy === undefined ? {} : { shownPolicy }) }, context)
    for (const other of kind === 'egp' ? sharingPaths(name, content.paths, context) : [])
      put(kind, other.name, { ...other, enforcement_level: content.enforcement_level }, context)
    for (const [other, found] of namesakesOf(kind, name, reach.update, context))
      put(other, name, { ...found, policy: content.policy }, context)
  } catch (error) {
    leave(kind, name, call.body, context)
    throw error
  }
  return done
}

/** Removes a policy that is written again without any change. Only a mutant does this. */
function isRemovedBy(kind: Kind, name: string, given: Fields, context: Context): boolean {
  const now = context.store[kind].find(name)
  if (context.tables.kinds[kind].alike === 'stored' || !now) return false
  const isAlike =
    now.policy === given.policy &&
    now.enforcement_level === given.enforcement_level &&
    now.paths.join() === given.paths.join()
  if (isAlike && context.store[kind].remove(name)) announce(kind, name, 'deleted', context)
  return isAlike
}

/** Stores whatever a refused write leaves behind if a mutant is loaded. A correct server forgets the write. */
function leave(kind: Kind, name: string, body: Body, context: Context): void {
  const { refusedWrite } = context.tables
  if (refusedWrite === 'forgotten') return
  if (refusedWrite === 'stored') put(kind, name, asItStands(kind, body, context), context)
  const found = context.store[kind].find(name)
  if (!found && refusedWrite === 'creation-takes-effect') {
    put(kind, name, { ...asItStands(kind, body, context), unseen: true }, context)
    context.store[kind].remove(name)
  }
  if (found && refusedWrite !== 'stored') put(kind, name, afterRefusal(kind, body, found, context), context)
}

/** Returns the policy `found` as a refused update leaves it. */
function afterRefusal(kind: Kind, body: Body, found: Written, context: Context): Omit<Written, 'name' | 'builtIn'> {
  const { refusedWrite } = context.tables
  const { acl, rules, ...rest } = found
  if (refusedWrite === 'ends-the-effect') return rest
  const policy = textField(body, 'policy') ?? ''
  if (refusedWrite === 'text-takes-effect' && policy !== '')
    return { ...rest, ...tryDocument(kind, policy, context.language) }
  const level = body.enforcement_level
  if (refusedWrite === 'level-is-stored' && kind !== 'acl' && typeof level === 'string' && isLevel(level))
    return { ...found, enforcement_level: level }
  return found
}

/** Returns the other EGPs with the same paths, if a mutant's update changes them, too. */
const sharingPaths = (name: string, paths: readonly string[], { store, tables }: Context): readonly Written[] =>
  tables.paths.updates === 'itself'
    ? []
    : store.egp
        .view(['written'])
        .all()
        .filter((other) => other.name !== name && other.paths.join() === paths.join())

/** Returns the policies of other kinds with the same name, if a mutant's change affects them, too. */
function namesakesOf(
  kind: Kind,
  name: string,
  reach: 'own-kind' | 'every-kind',
  { store }: Context,
): readonly (readonly [Kind, Written])[] {
  if (reach === 'own-kind') return []
  return everyKind.flatMap((other) => {
    const found = other === kind ? undefined : store[other].find(name)
    return found ? [[other, found] as const] : []
  })
}

function assertFree(kind: Kind, name: string, { store, tables }: Context): void {
  const { reserved, namesake } = tables.kinds[kind]
  if (isReserved(reserved, name, 'write')) {
    throw badRequest(`cannot update "${name}" policy`)
  }
  if (namesake && store[namesake].find(name)) {
    const message = `the name "${name}" belongs to a policy of the kind ${namesake}; ACL policies and RGPs share their names`
    throw badRequest(message)
  }
}

const isReserved = (
  reserved: PoliciesTables['kinds'][Kind]['reserved'],
  name: string,
  operation: 'write' | 'delete',
): boolean => Object.hasOwn(reserved, name) && (reserved[name]?.includes(operation) ?? false)

function put(kind: Kind, name: string, content: Omit<Written, 'name' | 'builtIn'>, context: Context): void {
  announce(kind, name, context.store[kind].put({ name, builtIn: false, ...content }), context)
}

/** Lets a changed ACL policy take effect at the next request of each token that has it. */
function announce(kind: Kind, name: string, state: State, { access, tables }: Context): void {
  if (kind === 'acl' && tables.recompiles[state]) access.forget(name, tables.reaches[state])
}

/** Returns the fields after a write, each by its own rule. */
function settle(
  kind: Kind,
  body: Body,
  before: Fields | undefined,
  context: Context,
): Omit<Written, 'name' | 'builtIn'> {
  const { fields } = context.tables.kinds[kind]
  const policy = settleField('policy', fields.policy, () => givenPolicy(kind, body, context, before), before, '')
  const document = readDocument(kind, policy, context.language)
  const level = () => givenLevel(kind, body, context, before)
  return {
    policy,
    ...document,
    enforcement_level: settleField('enforcement_level', fields.enforcement_level, level, before, ''),
    paths: settleField('paths', fields.paths, () => givenPaths(body, context), before, []),
  }
}

function settleField<Name extends Field>(
  name: Name,
  rule: FieldRule<Name> | undefined,
  given: () => Fields[Name] | undefined,
  before: Fields | undefined,
  none: Fields[Name],
): Fields[Name] {
  if (!rule) return none
  const value = given()
  if (value !== undefined) return before ? rule.update(before[name], value) : value
  if (before && rule.absentOnUpdate === 'kept') return before[name]
  if (!before && rule.absentOnCreate !== 'refused') return rule.absentOnCreate.value
  throw badRequest(`missing ${name}`)
}

function givenPolicy(kind: Kind, body: Body, { tables }: Context, before?: Fields): string | undefined {
  const { encodings, updateEncodings, longestEncoded, characters, objects } = tables.kinds[kind]
  const [inObject] = objects === 'taken' ? textsOf(body.policy) : []
  const text = inObject ?? (textField(body, 'policy') || undefined)
  const known = before ? updateEncodings : encodings
  return text && tables.kinds[kind].text(decodeDocument(text, text.length > longestEncoded ? [] : known, characters))
}

/** Returns the strings among the values of an object. */
const textsOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.values(value).filter((one) => typeof one === 'string')
    : []

function givenLevel(kind: Kind, body: Body, { tables }: Context, before?: Fields): string | undefined {
  const level = textField(body, 'enforcement_level') || undefined
  if (level === undefined || isLevel(level) || kind === 'acl') return level
  const { unknown, shown } = tables.levels[kind]
  const stored = unknown(level, before?.enforcement_level)
  if (stored !== undefined) return stored
  const known = Object.keys(shown).join(', ')
  throw badRequest(`enforcement_level is ${JSON.stringify(level)}; expected one of ${known}`)
}

function givenPaths(body: Body, { tables }: Context): readonly string[] | undefined {
  const { fromList, fromText, objects } = tables.paths
  const inObject = objects === 'taken' ? textsOf(body.paths) : []
  const given = inObject.length > 0 ? inObject : (body.paths ?? [])
  const isList = Array.isArray(given) && given.every((path) => typeof path === 'string')
  if (!isList && typeof given !== 'string') {
    throw badRequest('paths must be a list of strings or a text with commas between them')
  }
  const paths = typeof given === 'string' ? fromText(given) : fromList(given)
  const named = paths.map((path) => path.trim()).filter((path) => path !== '')
  return named.length > 0 ? named : undefined
}

function asItStands(kind: Kind, body: Body, context: Context): Omit<Written, 'name' | 'builtIn'> {
  const attempt = <T>(read: () => T | undefined, none: T): T => {
    try {
      return read() ?? none
    } catch {
      return none
    }
  }
  const policy = attempt(() => givenPolicy(kind, body, context), '')
  return {
    policy,
    ...tryDocument(kind, policy, context.language),
    enforcement_level: kind === 'acl' ? '' : attempt(() => textField(body, 'enforcement_level'), ''),
    paths: kind === 'egp' ? attempt(() => givenPaths(body, context), []) : [],
  }
}

/** Deletes a policy. Deleting a policy that does not exist succeeds as well. */
export function remove(kind: Kind, call: Call, context: Context): Reply {
  const { store, tables } = context
  const name = tables.nameFrom(nameIn(call), 'delete')
  if (isReserved(tables.kinds[kind].reserved, name, 'delete')) {
    throw badRequest(`cannot delete "${name}" policy`)
  }
  const { kinds, reach } = tables
  const isMissing = tables.missing === 'other-kinds' && !store[kind].find(name)
  const others = namesakesOf(kind, name, isMissing ? 'every-kind' : reach.deletion, context).map(
    ([other]) => [other, name] as const,
  )
  const affected = namesOf(store[kind], ['written']).filter((other) => kinds[kind].deletes(name, other))
  for (const [of, one] of [...affected.map((one) => [kind, one] as const), ...others])
    if (takesBack(of, one, context) || store[of].remove(one)) announce(of, one, 'deleted', context)
  return done
}

/** Restores the write before the last one, or keeps a policy that was created again. Only a mutant does this. */
function takesBack(kind: Kind, name: string, { store, tables }: Context): boolean {
  const entry = store[kind].entry(name)
  const { removes } = tables.kinds[kind]
  const stays = entry?.state === 'recreated' && removes === 'policy-unless-recreated' && entry.history.at(-1)
  // The state becomes `updated`, so the next deletion removes the policy.
  if (stays) store[kind].put(stays)
  const before = entry?.state === 'updated' && removes === 'last-write' && entry.history.at(-2)
  if (before) {
    store[kind].remove(name)
    store[kind].put(before)
  }
  return Boolean(stays || before)
}
