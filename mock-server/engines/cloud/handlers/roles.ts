/** The endpoint `roles`. A write is merged with the role that exists, unless the legacy parameters make a new role. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { durationText } from '../../../kernel/http/duration.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import { losingOthers } from '../../../kernel/lost-writes.ts'
import { type Context, formAt, legible } from '../context.ts'
import { type Body, isDocument } from '../fields.ts'
import type { FieldRule, LegacyField } from '../rules/role-fields.ts'
import type { CredentialType } from '../rules/types.ts'
import type { Role, RoleField, RoleValues, Store } from '../store.ts'
import { isUsed } from './credentials.ts'
import { dataOf } from './replies.ts'

const nameIn = (call: Call, { rules }: Context): string => rules.roles.nameOf(call.params.name ?? '')

/** Returns the fields that this API form has. */
const rulesOf = (context: Context): [RoleField, FieldRule<unknown>][] =>
  (Object.entries(context.rules.roleFields) as unknown as [RoleField, FieldRule<unknown>][]).filter(([, { forms }]) =>
    forms.includes(formAt(context)),
  )

const isSet = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)

function givenIn(context: Context, body: Body): Partial<RoleValues> {
  const given: Record<string, unknown> = {}
  for (const [name, rule] of rulesOf(context)) {
    const value = legible(context, () => rule.read(body, name))
    if (value === undefined) continue
    const fault = isSet(value) ? rule.fault?.(value) : undefined
    if (fault) throw badRequest(`${name} ${fault}`)
    given[name] = rule.stored(value)
  }
  return given
}

function legacyRole(context: Context, field: LegacyField, value: string): Role {
  const { types, field: into } = context.rules.legacy.means[field](value)
  const stored =
    into === 'policy_document'
      ? legible(context, () => context.rules.roleFields[into].read({ [into]: value }, into))
      : [value]
  return { types, legacy: true, given: into === undefined ? {} : { [into]: stored } }
}

/** Reads the legacy parameters, which together define one role. */
function legacyIn(context: Context, body: Body): Role | undefined {
  const { taken, beside } = context.rules.legacy
  const asked = taken.filter((field) => textField(body, field))
  if (asked.length === 0) return undefined
  const others = ['credential_type', ...rulesOf(context).map(([name]) => name)].filter((name) => isSet(body[name]))
  for (const field of asked)
    for (const other of others)
      if (!beside[field].includes(other)) throw badRequest(`${field} cannot be mixed with ${other}`)
  return asked
    .map((field) => legacyRole(context, field, textField(body, field) ?? ''))
    .reduce((one, other) => ({
      types: [...new Set([...one.types, ...other.types])],
      legacy: true,
      given: { ...one.given, ...other.given },
    }))
}

/** Returns whether a role of this type can get another one. */
const takesOther = (kept: CredentialType, { otherType }: Context['rules']['roles']): boolean =>
  otherType === 'taken' || (otherType === 'ignored-for-sessions' && kept === 'iam_user')

function typeIn(context: Context, body: Body, known: Role | undefined): CredentialType {
  const { roles } = context.rules
  const asked = textField(body, 'credential_type')
  const kept = known?.legacy ? undefined : known?.types[0]
  if (asked) {
    if (!roles.known[formAt(context)].includes(asked as CredentialType) && roles.unknownType === 'refused')
      throw badRequest(
        `credential_type ${JSON.stringify(asked)} is not one of ${roles.known[formAt(context)].join(', ')}`,
      )
    if (!kept || kept === asked || takesOther(kept, roles)) return asked as CredentialType
    if (roles.otherType === 'refused') throw badRequest(`the role is of type ${kept}`)
    return kept
  }
  if (kept) return kept
  const without = Object.values(body).some(isSet) ? roles.absentType : roles.nothing
  if (without === 'refused') throw badRequest('missing credential_type')
  return isSet(body.role_arns) ? 'assumed_role' : 'iam_user'
}

function assertPermitted(context: Context, type: CredentialType, judged: Body, body: Body): void {
  for (const [name, { use }] of rulesOf(context)) {
    // The field may come from an earlier write of the role, so the caller may not know about it.
    const kept = name in body ? '' : '; the role has it from an earlier write: send it empty to remove it'
    if (use[type] === 'prohibited' && isSet(judged[name]))
      throw badRequest(`${name} cannot be used with ${type}${kept}`)
  }
}

function assertFits(context: Context, type: CredentialType, given: Partial<RoleValues>, body: Body): void {
  const judged: Body = context.rules.roles.judged === 'sent' ? body : given
  assertPermitted(context, type, judged, body)
  for (const [name, { use }] of rulesOf(context))
    if (use[type] === 'required' && !isSet(given[name])) throw badRequest(`${type} needs ${name}`)
  if (context.variation().groupsAlone === 'taken' && isSet(given.iam_groups)) return
  for (const group of context.rules.oneOf[type] ?? [])
    if (!group.some((name) => isSet(given[name]))) throw badRequest(`${type} needs ${group.join(' or ')}`)
}

/** Returns a role with all readable fields of the body, valid or not. */
function asSent(context: Context, body: Body): Role {
  const given: Record<string, unknown> = {}
  for (const [name, rule] of rulesOf(context)) {
    try {
      given[name] = rule.read(body, name)
    } catch {}
  }
  return { types: [(textField(body, 'credential_type') || 'iam_user') as CredentialType], legacy: false, given }
}

/** Returns those of the named fields that the role has. */
const keptOf = (names: readonly RoleField[], known: Role | undefined): Partial<RoleValues> =>
  Object.fromEntries(names.flatMap((name) => (known?.given[name] === undefined ? [] : [[name, known.given[name]]])))

/** Returns the earlier tags joined with those of an update. Without a mutant, an update replaces all tags and this is
 * empty. */
function tagsOf(
  { rules }: Context,
  earlier: Partial<RoleValues> = {},
  asked: Partial<RoleValues>,
): Partial<RoleValues> {
  if (rules.roles.updatedTags === 'replaced') return {}
  const merged = (name: 'iam_tags' | 'session_tags') =>
    asked[name] && earlier[name] ? { [name]: { ...earlier[name], ...asked[name] } } : {}
  return { ...merged('iam_tags'), ...merged('session_tags') }
}

/** Returns the values of a write, without empty ones if a mutant ignores them. */
const heeded = ({ rules }: Context, given: Partial<RoleValues>, known: Role | undefined): Partial<RoleValues> =>
  known && rules.roles.emptied === 'kept'
    ? Object.fromEntries(Object.entries(given).filter(([, value]) => isSet(value)))
    : given

function roleIn(call: Call, context: Context): Role {
  const { store } = context
  const known = store.roles.get(nameIn(call, context))
  const legacy = legacyIn(context, call.body)
  if (legacy && known?.legacy && context.rules.legacy.update === 'kept') return known
  const { legacyKeeps, updateKeeps } = context.rules.roles
  if (legacy) return { ...legacy, given: { ...legacy.given, ...keptOf(legacyKeeps, known) } }
  const type = typeIn(context, call.body, known)
  const earlier = known?.legacy ? {} : (known?.given ?? fromBefore(context, nameIn(call, context)))
  const asked = heeded(context, givenIn(context, call.body), known)
  const given = { ...earlier, ...asked, ...tagsOf(context, earlier, asked), ...keptOf(updateKeeps, known) }
  const empty = Object.values(call.body).every((value) => !isSet(value))
  const { judged } = context.rules.roles
  const isUnjudged = judged === 'creation' || (judged === 'updates-of-users' && type !== 'iam_user')
  if (known && isUnjudged) return { types: [type], legacy: false, given }
  if (!empty || context.rules.roles.nothing === 'refused') assertFits(context, type, given, call.body)
  const stay = known?.legacy && context.rules.legacy.replaced === 'types-stay' ? known.types : []
  return { types: [...new Set([...stay, type])], legacy: false, given }
}

/** The roles that replaced an earlier one. Only a mutant needs them. */
const updated = new WeakSet<Role>()

/** The roles that were created after another one with the same name was deleted. Only mutants need them. */
const madeAgain = new WeakSet<Role>()

/** The deleted roles by name. Only a mutant needs them. */
const bins = new WeakMap<Store, Map<string, Role>>()
function binOf(store: Store): Map<string, Role> {
  const bin = bins.get(store) ?? new Map<string, Role>()
  bins.set(store, bin)
  return bin
}

/** Returns the fields that a new role inherits from a deleted one. Only a mutant lets it inherit any. */
function fromBefore({ store, rules }: Context, name: string): Partial<RoleValues> {
  const before = rules.roles.madeAgain === 'as-before' ? bins.get(store)?.get(name) : undefined
  return before && !before.types.includes('iam_user') ? before.given : {}
}

/** The state of each role when it was created. Only a mutant needs it. */
const made = new WeakMap<Store, Map<string, Role>>()
const madeIn = (store: Store): Map<string, Role> => {
  const roles = made.get(store) ?? new Map<string, Role>()
  made.set(store, roles)
  return roles
}

function shownRole({ store, rules }: Context, name: string, asked: Role): Role {
  const { shows } = rules.roles.present
  if (shows === 'last') return [...store.roles.values()].at(-1) ?? asked
  return shows === 'as-made' ? (madeIn(store).get(name) ?? asked) : asked
}

export function writeRole(call: Call, context: Context): Reply | Promise<Reply> {
  const store = (): Reply => storeRole(call, context)
  return context.rules.roles.atOnce === 'each' ? store() : losingOthers(context.store.roles, store)
}

function storeRole(call: Call, context: Context): Reply {
  const { store, rules } = context
  const name = nameIn(call, context)
  let role: Role
  try {
    role = roleIn(call, context)
  } catch (error) {
    if (rules.refusedWrite === 'stored') store.roles.set(name, asSent(context, call.body))
    throw error
  }
  const isKnown = store.roles.has(name)
  const stored = isKnown ? rules.roles.update !== 'ignored' : rules.roles.creation === 'stored'
  if (stored) store.roles.set(name, role)
  if (isKnown) updated.add(role)
  else madeIn(store).set(name, role)
  if (!isKnown && store.deletedRoles.has(name)) madeAgain.add(role)
  if (isKnown && rules.roles.update === 'all') for (const other of store.roles.keys()) store.roles.set(other, role)
  store.deletedRoles.delete(name)
  return done
}

/** Returns the default of a field, or an empty text for a text field that every type of the role prohibits. */
const unset = ({ fallback, use }: FieldRule<unknown>, { types }: Role): unknown =>
  typeof fallback === 'string' && types.every((type) => use[type] === 'prohibited') ? '' : fallback

export function readRole(call: Call, context: Context): Reply {
  const { roles } = context.rules
  const asked = context.store.roles.get(nameIn(call, context))
  const isDeleted = context.store.deletedRoles.has(nameIn(call, context))
  if (!asked) throw new Refusal(isDeleted ? roles.missing.readAgain : roles.missing.read)
  const role = shownRole(context, nameIn(call, context), asked)
  if (roles.present.read === 'not-found') throw new Refusal('not-found')
  const { unsetFields, sessionTtls } = context.variation()
  const fields = rulesOf(context)
    .filter(([name]) => unsetFields === 'shown' || isSet(role.given[name]))
    .map(([name, rule]) => [name, rule.shown(role.given[name] ?? unset(rule, role))] as const)
    .map(([name, value]) => [
      name,
      sessionTtls === 'duration' && typeof value === 'number' ? durationText(value) : value,
    ])
  const document = role.given.policy_document
  return dataOf({
    credential_type: role.types.join(','),
    ...(roles.present.secret === 'shown' ? { root: context.store.root?.secret_key } : {}),
    ...Object.fromEntries(fields),
    // State that an earlier version saved may contain documents that no write accepts today: document 3, Role.
    ...(document && !isDocument(document) ? { invalid_data: document } : {}),
  })
}

export function listRoles(context: Context): Reply {
  const { store, rules } = context
  const present = [...store.roles].flatMap(([name, role]) =>
    rules.roles.lists(role, updated.has(role), madeAgain.has(role)) ? [name] : [],
  )
  const names = { present, deleted: [...store.deletedRoles], static: [...store.staticRoles.keys()] }
  return dataOf({
    keys: rules.roles.listed
      .flatMap((state) => names[state])
      .sort()
      .slice(0, rules.roles.listedAtMost),
  })
}

/** Returns whether a mutant keeps a role although it is deleted. */
const outlives = (role: Role, { rules }: Context): boolean =>
  (rules.roles.present.deleteAgain === 'kept' && madeAgain.has(role)) ||
  (rules.legacy.deletion === 'kept' && role.legacy)

function remove(name: string, { store, rules }: Context): void {
  const { delete: takes, namesake } = rules.roles.present
  if (takes === 'all-gone') store.roles.clear()
  if (takes === 'longer-names-gone')
    for (const other of store.roles.keys()) if (other.startsWith(name)) store.roles.delete(other)
  if (namesake === 'goes') store.staticRoles.delete(name)
  if (takes !== 'gone') return
  store.roles.delete(name)
  store.deletedRoles.add(name)
}

export function deleteRole(call: Call, context: Context): Reply {
  const { store, rules } = context
  const name = nameIn(call, context)
  const { missing } = rules.roles
  const role = store.roles.get(name)
  if (!role) {
    const answer = store.deletedRoles.has(name) ? missing.deleteAgain : missing.delete
    if (answer === 'done') return done
    throw new Refusal(answer)
  }
  if (outlives(role, context)) return done
  if (rules.roles.present.deleteInUse === 'refused' && isUsed(store, name))
    throw badRequest(`role ${name} has given users`)
  binOf(store).set(name, role)
  remove(name, context)
  if (rules.refusedYetDone.includes('deletion of a role')) throw badRequest(`role ${name} was not deleted`)
  return done
}
