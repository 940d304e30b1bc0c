/** Finds what a relying party or the requester would reject in any certificate: a path that does not verify, or names,
 * usages and keys that were not requested (reading 70). A server may add what only restricts or informs. */
import { X509Certificate } from 'node:crypto'
import type { JsonObject, Reply, Scope, Seen } from '../../harness/vocabulary/index.ts'
import { address, type Certificate, type Sans } from './judge-certificate.ts'
import { allCertificates, certificatesOf, isKeyOf, keysOf, signingRequestsIn } from './judge-reply.ts'
import { oncePer } from './once.ts'
import { usageOids } from './usage-oids.ts'

export interface Flaw {
  readonly at: string
  readonly wanted: string
  readonly saw: string
}

/** The request that made the certificate, as far as the reply and the scope show it. */
interface Making {
  readonly kind: 'leaf' | 'root' | 'intermediate'
  readonly body: JsonObject
  /** The body of each write of the role. */
  readonly roles: readonly JsonObject[]
  readonly isInternal: boolean
}

function makingOf(reply: Reply, scope: Scope): Making | undefined {
  const made = /^(?:POST|PUT) (([^/]+)\/(issue|sign|root\/generate|root\/sign-intermediate)(?:\/([^/]+))?)$/.exec(
    reply.asked,
  )
  if (!made) return undefined
  const [, path = '', mount = '', what = '', name = ''] = made
  const body = scope.served(path).at(-1)
  if (!body) return undefined
  const isLeaf = what === 'issue' || what === 'sign'
  return {
    kind: isLeaf ? 'leaf' : what === 'root/generate' ? 'root' : 'intermediate',
    body,
    roles: isLeaf ? scope.served(`${mount}/roles/${name}`) : [],
    isInternal: what !== 'issue' && name !== 'exported',
  }
}

/** The names under which earlier steps save certificates of possible signers. */
const savedNames = ['ca', 'signed', 'bundle', 'top', 'parent']

const savedIn = (scope: Scope): readonly Certificate[] =>
  savedNames.flatMap((name) => (scope.has(name) ? certificatesOf(scope.value(name)) : []))

const common = ({ subject }: Certificate): string => subject.common_name?.join() ?? 'no common name'

const readByNode = oncePer(({ der }: Certificate) => new X509Certificate(der))

/** Returns what is wrong with a certificate in relation to the certificate of its issuer. */
function linkFlaw(found: Certificate, issuer: Certificate): Flaw | undefined {
  const flaw = (at: string, wanted: string, saw: string): Flaw => ({ at, wanted, saw })
  if (!found.issuerDer.equals(issuer.subjectDer))
    return flaw('issuer', `the subject of the CA, byte by byte (${common(issuer)})`, JSON.stringify(found.issuer))
  if (!issuer.basicConstraints?.ca) return flaw('issuing CA', 'a CA by its Basic Constraints', common(issuer))
  if (issuer.keyUsage && !issuer.keyUsage.includes('CertSign'))
    return flaw('issuing CA', 'a key usage for signing certificates', issuer.keyUsage.join(', '))
  const [own, above] = [readByNode(found), readByNode(issuer)]
  if (!own.checkIssued(above)) return flaw('authority key id', 'that of the issuing CA', 'another')
  return own.verify(above.publicKey) ? undefined : flaw('signature', 'one that verifies', 'one that does not')
}

/** Follows the path upwards as far as its certificates are known. Returns these certificates, or the flaw that breaks
 * the path. */
export function pathTo(
  found: Certificate,
  known: readonly Certificate[],
): Flaw | { readonly certificates: readonly Certificate[] } {
  const certificates = [found]
  for (let depth = 0; depth < 5; depth++) {
    const last = certificates.at(-1) ?? found
    const isIn = (one: Certificate): boolean => certificates.some(({ der }) => der.equals(one.der))
    const issuer = known.find((one) => !isIn(one) && last.isSignedBy(one.publicKey))
    if (!issuer) break
    const flaw = linkFlaw(last, issuer)
    if (flaw) return flaw
    const { pathLength } = issuer.basicConstraints ?? {}
    if (pathLength !== undefined && pathLength < depth)
      return { at: 'path', wanted: `at most ${pathLength} intermediates below ${common(issuer)}`, saw: String(depth) }
    certificates.push(issuer)
    if (issuer.isSignedBy(issuer.publicKey)) break
  }
  return { certificates }
}

const understood: ReadonlySet<string> = new Set(
  ['14', '15', '17', '18', '19', '30', '31', '32', '33', '35', '36', '37', '54'].map((last) => `2.5.29.${last}`),
)

/** Returns what every relying party rejects, whoever signed the certificate. */
function formFlaw(found: Certificate, { body }: Making, { at, headers }: Reply): Flaw | undefined {
  const ids = found.listed.map(({ oid }) => oid)
  const twice = ids.find((oid, index) => ids.indexOf(oid) !== index)
  if (twice !== undefined) return { at: `extension ${twice}`, wanted: 'at most once', saw: 'twice' }
  const strange = found.listed.find(({ oid, critical }) => critical && !understood.has(oid))
  if (strange && body.use_csr_values !== true)
    return { at: `extension ${strange.oid}`, wanted: 'none that is critical and unknown', saw: 'critical' }
  if (found.notAfter <= found.notBefore) return { at: 'validity', wanted: 'an end after its beginning', saw: 'none' }
  // `at` is by the clock of the target, in whole seconds, only if the reply has a `Date` header.
  if (headers.date !== undefined && found.notBefore > at + 5_000)
    return { at: 'NotBefore', wanted: 'no later than the time of issue', saw: new Date(found.notBefore).toISOString() }
  return undefined
}

const entriesOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []).map((one) => String(one).trim())

const folded = (values: readonly string[]): ReadonlySet<string> => new Set(values.map((value) => value.toLowerCase()))

const otherOf = (entry: string): string => entry.replace(/;[^:]*:/, ';')

/** Returns the first name in a certificate that neither the request nor its CSR has. */
function nameFlaw({ sans }: { readonly sans: Sans }, { body }: Making): Flaw | undefined {
  const [csr] = typeof body.csr === 'string' ? signingRequestsIn(body.csr) : []
  const common_names = [...entriesOf(body.common_name), ...(csr?.subject.common_name ?? [])]
  const asked = [...common_names, ...entriesOf(body.alt_names)]
  const kinds: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['DNS SAN', sans.dns, [...asked, ...(csr?.sans.dns ?? [])]],
    ['email SAN', sans.email, [...asked, ...(csr?.sans.email ?? [])]],
    ['IP SAN', sans.ip, [...[...entriesOf(body.ip_sans), ...asked].map(plainAddress), ...(csr?.sans.ip ?? [])]],
    ['URI SAN', sans.uri, [...entriesOf(body.uri_sans), ...(csr?.sans.uri ?? [])]],
    [
      'custom SAN',
      sans.other.map(({ oid, value }) => `${oid};${value}`),
      [
        ...entriesOf(body.other_sans).map(otherOf),
        ...(csr?.sans.other ?? []).map(({ oid, value }) => `${oid};${value}`),
      ],
    ],
  ]
  for (const [at, held, allowed] of kinds) {
    const more = held.filter((name) => !folded(allowed).has(name.toLowerCase()))
    if (more.length > 0) return { at, wanted: 'no name that nobody asked for', saw: more.join(', ') }
  }
  return undefined
}

/** Returns the normalized address, or an invalid one as it is written. */
function plainAddress(text: string): string {
  try {
    return address(text)
  } catch {
    return text
  }
}

const usageNames: Readonly<Record<string, string>> = { nonrepudiation: 'contentcommitment', keycertsign: 'certsign' }
const flags = {
  server_flag: ['ServerAuth', true],
  client_flag: ['ClientAuth', true],
  code_signing_flag: ['CodeSigning', false],
  email_protection_flag: ['EmailProtection', false],
} as const

const defaultUsages = ['DigitalSignature', 'KeyAgreement', 'KeyEncipherment']

/** Returns the key usages that a role allows; undefined if it does not restrict them. */
function usagesOf(role: JsonObject): ReadonlySet<string> | undefined {
  const named = role.key_usage === undefined ? defaultUsages : entriesOf(role.key_usage).filter((name) => name !== '')
  if (named.length === 0) return undefined
  return new Set(named.map((name) => usageNames[name.toLowerCase()] ?? name.toLowerCase()))
}

/** Returns the extended key usages that a role allows; undefined if it does not restrict them, or has a name that we do
 * not know. */
function extendedOf(role: JsonObject): ReadonlySet<string> | undefined {
  const byFlag = Object.entries(flags).flatMap(([flag, [name, on]]) => ((role[flag] ?? on) ? [usageOids[name]] : []))
  const known = Object.entries(usageOids).map(([name, oid]) => [name.toLowerCase(), oid] as const)
  const names = entriesOf(role.ext_key_usage).filter((name) => name !== '')
  const named = names.map((name) => new Map(known).get(name.toLowerCase()))
  if (named.includes(undefined)) return undefined
  const all = [...byFlag, ...(named as string[]), ...entriesOf(role.ext_key_usage_oids).filter((oid) => oid !== '')]
  return all.length === 0 ? undefined : new Set(all)
}

function beyond(
  held: readonly string[] | undefined,
  roles: readonly JsonObject[],
  allowedBy: (role: JsonObject) => ReadonlySet<string> | undefined,
): readonly string[] {
  // The documents leave open whether a second write of a role replaces the first, so either may apply.
  const allowed = roles.map(allowedBy)
  if (allowed.length === 0 || allowed.includes(undefined)) return []
  return (held ?? []).filter((one) => !allowed.some((set) => set?.has(one)))
}

/** Returns what a certificate may wrongly be used for, or what a CA certificate lacks to sign others. */
function powerFlaw(found: Certificate, { kind, roles }: Making): Flaw | undefined {
  const { basicConstraints, keyUsage, extKeyUsage } = found
  if (kind !== 'leaf') {
    if (!basicConstraints?.ca) return { at: 'Basic Constraints', wanted: 'those of a CA', saw: 'those of no CA' }
    if (keyUsage && !keyUsage.includes('CertSign'))
      return { at: 'key usage', wanted: 'the signing of certificates', saw: keyUsage.join(', ') }
    return undefined
  }
  if (basicConstraints?.ca) return { at: 'Basic Constraints', wanted: 'those of no CA', saw: 'those of a CA' }
  const usages = beyond(
    keyUsage?.map((name) => name.toLowerCase()),
    roles,
    usagesOf,
  )
  if (usages.length > 0) return { at: 'key usage', wanted: 'none that the role does not name', saw: usages.join(', ') }
  const extended = beyond(extKeyUsage, roles, extendedOf)
  if (extended.length > 0)
    return { at: 'extended key usage', wanted: 'none that the role does not name', saw: extended.join(', ') }
  return undefined
}

/** Returns a flaw if the reply has a private key other than the one that was made for the requester. */
function keyFlaw(found: Certificate, { isInternal }: Making, reply: Reply): Flaw | undefined {
  const keys = keysOf(reply)
  if (isInternal && keys.length > 0) return { at: 'body', wanted: 'no private key', saw: 'a private key' }
  return keys.every((key) => isKeyOf(key, found.publicKey))
    ? undefined
    : { at: 'body', wanted: 'no private key but that of the certificate', saw: 'another private key' }
}

/** Returns the first flaw of the certificate in a reply. Certificates in replies to reads are not judged again, since
 * they were judged when they were made. */
export function flawOf(found: Certificate, { reply, scope }: Seen): Flaw | undefined {
  const making = makingOf(reply, scope)
  if (!making) return undefined
  const others = allCertificates(reply).filter(({ der }) => !der.equals(found.der))
  const known = [...others, ...savedIn(scope)]
  const first =
    formFlaw(found, making, reply) ??
    powerFlaw(found, making) ??
    nameFlaw(found, making) ??
    keyFlaw(found, making, reply)
  if (first) return first
  if (making.kind === 'root') return linkFlaw(found, found)
  if (others.length > 0 && !others.some(({ publicKey }) => found.isSignedBy(publicKey)))
    return { at: 'signature', wanted: 'by the key of the issuing CA in the reply', saw: 'by another key' }
  const path = pathTo(found, known)
  return 'at' in path ? path : undefined
}
