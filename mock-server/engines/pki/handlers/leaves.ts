/** Issues certificates by role: for a new key, for a certificate request, or for a certificate request taken
 * verbatim. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { linksTo, signCertificate } from '../certificates/issuer.ts'
import { loadIssuer } from '../certificates/issuers.ts'
import { leafUrls, loadRole, prepareLeaf, settleLeaf } from '../certificates/leaf.ts'
import { extUsagesOf, keyUsageBits } from '../certificates/profile.ts'
import { type Context, withKey } from '../context.ts'
import { readFields, requested } from '../fields.ts'
import { readNames } from '../judging/alt-name-rules.ts'
import { assertKeyFits, sizeOf } from '../judging/key-rules.ts'
import { spanOf } from '../judging/lifetimes.ts'
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
  const isAny = role.key_type === 'any'
  if (isAny && !rules.keys.any.issues)
    throw badRequest('role key type "any" is for signing requests only, not for issuing')
  const type = isAny ? 'rsa' : (role.key_type as 'rsa' | 'ec')
  const bits = sizeOf('leaf', type, role.key_bits, rules)
  const fields = requested(rules.requestFields.issue, call.body)
  const issuer = issuerFor(call, context)
  const wanted = {
    operation: 'issue',
    commonName: rules.leaves.askedName(fields.common_name, role),
    names: readNames(fields, rules.naming.issue, rules),
    excludeCommonName: fields.exclude_cn_from_sans,
    ttl: fields.ttl,
  } as const
  const make = prepareLeaf(context, issuer, role, wanted, context.identityOf(call))
  return withKey(context, 'leaf', { type, bits }, (fresh) => {
    const pair = rules.keys.taken.leaf(fresh, context.store)
    const issued = make(pair.spki)
    const key = { pair, field: true, bundle: true }
    const data = certificateData(context, issued, issuer.certificate, fields, key)
    return settleLeaf(context, 'issue', role, roleName(call), issuer, issued, data)
  })
}

export function sign(call: Call, context: Context): Reply {
  const { rules } = context
  const role = loadRole(call, context)
  const fields = requested(rules.requestFields.sign, call.body)
  const request = readRequestField(fields.csr, rules)
  assertKeyFits(role, request.spki, rules)
  const issuer = issuerFor(call, context)
  const fromRequest = rules.leaves.csrSources(role)
  const wanted = {
    operation: 'sign',
    commonName: fromRequest.commonName ? (readName(request.subject).commonName?.at(-1) ?? '') : fields.common_name,
    names: fromRequest.names ? request.altNames : readNames(fields, rules.naming.sign, rules),
    excludeCommonName: fields.exclude_cn_from_sans,
    ttl: fields.ttl,
  } as const
  const issued = prepareLeaf(context, issuer, role, wanted, context.identityOf(call))(request.spki)
  const data = certificateData(context, issued, issuer.certificate, fields)
  return settleLeaf(context, 'sign', role, roleName(call), issuer, issued, data)
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
  const fields = requested(rules.requestFields.signVerbatim, call.body)
  const { subject, spki, extensions } = readRequestField(fields.csr, rules)
  const issuer = issuerFor(call, context)
  const { certificate: ca, key } = issuer
  const caEnd = ca.parsed.notAfter
  const backdating = role.not_before_duration
  const beyondCa = issuer.settings?.leaf_not_after_behavior
  const span = spanOf(context, { kind: 'leaf', asked: fields.ttl, role, backdating, caEnd, beyondCa })
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
  const issued = signCertificate(
    { issuer: ca.parsed.subject, subject, spki, span, extensions: written },
    key,
    rules.certificates.leaf,
    context.variation(),
  )
  const data = certificateData(context, issued, ca, fields)
  return settleLeaf(context, 'sign', role, roleName(call), issuer, issued, data)
}
