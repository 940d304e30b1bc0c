/** Issues certificates by role: for a new key, for a certificate request, or for a certificate request taken
 * verbatim. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { linksTo } from '../certificates/issuer.ts'
import { loadIssuer } from '../certificates/issuers.ts'
import { leafSpan, leafUrls, loadRole, prepareLeaf, settleLeaf } from '../certificates/leaf.ts'
import { extUsagesOf, keyUsageBits } from '../certificates/profile.ts'
import { newSerial } from '../certificates/serials.ts'
import { type Context, withKey } from '../context.ts'
import { readFields } from '../fields.ts'
import { readNames } from '../judging/alt-name-rules.ts'
import { assertKeyFits, sizeOf } from '../judging/key-rules.ts'
import { readRequestField } from '../pem-input.ts'
import { certificateData } from '../replies.ts'
import type { Issuer } from '../store.ts'
import { extKeyUsage, keyUsage, subjectKeyId } from '../x509/extensions.ts'
import { keyIdOf } from '../x509/keys.ts'
import { readName } from '../x509/names.ts'
import { extensions as oids } from '../x509/oids.ts'
import { signerBy } from '../x509/signer.ts'

const roleName = ({ params }: Call): string => params.name ?? ''

/** Returns the issuer that the path names, or else that of the role, with the hash that the role sets for RSA keys. */
function issuerFor(call: Call, context: Context): Issuer {
  const role = context.store.issuers.ofRoles.get(roleName(call))
  const issuer = loadIssuer(context, call.params.ref ?? role?.issuer_ref)
  const { pair, signer } = issuer.key
  if (!role?.signature_bits || pair.type !== 'rsa') return issuer
  return { ...issuer, key: { pair, signer: signerBy(signer, 'rsa', `sha${role.signature_bits}`) } }
}

export function issue(call: Call, context: Context): Reply | Promise<Reply> {
  const { rules } = context
  const role = loadRole(call, context)
  const { key_type: type } = role
  if (type !== 'rsa' && type !== 'ec')
    throw badRequest(`role key type ${JSON.stringify(type)} is for signing requests only, not for issuing`)
  const bits = sizeOf(type, role.key_bits, rules)
  const fields = readFields(rules.requestFields.issue, call.body)
  const issuer = issuerFor(call, context)
  const wanted = {
    commonName: fields.common_name,
    names: readNames(fields),
    excludeCommonName: fields.exclude_cn_from_sans,
    ttl: fields.ttl,
  }
  const make = prepareLeaf(context, issuer, role, wanted, context.identityOf(call))
  return withKey(context, { type, bits }, (pair) => {
    const issued = make(pair.spki)
    const data = certificateData(context, issued, issuer.certificate, fields, pair)
    return settleLeaf(context, role, issuer, issued, data)
  })
}

export function sign(call: Call, context: Context): Reply {
  const { rules } = context
  const role = loadRole(call, context)
  const fields = readFields(rules.requestFields.sign, call.body)
  const request = readRequestField(fields.csr, rules)
  assertKeyFits(role, request.spki, rules)
  const issuer = issuerFor(call, context)
  const wanted = {
    commonName: role.use_csr_common_name ? (readName(request.subject).commonName?.at(-1) ?? '') : fields.common_name,
    names: role.use_csr_sans ? request.altNames : readNames(fields),
    excludeCommonName: fields.exclude_cn_from_sans,
    ttl: fields.ttl,
  }
  const issued = prepareLeaf(context, issuer, role, wanted, context.identityOf(call))(request.spki)
  const data = certificateData(context, issued, issuer.certificate, fields)
  return settleLeaf(context, role, issuer, issued, data)
}

/** The signer sets these extensions, whatever the certificate request contains. */
const own: ReadonlySet<string> = new Set([
  oids.basicConstraints,
  oids.subjectKeyId,
  oids.authorityKeyId,
  oids.authorityAccess,
  oids.crlDistributionPoints,
])

/** Keeps the subject and the extensions of the certificate request. A role sets only the lifetime, the issuer, and
 * whether the certificate is stored and has a lease. */
export function signVerbatim(call: Call, context: Context): Reply {
  const { rules } = context
  const role = call.params.name === undefined ? readFields(rules.roleFields, {}) : loadRole(call, context)
  const fields = readFields(rules.requestFields.signVerbatim, call.body)
  const { subject, spki, extensions } = readRequestField(fields.csr, rules)
  const issuer = issuerFor(call, context)
  const { certificate: ca } = issuer
  const copied = extensions.filter(({ oid }) => !own.has(oid))
  const lacks = (oid: string): boolean => !copied.some((extension) => extension.oid === oid)
  const bits = keyUsageBits(fields.key_usage, rules.usages)
  const ext = extUsagesOf(fields.ext_key_usage, [], rules.usages)
  const written = [
    ...(lacks(oids.keyUsage) && bits.size > 0 ? [keyUsage(bits)] : []),
    ...(lacks(oids.extKeyUsage) && ext.length > 0 ? [extKeyUsage(ext)] : []),
    subjectKeyId(keyIdOf(spki)),
    ...linksTo(ca, leafUrls(context, issuer)),
    ...copied.map(({ bytes }) => bytes),
  ]
  const span = leafSpan(context, issuer, role, fields.ttl)
  const draft = { ...span, serial: newSerial(), issuer: ca.parsed.subject, subject, spki, extensions: written }
  const issued = context.signing.leaf(draft, issuer)
  const data = certificateData(context, issued, ca, fields)
  return settleLeaf(context, role, issuer, issued, data)
}
