/** Writes, reads, lists and deletes policies. */
import { type Call, done, type Reply } from '../../kernel/contracts.ts'
import { textField } from '../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Context } from './context.ts'
import { decodeDocument, readDocument } from './documents.ts'
import { type Field, isLevel, type PoliciesRules } from './rules.ts'
import type { Fields, Kind, Level, Policy } from './store.ts'

type Body = Call['body']

export function list(kind: Kind, { store }: Context): Reply {
  const all = store.all(kind)
  const keys = all.map(({ name }) => name)
  if (kind !== 'egp') return { kind: 'data', data: { keys } }
  const map = Object.fromEntries(all.map(({ name, paths }) => [name, paths.map(mapped)]))
  return { kind: 'data', data: { keys, name_path_map: map } }
}

/** Returns a path as `name_path_map` shows it. */
export const mapped = (path: string) => ({ path, glob: path.endsWith('*') })

export const read = (kind: Kind, call: Call, context: Context): Reply => ({
  kind: 'data',
  data: shown(load(kind, call, context), kind, context),
})

/** Returns the policy that a GET is about. Refuses the request if it does not exist. */
export function load(kind: Kind, call: Call, { store, rules }: Context): Policy {
  const policy = store.find(kind, rules.nameFrom(nameIn(call)))
  if (!policy) throw new Refusal('not-found')
  return policy
}

const nameIn = (call: Pick<Call, 'params'>): string => call.params.name ?? ''

export const shown = (policy: Policy, kind: Kind, { rules }: Pick<Context, 'rules'>): object =>
  Object.fromEntries(rules.kinds[kind].shown.map((field) => [field, policy[field]]))

export function write(kind: Kind, call: Pick<Call, 'params' | 'body'>, context: Context): Reply {
  const name = context.rules.nameFrom(nameIn(call))
  assertFree(kind, name, context)
  context.store.put({ kind, name, builtIn: false, ...contentOf(kind, call.body, context) })
  return done
}

function assertFree(kind: Kind, name: string, { store, rules }: Context): void {
  const { reserved, namesake } = rules.kinds[kind]
  if (isReserved(reserved, name, 'write')) throw badRequest(`cannot update "${name}" policy`)
  if (namesake && store.find(namesake, name)) {
    const message = `the name "${name}" belongs to a policy of the kind ${namesake}; ACL policies and RGPs share their names`
    throw badRequest(message)
  }
}

const isReserved = (
  reserved: PoliciesRules['kinds'][Kind]['reserved'],
  name: string,
  operation: 'write' | 'delete',
): boolean => Object.hasOwn(reserved, name) && (reserved[name]?.includes(operation) ?? false)

/** Returns what a write stores. Refuses the write if a field is missing or invalid. */
function contentOf(kind: Kind, body: Body, { language, rules }: Context): Omit<Policy, 'kind' | 'name' | 'builtIn'> {
  const { encodings, fields } = rules.kinds[kind]
  /** `none`: what policies of a kind without the field store. */
  function required<Name extends Field>(name: Name, given: () => Fields[Name] | undefined, none: Fields[Name]) {
    const value = fields.includes(name) ? given() : none
    if (value === undefined) throw badRequest(`missing ${name}`)
    return value
  }
  const policy = required('policy', () => policyIn(body, encodings), '')
  return {
    policy,
    ...readDocument(kind, policy, language),
    enforcement_level: required('enforcement_level', () => levelIn(body), ''),
    paths: required('paths', () => pathsIn(body, rules.paths), []),
  }
}

export function policyIn(body: Body, encodings: readonly 'base64'[]): string | undefined {
  const text = textField(body, 'policy') || undefined
  return text && decodeDocument(text, encodings)
}

function levelIn(body: Body): Level | undefined {
  const level = textField(body, 'enforcement_level') || undefined
  if (level === undefined || isLevel(level)) return level
  const known = 'advisory, soft-mandatory, hard-mandatory'
  throw badRequest(`enforcement_level is ${JSON.stringify(level)}; expected one of ${known}`)
}

export function pathsIn({ paths: given = [] }: Body, { fromText }: PoliciesRules['paths']): string[] | undefined {
  const isList = Array.isArray(given) && given.every((path) => typeof path === 'string')
  if (!isList && typeof given !== 'string') {
    throw badRequest('paths must be a list of strings or a text with commas between them')
  }
  const paths: readonly string[] = typeof given === 'string' ? fromText(given) : given
  const named = paths.map((path) => path.trim()).filter((path) => path !== '')
  return named.length > 0 ? named : undefined
}

/** Deletes a policy. Deleting a policy that does not exist succeeds as well. */
export function remove(kind: Kind, call: Call, { store, rules }: Context): Reply {
  const name = rules.nameFrom(nameIn(call))
  if (isReserved(rules.kinds[kind].reserved, name, 'delete')) throw badRequest(`cannot delete "${name}" policy`)
  store.remove(kind, name)
  return done
}
