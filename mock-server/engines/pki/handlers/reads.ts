/** What everybody may read: the CA, certificates, the list. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { Refusal } from '../../../kernel/http/refusal.ts'
import type { Mounted } from '../context.ts'
import { currentList } from '../revocation.ts'
import { serialOf, shownSerial } from '../serials.ts'
import type { CaCertificate } from '../store.ts'
import { pem } from '../x509/pem.ts'

const certificateType = 'application/pkix-cert'
const listType = 'application/pkix-crl'

/** The CA, then the certificates that were handed over with it. */
function chainPem({ store: { ca }, tables }: Mounted): string {
  if (!ca.shown) return ''
  const { origin, chain, pem: own } = ca.shown
  const first = tables.authorities.chainIncludesCa[origin] ? [own] : []
  return [...first, ...chain.map((der) => pem('CERTIFICATE', der))].join('\n')
}

/** Nothing there yet. */
function bare(mounted: Mounted, contentType: string, bytes: Buffer | string): Reply {
  if (bytes.length === 0 && mounted.manner().noCa === 'not-found') throw new Refusal('not-found')
  return mounted.tables.reads.bareReply(contentType, bytes)
}

function bareCa(mounted: Mounted, show: (ca: CaCertificate, mounted: Mounted) => Buffer | string): Reply {
  const { shown } = mounted.store.ca
  return bare(mounted, certificateType, shown ? show(shown, mounted) : '')
}

function bareList(mounted: Mounted, der: Buffer | undefined, show: (der: Buffer) => Buffer | string): Reply {
  return bare(mounted, listType, der ? show(der) : '')
}

export const readCa = (mounted: Mounted): Reply => bareCa(mounted, mounted.tables.reads.bareReads.ca)
export const readCaPem = (mounted: Mounted): Reply => bareCa(mounted, mounted.tables.reads.bareReads.caPem)
export const readCaChain = (mounted: Mounted): Reply => bare(mounted, certificateType, chainPem(mounted))
export const readCrl = (mounted: Mounted): Reply =>
  bareList(mounted, currentList(mounted, 'crl'), mounted.tables.reads.bareReads.crl)
export const readCrlPem = (mounted: Mounted): Reply =>
  bareList(mounted, currentList(mounted, 'pem'), mounted.tables.reads.bareReads.crlPem)

const named: Readonly<Record<string, (mounted: Mounted) => Buffer | string | undefined>> = {
  ca: (mounted) => mounted.store.ca.shown && mounted.tables.reads.bareReads.certCa(mounted.store.ca.shown, mounted),
  ca_chain: chainPem,
  crl(mounted) {
    const der = currentList(mounted, 'cert')
    return der && pem('X509 CRL', der)
  },
}

export function readCertificate(mounted: Mounted, { params }: Call): Reply {
  const { namedCertificates, certificates, structured } = mounted.tables.reads
  const name = params.serial ?? ''
  if (namedCertificates.includes(name)) {
    const certificate = named[name]?.(mounted)
    if (!certificate) throw new Refusal('not-found')
    if (name === 'crl' && !structured.crl) return bare(mounted, listType, certificate)
    return { kind: 'data', data: { certificate: String(certificate), revocation_time: 0 } }
  }
  const serial = serialOf(name) ?? ''
  const stored = mounted.store.certificates.get(serial)
  if (!stored || stored.views?.read === false) throw new Refusal('not-found')
  const revokedAt = mounted.store.revocations.get(serial)?.revokedAt ?? 0
  const certificate = certificates.shown(stored, mounted)
  const data = { certificate, revocation_time: Math.floor(revokedAt / 1000), ...certificates.extra(stored) }
  return { kind: 'data', data }
}

export function listCertificates({ store, tables, manner }: Mounted): Reply {
  const isListed = (serial: string): boolean => store.certificates.get(serial)?.views?.listed !== false
  const serials = tables.reads.certificates.serials(store).filter(isListed).sort()
  const keys = manner().serials === 'colons' ? serials.map(shownSerial) : serials
  return { kind: 'data', data: { keys } }
}
