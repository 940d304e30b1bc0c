/** Follows the path of a certificate up to the CA, as a relying party does. */
import { X509Certificate } from 'node:crypto'
import { oncePer } from '../once.ts'
import type { Certificate } from './certificate.ts'

/** What differs in a certificate, and the row that it contradicts. */
export interface CertificateFlaw {
  readonly row: string
  readonly at: string
  readonly wanted: string
  readonly saw: string
  /** True if it may be a result of something else, so that it counts only if nothing else was found. */
  readonly isSecond?: true
}

export type Kind = keyof typeof rows

/** The rows that require certificates which relying parties accept, by kind of certificate. */
export const rows = {
  leaf: {
    whole: 'pki.issue.whole',
    power: 'pki.issue.whole',
    signed: 'pki.issue.signed-by-ca',
    lifetime: 'pki.issue.ttl.used',
    key: 'pki.issue.private-key.belongs',
    noKey: 'pki.issue.private-key.belongs',
  },
  root: {
    whole: 'pki.root.whole',
    power: 'pki.root.is-ca',
    signed: 'pki.state.generate.self-signed',
    lifetime: 'pki.root.ttl.used',
    key: 'pki.root.private-key.belongs',
    noKey: 'pki.root.type.internal',
  },
  intermediate: {
    whole: 'pki.sign-intermediate.whole',
    power: 'pki.sign-intermediate.is-ca',
    signed: 'pki.sign-intermediate.signed-by-ca',
    lifetime: 'pki.sign-intermediate.ttl.used',
    key: 'pki.sign-intermediate.key-of-csr',
    noKey: 'pki.sign-intermediate.key-of-csr',
  },
} as const
export const pathRow = 'pki.sign-intermediate.path'

const common = ({ subject }: Certificate): string => subject.common_name?.join() ?? 'no common name'

const readByNode = oncePer(({ der }: Certificate) => new X509Certificate(der))

/** Returns the extension that a certificate has twice, which relying parties reject before they look at its issuer. */
export function repetitionIn({ listed }: Certificate, row: string): CertificateFlaw | undefined {
  const ids = listed.map(({ oid }) => oid)
  const twice = ids.find((oid, index) => ids.indexOf(oid) !== index)
  return twice === undefined ? undefined : { row, at: `extension ${twice}`, wanted: 'at most once', saw: 'twice' }
}

/** Returns what is wrong with a certificate of this kind in relation to the certificate of its issuer. */
export function linkFlaw(found: Certificate, issuer: Certificate, kind: Kind): CertificateFlaw | undefined {
  const ofIssuer = rows[issuer.isSignedBy(issuer.publicKey) ? 'root' : 'intermediate']
  const flaw = (at: string, wanted: string, saw: string): CertificateFlaw => ({
    ...{ row: at === 'issuing CA' ? ofIssuer.power : rows[kind].signed, at, wanted, saw },
  })
  if (!found.issuerDer.equals(issuer.subjectDer))
    return flaw('issuer', `the subject of the CA, byte by byte (${common(issuer)})`, JSON.stringify(found.issuer))
  if (!issuer.basicConstraints?.ca) return flaw('issuing CA', 'a CA by its Basic Constraints', common(issuer))
  if (issuer.keyUsage && !issuer.keyUsage.includes('CertSign'))
    return flaw('issuing CA', 'a key usage for signing certificates', issuer.keyUsage.join(', '))
  const [own, above] = [readByNode(found), readByNode(issuer)]
  if (!own.checkIssued(above))
    return (
      repetitionIn(found, rows[kind].whole) ??
      repetitionIn(issuer, ofIssuer.whole) ??
      flaw('authority key id', 'that of the issuing CA', 'another')
    )
  return own.verify(above.publicKey) ? undefined : flaw('signature', 'one that verifies', 'one that does not')
}

function lengthFlaw(issuer: Certificate, depth: number): CertificateFlaw | undefined {
  const { pathLength = depth } = issuer.basicConstraints ?? {}
  const wanted = `at most ${pathLength} intermediates below ${common(issuer)}`
  return pathLength < depth ? { row: pathRow, at: 'path', wanted, saw: String(depth) } : undefined
}

/** Follows the path upwards as far as its certificates are known. Returns these certificates, or the flaw that breaks
 * the path. */
export function pathTo(
  found: Certificate,
  known: readonly Certificate[],
  kind: Kind = 'leaf',
): CertificateFlaw | { readonly certificates: readonly Certificate[] } {
  const certificates = [found]
  for (let depth = 0; depth < 5; depth++) {
    const last = certificates.at(-1) ?? found
    const isIn = (one: Certificate): boolean => certificates.some(({ der }) => der.equals(one.der))
    const issuer = known.find((one) => !isIn(one) && last.isSignedBy(one.publicKey))
    if (!issuer) break
    const flaw = linkFlaw(last, issuer, depth === 0 ? kind : 'intermediate') ?? lengthFlaw(issuer, depth)
    if (flaw) return flaw
    certificates.push(issuer)
    if (issuer.isSignedBy(issuer.publicKey)) break
  }
  return { certificates }
}
