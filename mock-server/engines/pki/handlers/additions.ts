/** Adds further issuers to a mount: generated here, requested from another CA, or imported. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { addIssuer, issuerId, issuersOf, joinKeys, keyFor, keyId, keysOf } from '../certificates/issuers.ts'
import { rotate } from '../certificates/revocation.ts'
import { type Context, withKey } from '../context.ts'
import { readFields } from '../fields.ts'
import { isKeyShown, sizeOf } from '../judging/key-rules.ts'
import { assertCas, isPem, readCertificates, readKeyField } from '../pem-input.ts'
import { type CaKey, caCertificate, caKey } from '../store.ts'
import type { Certificate } from '../x509/certificate.ts'
import { pem, readPem } from '../x509/pem.ts'
import { generateIntermediate } from './intermediates.ts'
import { addKey } from './keys.ts'
import { assertNames, keyOf, nameIssuer } from './named.ts'
import { rootReply, signRoot } from './roots.ts'

/** Generates a root, and leaves the other issuers as they are. */
export function addRoot(call: Call, context: Context, otherwise?: string): Reply | Promise<Reply> {
  const { body, params } = call
  const { rules } = context
  const fields = readFields(rules.requestFields.root, body)
  assertNames(call, context)
  const made = (key: CaKey, isShown = false): Reply => {
    const issued = signRoot(key, call, context)
    addIssuer(context, caCertificate(issued.der, [], 'own-root'), key)
    nameIssuer(issued.der, key, call, context, otherwise)
    return rootReply(issued, key, call, context, isShown)
  }
  if (params.type === 'existing') return made(keyOf(call, context).key)
  const isShown = isKeyShown(params.type)
  const type = fields.key_type as 'rsa' | 'ec'
  const bits = sizeOf(type, fields.key_bits, rules)
  return withKey(context, { type, bits }, (pair) => made(caKey(pair), isShown))
}

/** Generates a root with the name `next`, which `root/replace` later makes the default. */
export const rotateRoot = (call: Call, context: Context): Reply | Promise<Reply> => addRoot(call, context, 'next')

/** Creates a certificate request, and leaves the issuers as they are. */
export const addRequest = (call: Call, context: Context): Reply | Promise<Reply> =>
  generateIntermediate(call, context, (key, { store }) => addKey(store, key))

/** Creates a certificate request for a key of the mount, so that another CA can sign it as well. */
export const crossSign = (call: Call, context: Context): Reply | Promise<Reply> =>
  addRequest({ ...call, params: { ...call.params, type: 'existing' } }, context)

const orNull = (all: readonly string[]): readonly string[] | null => (all.length > 0 ? all : null)

interface Bundle {
  readonly certificates: readonly Certificate[]
  readonly keys: readonly CaKey[]
}

function readBundle(text: string, withKeys: boolean): Bundle {
  if (!isPem(text)) throw badRequest('pem_bundle is not PEM')
  const blocks = readPem(text)
  const secrets = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'))
  if (secrets.length > 0 && !withKeys) throw badRequest('pem_bundle: this path takes no private keys')
  const hasCertificates = blocks.some(({ label }) => label === 'CERTIFICATE')
  if (secrets.length === 0 && !hasCertificates) throw badRequest('pem_bundle holds neither certificate nor key')
  const certificates = hasCertificates ? readCertificates('pem_bundle', text) : []
  assertCas('pem_bundle', certificates)
  return { certificates, keys: secrets.map(({ der, label }) => caKey(readKeyField('pem_bundle', pem(label, der)))) }
}

function addAll({ certificates, keys }: Bundle, context: Context): void {
  const { store } = context
  for (const key of keys) addKey(store, key)
  joinKeys(store)
  for (const parsed of certificates) {
    if (issuersOf(store).some(({ id }) => id === issuerId({ parsed }))) continue
    const origin = parsed.subject.equals(parsed.issuer) ? 'submitted-root' : 'submitted-intermediate'
    addIssuer(context, caCertificate(parsed.der, [], origin), keyFor(store, parsed))
  }
  rotate(context)
}

/** Returns the handler that imports certificates, and also keys if `withKeys` is true. */
const importFrom =
  (withKeys: boolean) =>
  ({ body }: Call, context: Context): Reply => {
    const { store } = context
    const bundle = readBundle(textField(body, 'pem_bundle') ?? '', withKeys)
    const before = new Set([...issuersOf(store), ...keysOf(store)].map(({ id }) => id))
    addAll(bundle, context)
    const issuers = bundle.certificates.map((parsed) => issuerId({ parsed }))
    const keys = bundle.keys.map(keyId)
    const those = (all: readonly string[], were: boolean) => orNull(all.filter((id) => before.has(id) === were))
    const keyByIssuer = new Map(issuersOf(store).map(({ id, key }) => [id, key ? keyId(key) : '']))
    return {
      kind: 'data',
      verbatim: true,
      data: {
        imported_issuers: those(issuers, false),
        imported_keys: those(keys, false),
        existing_issuers: those(issuers, true),
        existing_keys: those(keys, true),
        mapping: Object.fromEntries(issuers.map((id) => [id, keyByIssuer.get(id) ?? ''])),
      },
    }
  }

export const importBundle = importFrom(true)
export const importCertificates = importFrom(false)
