/** Handles the names that requests give to issuers and keys, in versions with several issuers. */
import type { Call } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import {
  assertName,
  findKeyAt,
  hasIssuers,
  issuerId,
  type KnownKey,
  keyId,
  nameOf,
  rename,
} from '../certificates/issuers.ts'
import type { Context } from '../context.ts'
import { type CaKey, caCertificate } from '../store.ts'

const given = ({ body }: Call, kind: 'issuer' | 'key', otherwise = ''): string =>
  textField(body, `${kind}_name`) ?? otherwise

export function assertKeyName(call: Call, context: Context): void {
  if (hasIssuers(context)) assertName(context.store, 'key', given(call, 'key'))
}

export function assertNames(call: Call, context: Context): void {
  assertKeyName(call, context)
  if (hasIssuers(context)) assertName(context.store, 'issuer', given(call, 'issuer'))
}

/** Finds the existing key that a request names in `key_ref`. */
export function keyOf({ body }: Call, { store }: Context): KnownKey {
  const ref = textField(body, 'key_ref') ?? 'default'
  const known = findKeyAt(store, ref)
  if (!known) throw badRequest(`key_ref names no key of this mount: ${JSON.stringify(ref)}`)
  return known
}

export function nameKey(call: Call, key: CaKey, context: Context): void {
  const name = given(call, 'key')
  if (hasIssuers(context) && name !== '') rename(context.store, 'key', keyId(key), name)
}

/** Names a new issuer and its key. Returns the fields of the reply that describe both. */
export function nameIssuer(der: Buffer, key: CaKey, call: Call, context: Context, otherwise?: string): object {
  if (!hasIssuers(context)) return {}
  const { store } = context
  const issuer_id = issuerId(caCertificate(der, [], 'own-root'))
  const name = given(call, 'issuer', otherwise)
  if (name !== '') rename(store, 'issuer', issuer_id, name)
  nameKey(call, key, context)
  const key_id = keyId(key)
  return { issuer_id, issuer_name: nameOf(store, issuer_id), key_id, key_name: nameOf(store, key_id) }
}
