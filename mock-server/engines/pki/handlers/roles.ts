/** Writes, reads, lists and deletes roles. A write replaces the whole role. */

import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { anyListField, numberField, textField } from '../../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import { hasIssuers } from '../certificates/issuers.ts'
import type { Context } from '../context.ts'
import { readFields } from '../fields.ts'
import { sizeOf } from '../judging/key-rules.ts'
import type { Role, RoleSigning } from '../store.ts'

const nameOf = ({ params }: Call): string => params.name ?? ''

/** Returns true for a role with leases for certificates that are not stored, or with domain rules and no domains. */
const isContradicting = (role: Role): boolean =>
  (role.no_store && role.generate_lease) ||
  (role.allowed_domains.length === 0 && (role.allow_bare_domains || role.allow_glob_domains))

export function writeRole(call: Call, context: Context): Reply {
  const { store, rules, variation } = context
  const fields = readFields(rules.roleFields, call.body)
  const signing = hasIssuers(context) ? readSigning(call.body) : undefined
  if (fields.max_ttl > 0 && fields.ttl > fields.max_ttl)
    throw badRequest(`ttl ${fields.ttl}s is longer than max_ttl ${fields.max_ttl}s`)
  if (variation().contradictingRoles === 'refused' && isContradicting(fields))
    throw badRequest('the fields of the role contradict each other')
  const { key_type: type, key_bits: asked } = fields
  const bits = type === 'rsa' || type === 'ec' ? sizeOf(type, asked, rules) : asked
  store.roles.set(nameOf(call), { ...fields, key_bits: bits })
  if (signing) store.issuers.ofRoles.set(nameOf(call), signing)
  return done
}

const usualSigning: RoleSigning = { issuer_ref: 'default', signature_bits: 0 }

function readSigning(body: Call['body']): RoleSigning {
  assertCommonNames(body)
  const bits = numberField(body, 'signature_bits') ?? 0
  if (![0, 256, 384, 512].includes(bits)) throw badRequest(`signature_bits ${bits} is not one of 0, 256, 384, 512`)
  return { issuer_ref: textField(body, 'issuer_ref') || usualSigning.issuer_ref, signature_bits: bits }
}

/** The only supported value of `cn_validations`. */
const commonNames = ['email', 'hostname']

function assertCommonNames(body: Call['body']): void {
  const asked = anyListField(body, 'cn_validations')
  if (asked && asked.toSorted().join() !== commonNames.join())
    throw badRequest(`cn_validations: this server has ${commonNames.join(',')} only`)
}

const signingOf = (name: string, context: Context): object =>
  hasIssuers(context)
    ? { ...(context.store.issuers.ofRoles.get(name) ?? usualSigning), cn_validations: commonNames }
    : {}

export function readRole(call: Call, context: Context): Reply {
  const role = context.store.roles.get(nameOf(call))
  if (!role) throw new Refusal('not-found')
  return { kind: 'data', data: { ...role, ...signingOf(nameOf(call), context) } }
}

/** Changes only the fields of a role that the request contains. A field with the value null is reset to its default. */
export function patchRole(call: Call, context: Context): Reply {
  const role = context.store.roles.get(nameOf(call))
  if (!role) throw new Refusal('not-found')
  return writeRole({ ...call, body: { ...role, ...signingOf(nameOf(call), context), ...call.body } }, context)
}

export const listRoles = ({ store }: Context): Reply => ({
  kind: 'data',
  data: { keys: [...store.roles.keys()].sort() },
})

/** Deletes a role. The certificates that were issued under it stay valid. */
export function deleteRole(call: Call, { store }: Context): Reply {
  store.roles.delete(nameOf(call))
  store.issuers.ofRoles.delete(nameOf(call))
  return done
}
