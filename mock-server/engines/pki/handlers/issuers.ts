/** The issuers and keys of a mount, which clients of version 1.11 and later read. A mount has one CA, so it has one
 * issuer with one key. Their ids follow from certificate and key, and are the same after a restart. */
import { createHash } from 'node:crypto'
import type { Call, Reply, Route, ServerFacts } from '../../../kernel/contracts.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { isSince } from '../../../kernel/versions.ts'
import { findIssuer, type Issuer, keyIdOfCa } from '../certificates/issuer.ts'
import { currentList } from '../certificates/revocation.ts'
import { serialKey, shownSerial } from '../certificates/serials.ts'
import type { Context } from '../context.ts'
import { noUrls } from '../store.ts'
import { pem } from '../x509/pem.ts'

const firstVersion = '1.11.0'

function uuidOf(bytes: Buffer): string {
  const hex = createHash('sha256').update(bytes).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

/** The ids of issuer and key, as replies about a CA name them. */
export interface IssuerIds {
  readonly issuer_id: string
  readonly issuer_name: string
  readonly key_id: string
}

const idsOf = ({ certificate, key }: Issuer): IssuerIds => ({
  issuer_id: uuidOf(certificate.parsed.der),
  issuer_name: '',
  key_id: uuidOf(key.pair.spki),
})

const unknownIssuer = (ref: string) => badRequest(`unable to find PKI issuer for reference: ${ref}`)

/** What a reply that made the CA says of the issuer, in versions that have issuers. */
export function madeIssuer(context: Context): object {
  const issuer = isSince(context.facts.version, firstVersion) ? findIssuer(context) : undefined
  return issuer ? { ...idsOf(issuer), key_name: '' } : {}
}

/** Finds the issuer by `default` or by its id. */
function issuerAt(ref: string, context: Context): Issuer & IssuerIds {
  const issuer = findIssuer(context)
  const ids = issuer && idsOf(issuer)
  if (!issuer || !ids || (ref !== 'default' && ref !== ids.issuer_id)) throw unknownIssuer(ref)
  return { ...issuer, ...ids }
}

const refOf = (call: Call): string => call.params.ref ?? ''
const dataOf = (data: object): Reply => ({ kind: 'data', data })
const bare = (contentType: string, bytes: Buffer | string): Reply => ({ kind: 'bare', status: 200, contentType, bytes })

function listIssuers(context: Context): Reply {
  const issuer = findIssuer(context)
  if (!issuer) return dataOf({ keys: [], key_info: {} })
  const { issuer_id, issuer_name, key_id } = idsOf(issuer)
  const serial_number = shownSerial(serialKey(issuer.certificate.parsed.serial))
  const key_info = { [issuer_id]: { is_default: true, issuer_name, key_id, serial_number } }
  return { kind: 'data', verbatim: true, data: { keys: [issuer_id], key_info } }
}

function listKeys(context: Context): Reply {
  const issuer = findIssuer(context)
  if (!issuer) return dataOf({ keys: [], key_info: {} })
  const { key_id } = idsOf(issuer)
  return {
    kind: 'data',
    verbatim: true,
    data: { keys: [key_id], key_info: { [key_id]: { is_default: true, key_name: '' } } },
  }
}

/** The certificate of the issuer, and those above it. */
const chainOf = ({ certificate }: Issuer): readonly string[] =>
  [certificate.pem, ...certificate.chain.map((der) => pem('CERTIFICATE', der))].map((text) => `${text}\n`)

function shownIssuer(call: Call, context: Context): Reply {
  const issuer = issuerAt(refOf(call), context)
  const urls = context.store.urls ?? noUrls
  return dataOf({
    ca_chain: chainOf(issuer),
    certificate: `${issuer.certificate.pem}\n`,
    crl_distribution_points: urls.crlDistributionPoints,
    issuer_id: issuer.issuer_id,
    issuer_name: issuer.issuer_name,
    issuing_certificates: urls.issuingCertificates,
    key_id: issuer.key_id,
    leaf_not_after_behavior: 'truncate',
    manual_chain: null,
    ocsp_servers: urls.ocspServers,
    revocation_signature_algorithm: issuer.key.pair.type === 'rsa' ? 'SHA256WithRSA' : 'ECDSAWithSHA256',
    revoked: false,
    usage: 'crl-signing,issuing-certificates,read-only',
  })
}

function publicIssuer(call: Call, context: Context): Reply {
  const { certificate, issuer_id, issuer_name, ...issuer } = issuerAt(refOf(call), context)
  const ca_chain = chainOf({ ...issuer, certificate })
  return dataOf({ ca_chain, certificate: `${certificate.pem}\n`, issuer_id, issuer_name })
}

const listOf = (call: Call, context: Context): Buffer => {
  issuerAt(refOf(call), context)
  return currentList(context, 'crl') ?? Buffer.alloc(0)
}

function readKey(call: Call, context: Context): Reply {
  const issuer = findIssuer(context)
  const ref = refOf(call)
  if (!issuer || (ref !== 'default' && ref !== idsOf(issuer).key_id))
    throw badRequest(`unable to find PKI key for reference: ${ref}`)
  const subject = keyIdOfCa(issuer.certificate).toString('hex')
  return dataOf({
    key_id: idsOf(issuer).key_id,
    key_name: '',
    key_type: issuer.key.pair.type,
    subject_key_id: subject.replaceAll(/(..)(?!$)/g, '$1:'),
  })
}

function readDefault(of: 'issuer_id' | 'key_id', more: object, context: Context): Reply {
  const issuer = findIssuer(context)
  return dataOf({ default: issuer ? idsOf(issuer)[of] : '', ...more })
}

/** There is one issuer, so it is the default, and nothing else can be. */
function writeDefault(call: Call, context: Context): Reply {
  const { default: ref = 'default', default_follows_latest_issuer: follows = false } = call.body
  if (follows !== false && follows !== 'false')
    throw badRequest('default_follows_latest_issuer: a mount of this server has one issuer, which is the default')
  issuerAt(String(ref), context)
  return readDefault('issuer_id', { default_follows_latest_issuer: false }, context)
}

type Handler = (call: Call, context: Context) => Reply

const endpoints: readonly (readonly [Route['verb'], path: string, Route['access'], Handler])[] = [
  ['LIST', 'issuers', 'anyone', (_, context) => listIssuers(context)],
  ['LIST', 'keys', 'token', (_, context) => listKeys(context)],
  ['GET', 'issuer/:ref', 'token', shownIssuer],
  ['GET', 'issuer/:ref/json', 'anyone', publicIssuer],
  [
    ...(['GET', 'issuer/:ref/pem', 'anyone'] as const),
    (call, context) => bare('application/pem-certificate-chain', chainOf(issuerAt(refOf(call), context)).join('')),
  ],
  [
    ...(['GET', 'issuer/:ref/der', 'anyone'] as const),
    (call, context) => bare('application/pkix-cert', issuerAt(refOf(call), context).certificate.parsed.der),
  ],
  [
    ...(['GET', 'issuer/:ref/crl', 'anyone'] as const),
    (call, context) => dataOf({ crl: `${pem('X509 CRL', listOf(call, context))}\n` }),
  ],
  [
    ...(['GET', 'issuer/:ref/crl/pem', 'anyone'] as const),
    (call, context) => bare('application/x-pem-file', `${pem('X509 CRL', listOf(call, context))}\n`),
  ],
  ['GET', 'issuer/:ref/crl/der', 'anyone', (call, context) => bare('application/pkix-crl', listOf(call, context))],
  ['GET', 'key/:ref', 'token', readKey],
  [
    ...(['GET', 'config/issuers', 'token'] as const),
    (_, context) => readDefault('issuer_id', { default_follows_latest_issuer: false }, context),
  ],
  ['POST', 'config/issuers', 'token', writeDefault],
  ['GET', 'config/keys', 'token', (_, context) => readDefault('key_id', {}, context)],
]

const available = ({ version }: ServerFacts): boolean => isSince(version, firstVersion)

export const issuerRoutes = (context: Context): Route[] =>
  endpoints.map(([verb, path, access, handle]) => ({
    ...{ verb, path, access, available },
    handle: (call: Call) => handle(call, context),
  }))
