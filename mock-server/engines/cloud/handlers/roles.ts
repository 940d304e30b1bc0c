/** The endpoint `roles`. A write is merged with the role that exists, unless the legacy parameters make a new role. */
import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { durationText } from '../../../kernel/http/duration.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import { type Context, formAt } from '../context.ts'
import { type Body, isDocument } from '../fields.ts'
import type { FieldRule, LegacyField } from '../rules/role-fields.ts'
import type { CredentialType } from '../rules/types.ts'
import type { Role, RoleField, RoleValues } from '../store.ts'
import { dataOf } from './replies.ts'

const nameIn = ({ params }: Call): string => params.name ?? ''

export const fieldsOf = (context: Context): [RoleField, FieldRule<unknown>][] =>
  (Object.entries(context.rules.roleFields) as unknown as [RoleField, FieldRule<unknown>][]).filter(([, { forms }]) =>
    forms.includes(formAt(context)),
  )

export const isSet = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)

export function givenIn(context: Context, body: Body): Partial<RoleValues> {
  const given: Record<string, unknown> = {}
  for (const [name, rule] of fieldsOf(context)) {
    const value = rule.read(body, name)
    if (value === undefined) continue
    const wrong = isSet(value) ? rule.invalid?.(value) : undefined
    if (wrong) throw badRequest(`${name} ${wrong}`)
    given[name] = value
  }
  return given
}

/** Reads the legacy parameters, which together define one role. */
function legacyIn(context: Context, body: Body): Role | undefined {
  const asked = (Object.keys(context.rules.legacy) as LegacyField[]).filter((field) => textField(body, field))
  if (asked.length === 0) return undefined
  const mixed = ['credential_type', ...fieldsOf(context).map(([name]) => name)].find((name) => isSet(body[name]))
  if (mixed) throw badRequest(`${asked.join(' and ')} cannot be mixed with ${mixed}`)
  const meant = asked.map((field) => context.rules.legacy[field](textField(body, field) ?? ''))
  return {
    types: [...new Set(meant.flatMap(({ types }) => types))],
    legacy: true,
    given: Object.assign({}, ...meant.map((one) => givenIn(context, one.body))),
  }
}

function typeIn(context: Context, body: Body, known: Role | undefined): CredentialType {
  const asked = textField(body, 'credential_type')
  const types = context.rules.knownTypes[formAt(context)]
  const type = asked ? types.find((one) => one === asked) : known?.types[0]
  if (type) return type
  throw badRequest(
    asked ? `credential_type ${JSON.stringify(asked)} is not one of ${types.join(', ')}` : 'missing credential_type',
  )
}

function assertFits(context: Context, type: CredentialType, given: Partial<RoleValues>, body: Body): void {
  for (const [name, { use }] of fieldsOf(context)) {
    // The field may come from an earlier write of the role, so the caller may not know about it.
    const kept = name in body ? '' : '; the role has it from an earlier write: send it empty to remove it'
    if (use[type] === 'prohibited' && isSet(given[name])) throw badRequest(`${name} cannot be used with ${type}${kept}`)
    if (use[type] === 'required' && !isSet(given[name])) throw badRequest(`${type} needs ${name}`)
  }
  if (context.variation().groupsAlone === 'taken' && isSet(given.iam_groups)) return
  const lacking = context.rules.oneOf[type].find((group) => !group.some((name) => isSet(given[name])))
  if (lacking) throw badRequest(`${type} needs ${lacking.join(' or ')}`)
}

/** Returns the role that a write means. */
export function roleIn(call: Call, context: Context): Role {
  const { body } = call
  const legacy = legacyIn(context, body)
  if (legacy) return legacy
  const stored = context.store.roles.get(nameIn(call))
  const known = stored?.legacy ? undefined : stored
  const type = typeIn(context, body, known)
  const given = { ...known?.given, ...givenIn(context, body) }
  assertFits(context, type, given, body)
  return { types: [type], legacy: false, given }
}

export function writeRole(call: Call, context: Context): Reply {
  context.store.roles.set(nameIn(call), roleIn(call, context))
  return done
}

/** Returns the default of a field, or an empty text for a text field that every type of the role prohibits. */
const unset = ({ fallback, use }: FieldRule<unknown>, { types }: Role): unknown =>
  typeof fallback === 'string' && types.every((type) => use[type] === 'prohibited') ? '' : fallback

export function readRole(call: Call, context: Context): Reply {
  const role = context.store.roles.get(nameIn(call))
  if (!role) throw new Refusal('not-found')
  const { unsetFields, sessionTtls } = context.variation()
  const fields = fieldsOf(context)
    .filter(([name]) => unsetFields === 'shown' || isSet(role.given[name]))
    .map(([name, rule]) => [name, role.given[name] ?? unset(rule, role)] as const)
    .map(([name, value]) => [
      name,
      sessionTtls === 'duration' && typeof value === 'number' ? durationText(value) : value,
    ])
  const document = role.given.policy_document
  return dataOf({
    credential_type: role.types.join(','),
    ...Object.fromEntries(fields),
    // State that an earlier version saved may contain documents that no write accepts today: document 3, Role.
    ...(document && !isDocument(document) ? { invalid_data: document } : {}),
  })
}

export const listRoles = ({ store }: Context): Reply => dataOf({ keys: [...store.roles.keys()].sort() })

export function deleteRole(call: Call, { store }: Context): Reply {
  if (!store.roles.delete(nameIn(call))) throw new Refusal('not-found')
  return done
}
