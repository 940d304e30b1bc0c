/** Creates a certificate request for this CA, installs the signed certificate, and signs certificates of other CAs. */

import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import { applyStep, stepFor } from '../certificates/authority.ts'
import { intermediateOf, namesExtension, personOf } from '../certificates/ca-certificate.ts'
import { keep, signCertificate } from '../certificates/issuer.ts'
import { addIssuer, findIssuer, hasIssuers, issuerId, keyId, loadIssuer } from '../certificates/issuers.ts'
import { rotate } from '../certificates/revocation.ts'
import { type Context, withKey } from '../context.ts'
import { requested } from '../fields.ts'
import { assertCaKey, keyShownFor, sizeOf } from '../judging/key-rules.ts'
import { spanOf } from '../judging/lifetimes.ts'
import { assertCas, readCertificates, readRequestField } from '../pem-input.ts'
import { certificateData, requestData } from '../replies.ts'
import type { CaStep } from '../rules/states.ts'
import { type CaKey, caCertificate, caKey } from '../store.ts'
import type { Certificate } from '../x509/certificate.ts'
import { isSameKey } from '../x509/keys.ts'
import { writeRequest } from '../x509/request.ts'
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
  const shown = keyShownFor('intermediate', params.type, rules)
  const fields = requested(rules.requestFields.intermediate, body)
  const type = fields.key_type as 'rsa' | 'ec'
  const bits = sizeOf('ca', type, fields.key_bits, rules)
  assertCaKey(context, type, bits)
  personOf(context, 'intermediate', fields)
  return withKey(context, 'ca', { type, bits }, (pair): Reply => {
    const key = caKey(pair)
    if (rules.authorities.requestWaits(params.type)) asking(key, context)
    nameKey(call, key, context)
    return requestFor(key, call, context, shown)
  })
}

function requestFor(key: CaKey, { body }: Call, context: Context, shown = { field: false, bundle: false }): Reply {
  const { rules } = context
  const fields = requested(rules.requestFields.intermediate, body)
  const person = personOf(context, 'intermediate', fields)
  const draft = { subject: person.subject, spki: key.pair.spki, extensions: namesExtension(person, rules) }
  const der = writeRequest(draft, rules.signers.request(key).signer)
  const data = requestData(context, der, fields, { pair: key.pair, ...shown })
  const named = hasIssuers(context) ? { key_id: keyId(key) } : {}
  return { kind: 'data', data: { ...data, ...named } }
}

export function setSigned({ body }: Call, context: Context): Reply {
  const { rules } = context
  const { certificate: text } = requested(rules.requestFields.setSigned, body)
  if (text === '') return done
  const [own, ...further] = readCertificates('certificate', text)
  const { withoutKey } = rules.authorities.setSigned
  if (context.store.ca.state === 'none' && withoutKey === 'ignored') return done
  if (context.store.ca.state === 'none' && withoutKey === 'taken') return showWithoutKey(context, own)
  const apart = hasIssuers(context) ? keyApart(context, own) : undefined
  const step = apart ? undefined : stepFor(context, 'setSigned')
  assertCas('certificate', [own, ...further])
  if (!step) return addSigned(context, own, further, apart)
  const key = keyFor(context, own)
  if (!key) return done
  const { chainOf, keepsFormerChain, keyTypes } = rules.authorities.setSigned
  if (!keyTypes.includes(key.pair.type)) throw badRequest(`certificate: the key is of type ${key.pair.type}`)
  const appended = chainOf(further.map(({ der }) => der))
  const former = keepsFormerChain ? (context.store.ca.shown?.chain ?? []) : []
  const chain = appended.length > 0 ? appended : former
  applyStep(context, step, { key, certificate: caCertificate(own.der, chain, 'signed') })
  return done
}

/** Shows a certificate as that of the CA, which cannot sign. Only a mutant calls this. */
function showWithoutKey(context: Context, own: Certificate): Reply {
  const shown: CaStep = { next: 'keyless', key: 'gone', certificate: 'gone', shown: 'new', requested: 'gone' }
  applyStep(context, shown, { certificate: caCertificate(own.der, [], 'signed') })
  return done
}

/** Finds the key of a certificate among the keys that belong to no issuer, such as that of an additional request. */
const keyApart = ({ store }: Context, { spki }: Certificate): CaKey | undefined =>
  store.issuers.keys.find(({ pair }) => isSameKey(pair.spki, spki))

/** Adds an issuer, with the certificates above it. */
function addSigned(context: Context, own: Certificate, further: readonly Certificate[], key: CaKey | undefined): Reply {
  const chain = further.map(({ der }) => der)
  addIssuer(context, caCertificate(own.der, chain, 'signed'), key)
  rotate(context, 'newCa')
  const issuer = issuerId({ parsed: own })
  const mapping = { [issuer]: key ? keyId(key) : '' }
  return { kind: 'data', verbatim: true, data: { imported_issuers: [issuer], imported_keys: null, mapping } }
}

/** Finds the key of the request that the certificate is for, or the key of the CA whose certificate it renews. */
function keyFor({ store, rules }: Context, { spki }: Certificate): CaKey | undefined {
  const { ca } = store
  const { foreign, refusalDropsKey } = rules.authorities.setSigned
  const keys = [...ca.requested, ...(ca.key ? [ca.key] : [])]
  const own = keys.find(({ pair }) => isSameKey(pair.spki, spki))
  if (own || foreign === 'ignored') return own
  if (foreign === 'taken') return keys[0]
  if (refusalDropsKey) store.ca = { ...ca, requested: [] }
  throw new Refusal('internal', {
    message: 'verification of parsed bundle failed: public key of certificate does not match private key',
  })
}

export function signIntermediate({ body, params }: Call, context: Context): Reply {
  const { rules } = context
  const fields = requested(rules.requestFields.signIntermediate, body)
  const read = readRequestField(fields.csr, rules)
  const request = { ...read, spki: rules.authorities.intermediates.certifies(read.spki) }
  const standard = findIssuer(context)
  const chosen =
    params.ref === undefined ? rules.authorities.intermediates.signedBy(standard, context.store) : undefined
  const issuer = chosen && !standard ? chosen : loadIssuer(context, params.ref)
  const { certificate } = issuer
  if (!rules.authorities.intermediates.maySign(certificate.origin))
    throw badRequest('the CA of this mount signs no intermediates')
  const { subject, notAfter: caEnd } = certificate.parsed
  const span = spanOf(context, { kind: 'intermediate', asked: fields.ttl, backdating: rules.caBackdating, caEnd })
  const made = intermediateOf(context, issuer, fields, request)
  const key = rules.signers.intermediate(issuer.key, certificate)
  const issued = signCertificate(
    { issuer: subject, spki: request.spki, span, ...made },
    key,
    rules.certificates.intermediate,
    context.variation(),
  )
  keep(context, issued, { issuer: issuerId(certificate) })
  return {
    kind: 'data',
    data: certificateData(context, issued, certificate, { ...fields, chain: params.ref !== undefined }),
  }
}
