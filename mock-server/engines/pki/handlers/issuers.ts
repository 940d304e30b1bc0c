/** Serves reads of issuers and of their revocation lists. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { Refusal } from '../../../kernel/http/refusal.ts'
import {
  chainAbove,
  issuerAt,
  issuersOf,
  type KnownIssuer,
  keyId,
  nameOf,
  settingsOf,
} from '../certificates/issuers.ts'
import { currentList, deltaList } from '../certificates/revocation.ts'
import { serialKey, shownSerial } from '../certificates/serials.ts'
import type { Context } from '../context.ts'
import type { Store } from '../store.ts'
import { pem } from '../x509/pem.ts'

const named = ({ params }: Call, { store }: Context): KnownIssuer => issuerAt(store, params.ref ?? '')
const dataOf = (data: object): Reply => ({ kind: 'data', data })
const bare = (contentType: string, bytes: Buffer | string): Reply => ({
  ...{ kind: 'bare', contentType, bytes },
  status: bytes.length === 0 ? 204 : 200,
})

const idOfKey = ({ key }: KnownIssuer): string => (key ? keyId(key) : '')

export function listIssuers({ store }: Context): Reply {
  const all = issuersOf(store)
  const rows = all.map((issuer) => {
    const { certificate, id, isDefault } = issuer
    const serial_number = shownSerial(serialKey(certificate.parsed.serial))
    return [id, { is_default: isDefault, issuer_name: nameOf(store, id), key_id: idOfKey(issuer), serial_number }]
  })
  const data = { keys: all.map(({ id }) => id), key_info: Object.fromEntries(rows) }
  return { kind: 'data', verbatim: true, data }
}

/** Returns the certificate of the issuer and those above it, as PEM. */
const chainOf = (store: Store, issuer: KnownIssuer): readonly string[] =>
  [issuer.certificate.parsed.der, ...chainAbove(store, issuer)].map((der) => `${pem('CERTIFICATE', der)}\n`)

const algorithms = { rsa: 'SHA256WithRSA', ec: 'ECDSAWithSHA256' }

export function showIssuer(issuer: KnownIssuer, store: Store): Reply {
  const { certificate, id, key } = issuer
  const settings = settingsOf(store, id)
  const { manual_chain, revokedAt, urls } = settings
  const at = revokedAt === undefined ? undefined : new Date(revokedAt)
  return dataOf({
    ca_chain: chainOf(store, issuer),
    certificate: `${certificate.pem}\n`,
    crl_distribution_points: urls.crlDistributionPoints,
    issuer_id: id,
    issuer_name: nameOf(store, id),
    issuing_certificates: urls.issuingCertificates,
    key_id: idOfKey(issuer),
    leaf_not_after_behavior: settings.leaf_not_after_behavior,
    manual_chain: manual_chain.length > 0 ? manual_chain : null,
    ocsp_servers: urls.ocspServers,
    revocation_signature_algorithm: settings.revocation_signature_algorithm || (key ? algorithms[key.pair.type] : ''),
    revoked: at !== undefined,
    ...(at && { revocation_time: Math.floor(at.getTime() / 1000), revocation_time_rfc3339: at.toISOString() }),
    usage: settings.usage.toSorted().join(','),
  })
}

export const readIssuer = (call: Call, context: Context): Reply => showIssuer(named(call, context), context.store)

export function readAsJson(call: Call, context: Context): Reply {
  const issuer = named(call, context)
  const { certificate, id } = issuer
  const { store } = context
  const shown = { issuer_id: id, issuer_name: nameOf(store, id), certificate: `${certificate.pem}\n` }
  return dataOf({ ...shown, ca_chain: chainOf(store, issuer) })
}

export const readAsPem = (call: Call, context: Context): Reply =>
  bare('application/pem-certificate-chain', chainOf(context.store, named(call, context)).join(''))

export const readAsDer = (call: Call, context: Context): Reply =>
  bare('application/pkix-cert', named(call, context).certificate.parsed.der)

type Form = 'json' | 'pem' | 'der'
type Kind = 'complete' | 'delta'

const inForm: Readonly<Record<Form, (der: Buffer) => Reply>> = {
  json(der) {
    if (der.length === 0) throw new Refusal('not-found')
    return dataOf({ crl: `${pem('X509 CRL', der)}\n` })
  },
  pem: (der) => bare('application/x-pem-file', der.length === 0 ? '' : `${pem('X509 CRL', der)}\n`),
  der: (der) => bare('application/pkix-crl', der),
}

/** Returns the handler that shows the complete list of an issuer, or its delta list. */
export const readList =
  (kind: Kind, form: Form) =>
  (call: Call, context: Context): Reply => {
    const issuer = call.params.ref === undefined ? undefined : named(call, context)
    const der = kind === 'delta' ? deltaList(context, issuer) : currentList(context, issuer)
    return inForm[form](der ?? Buffer.alloc(0))
  }

/** Signs the delta lists of all issuers immediately. */
export function rotateDelta(context: Context): Reply {
  for (const issuer of issuersOf(context.store)) deltaList(context, issuer, true)
  return dataOf({ success: true })
}
