/** Serves the keys of a mount: those of issuers, those of certificate requests, and others. */
import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { numberField, textField } from '../../../kernel/http/body-fields.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import {
  assertName,
  findKeyAt,
  issuersOf,
  joinKeys,
  keyAt,
  keyId,
  keysOf,
  nameOf,
  rename,
} from '../certificates/issuers.ts'
import { type Context, withKey } from '../context.ts'
import { sizeOf } from '../judging/key-rules.ts'
import { readKeyField } from '../pem-input.ts'
import { type CaKey, caKey, type Store } from '../store.ts'
import { keyIdOf, traditionalPem } from '../x509/keys.ts'

const dataOf = (data: object): Reply => ({ kind: 'data', data })

export function listKeys({ store }: Context): Reply {
  const all = keysOf(store)
  const standard = store.ca.key && keyId(store.ca.key)
  const rows = all.map(({ id }) => [id, { is_default: id === standard, key_name: nameOf(store, id) }])
  const data = { keys: all.map(({ id }) => id), key_info: Object.fromEntries(rows) }
  return { kind: 'data', verbatim: true, data }
}

const shown = (store: Store, key: CaKey) => ({
  key_id: keyId(key),
  key_name: nameOf(store, keyId(key)),
  key_type: key.pair.type,
})

function show(store: Store, key: CaKey): Reply {
  const subject = keyIdOf(key.pair.spki).toString('hex')
  return dataOf({ ...shown(store, key), subject_key_id: subject.replaceAll(/(..)(?!$)/g, '$1:') })
}

export const readKey = ({ params }: Call, { store }: Context): Reply => show(store, keyAt(store, params.ref ?? '').key)

export function writeKey({ body, params }: Call, { store }: Context): Reply {
  const { id, key } = keyAt(store, params.ref ?? '')
  rename(store, 'key', id, textField(body, 'key_name') ?? '')
  return dataOf(shown(store, key))
}

export function deleteKey({ params }: Call, { store }: Context): Reply {
  const known = findKeyAt(store, params.ref ?? '')
  if (!known) return done
  const { id } = known
  const user = issuersOf(store).find(({ key }) => key && keyId(key) === id)
  if (user) throw badRequest(`the key ${id} is that of the issuer ${user.id}: delete that first`)
  const isOther = (key: CaKey): boolean => keyId(key) !== id
  const requested = store.ca.requested.filter(isOther)
  const isIdle = requested.length === 0 && store.ca.state === 'awaiting'
  store.ca = { ...store.ca, requested, state: isIdle ? 'none' : store.ca.state }
  store.issuers.keys = store.issuers.keys.filter(isOther)
  store.issuers.names.delete(id)
  return done
}

/** Adds a key, unless the mount already has it. */
export function addKey(store: Store, key: CaKey): void {
  if (!keysOf(store).some(({ id }) => id === keyId(key))) store.issuers.keys = [...store.issuers.keys, key]
}

export function generateKey({ body, params }: Call, context: Context): Reply | Promise<Reply> {
  const { store, rules } = context
  if (params.type !== 'internal' && params.type !== 'exported')
    throw badRequest(`${JSON.stringify(params.type)} is not one of internal, exported`)
  const type = textField(body, 'key_type') ?? 'rsa'
  if (type !== 'rsa' && type !== 'ec') throw badRequest('key_type must be one of rsa, ec')
  const name = textField(body, 'key_name') ?? ''
  assertName(store, 'key', name)
  const bits = sizeOf(type, numberField(body, 'key_bits') ?? 0, rules)
  return withKey(context, { type, bits }, (pair) => {
    const key = caKey(pair)
    addKey(store, key)
    rename(store, 'key', keyId(key), name)
    const secret = params.type === 'exported' ? { private_key: traditionalPem(pair) } : {}
    return dataOf({ ...shown(store, key), ...secret })
  })
}

export function importKey({ body }: Call, { store }: Context): Reply {
  const key = caKey(readKeyField('pem_bundle', textField(body, 'pem_bundle') ?? ''))
  const name = textField(body, 'key_name')
  if (name !== undefined) assertName(store, 'key', name, keyId(key))
  addKey(store, key)
  joinKeys(store)
  if (name !== undefined) rename(store, 'key', keyId(key), name)
  return dataOf(shown(store, key))
}

export const readDefaultKey = ({ store }: Context): Reply =>
  dataOf({ default: store.ca.key ? keyId(store.ca.key) : '' })

/** Accepts only the key of the default issuer, because that is always the default key. */
export function writeDefaultKey({ body }: Call, context: Context): Reply {
  const { id } = keyAt(context.store, textField(body, 'default') ?? 'default')
  const standard = context.store.ca.key
  if (!standard || keyId(standard) !== id)
    throw badRequest(`default: the default key of this server is that of the default issuer; ${id} is another one`)
  return readDefaultKey(context)
}
