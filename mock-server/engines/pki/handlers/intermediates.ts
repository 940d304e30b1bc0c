/** Creates a certificate request for this CA, installs the signed certificate, and signs certificates of other CAs. */

import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { Refusal } from '../../../kernel/http/refusal.ts'
import { applyStep, stepFor } from '../certificates/authority.ts'
import { intermediateOf, namesExtension, personOf } from '../certificates/ca-certificate.ts'
import { keep } from '../certificates/issuer.ts'
import { addIssuer, hasIssuers, issuerId, keyId, loadIssuer } from '../certificates/issuers.ts'
import { rotate } from '../certificates/revocation.ts'
import { newSerial } from '../certificates/serials.ts'
import { type Context, withKey } from '../context.ts'
import { readFields } from '../fields.ts'
import { assertCaKey, isKeyShown, sizeOf } from '../judging/key-rules.ts'
import { spanOf } from '../judging/lifetimes.ts'
import { assertCas, readCertificates, readRequestField } from '../pem-input.ts'
import { certificateData, requestData } from '../replies.ts'
import { type CaKey, caCertificate, caKey } from '../store.ts'
import type { Certificate } from '../x509/certificate.ts'
import { isSameKey } from '../x509/keys.ts'
import { assertKeyName, keyOf, nameKey } from './named.ts'

/** What happens to the new key of a certificate request: it replaces that of the CA, or is added to the mount. */
type Asking = (key: CaKey, context: Context) => void

/** Removes the CA of the document until a certificate for the new key is installed. Versions with several issuers keep
 * it as an issuer that is not the default. */
const instead: Asking = (key, context) => {
  const { store } = context
  const { certificate, key: former } = store.ca
  applyStep(context, stepFor(context, 'generateIntermediate'), { requested: key })
  if (certificate && !store.ca.certificate && hasIssuers(context))
    store.issuers.further = [...store.issuers.further, { certificate, key: former, list: { ...store.list } }]
}

/** Creates a certificate request for a new key, or for a key of the mount that the caller names. */
export function generateIntermediate(call: Call, context: Context, asking = instead): Reply | Promise<Reply> {
  const { body, params } = call
  const { rules } = context
  if (params.type === 'existing' && hasIssuers(context)) return requestFor(keyOf(call, context).key, call, context)
  assertKeyName(call, context)
  const isShown = isKeyShown(params.type)
  const fields = readFields(rules.requestFields.intermediate, body)
  const type = fields.key_type as 'rsa' | 'ec'
  const bits = sizeOf(type, fields.key_bits, rules)
  assertCaKey(context, type, bits)
  personOf(context, fields)
  return withKey(context, { type, bits }, (pair): Reply => {
    const key = caKey(pair)
    asking(key, context)
    nameKey(call, key, context)
    return requestFor(key, call, context, isShown)
  })
}

function requestFor(key: CaKey, { body }: Call, context: Context, isShown = false): Reply {
  const fields = readFields(context.rules.requestFields.intermediate, body)
  const person = personOf(context, fields)
  const draft = { subject: person.subject, spki: key.pair.spki, extensions: namesExtension(person) }
  const der = context.signing.request(draft, key)
  const data = requestData(context, der, fields, isShown ? key.pair : undefined)
  const named = hasIssuers(context) ? { key_id: keyId(key) } : {}
  return { kind: 'data', data: { ...data, ...named } }
}

export function setSigned({ body }: Call, context: Context): Reply {
  const { certificate: text } = readFields(context.rules.requestFields.setSigned, body)
  const [own, ...further] = readCertificates('certificate', text)
  const apart = hasIssuers(context) ? keyApart(context, own) : undefined
  const step = apart ? undefined : stepFor(context, 'setSigned')
  assertCas('certificate', [own, ...further])
  const chain = further.map(({ der }) => der)
  if (!step) return addSigned(context, own, chain, apart)
  applyStep(context, step, { key: keyFor(context, own), certificate: caCertificate(own.der, chain, 'signed') })
  return done
}

/** Finds the key of a certificate among the keys that belong to no issuer, such as that of an additional request. */
const keyApart = ({ store }: Context, { spki }: Certificate): CaKey | undefined =>
  store.issuers.keys.find(({ pair }) => isSameKey(pair.spki, spki))

/** Adds an issuer, with the certificates above it. */
function addSigned(context: Context, own: Certificate, chain: readonly Buffer[], key: CaKey | undefined): Reply {
  addIssuer(context, caCertificate(own.der, chain, 'signed'), key)
  rotate(context)
  const issuer = issuerId({ parsed: own })
  const mapping = { [issuer]: key ? keyId(key) : '' }
  const existing = { existing_issuers: null, existing_keys: null }
  return {
    kind: 'data',
    verbatim: true,
    data: { imported_issuers: [issuer], imported_keys: null, ...existing, mapping },
  }
}

/** Finds the key of the request that the certificate is for, or the key of the CA whose certificate it renews. */
function keyFor({ store: { ca } }: Context, { spki }: Certificate): CaKey {
  const key = [...ca.requested, ...(ca.key ? [ca.key] : [])].find(({ pair }) => isSameKey(pair.spki, spki))
  if (key) return key
  throw new Refusal('internal', {
    message: 'verification of parsed bundle failed: public key of certificate does not match private key',
  })
}

export function signIntermediate({ body, params }: Call, context: Context): Reply {
  const { rules } = context
  const fields = readFields(rules.requestFields.signIntermediate, body)
  const request = readRequestField(fields.csr, rules)
  const issuer = loadIssuer(context, params.ref)
  const { certificate } = issuer
  const { subject, notAfter: caEnd } = certificate.parsed
  const draft = {
    ...spanOf(context, { kind: 'intermediate', asked: fields.ttl, backdating: rules.caBackdating, caEnd }),
    ...intermediateOf(context, issuer, fields, request),
    serial: newSerial(),
    issuer: subject,
    spki: request.spki,
  }
  const issued = context.signing.intermediate(draft, issuer)
  keep(context, issued, certificate)
  return {
    kind: 'data',
    data: certificateData(context, issued, certificate, { ...fields, chain: params.ref !== undefined }),
  }
}
