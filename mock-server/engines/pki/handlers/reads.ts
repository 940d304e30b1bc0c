/** Serves reads of the CA, of certificates and of the revocation list. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { Refusal } from '../../../kernel/http/refusal.ts'
import { currentList } from '../certificates/revocation.ts'
import { serialOf, shownSerial } from '../certificates/serials.ts'
import type { Context } from '../context.ts'
import type { CaCertificate } from '../store.ts'
import { pem } from '../x509/pem.ts'

const certificateType = 'application/pkix-cert'
const listType = 'application/pkix-crl'

/** Returns the CA, followed by the certificates that were submitted with it. */
function chainPem({ store: { ca }, rules }: Context): string {
  if (!ca.shown) return ''
  const { origin, chain, pem: own } = ca.shown
  const first = rules.authorities.chainIncludesCa[origin] ? [own] : []
  return [...first, ...chain.map((der) => pem('CERTIFICATE', der))].join('\n')
}

/** Returns the bytes as a reply. If nothing exists yet, a variation of this server replies with 404. */
function bare(context: Context, contentType: string, bytes: Buffer | string): Reply {
  if (bytes.length === 0 && context.variation().noCa === 'not-found') throw new Refusal('not-found')
  return context.rules.reads.bareReply(contentType, bytes)
}

function bareCa(context: Context, show: (ca: CaCertificate, context: Context) => Buffer | string): Reply {
  const { shown } = context.store.ca
  return bare(context, certificateType, shown ? show(shown, context) : '')
}

function bareList(context: Context, der: Buffer | undefined, show: (der: Buffer) => Buffer | string): Reply {
  return bare(context, listType, der ? show(der) : '')
}

export const readCa = (context: Context): Reply => bareCa(context, context.rules.reads.bareReads.ca)
export const readCaPem = (context: Context): Reply => bareCa(context, context.rules.reads.bareReads.caPem)
export const readCaChain = (context: Context): Reply =>
  bare(context, certificateType, context.rules.reads.bareReads.caChain(chainPem(context), context))
export const readCrl = (context: Context): Reply =>
  bareList(context, currentList(context, 'crl'), context.rules.reads.bareReads.crl)
export const readCrlPem = (context: Context): Reply =>
  bareList(context, currentList(context, 'pem'), context.rules.reads.bareReads.crlPem)

const named: Readonly<Record<string, (context: Context) => Buffer | string | undefined>> = {
  ca: (context) => context.store.ca.shown && context.rules.reads.bareReads.certCa(context.store.ca.shown, context),
  ca_chain: chainPem,
  crl(context) {
    const der = currentList(context, 'cert')
    return der && pem('X509 CRL', der)
  },
}

export function readCertificate({ params }: Call, context: Context): Reply {
  const { namedCertificates, certificates, structured } = context.rules.reads
  const name = params.serial ?? ''
  if (namedCertificates.includes(name)) {
    const certificate = named[name]?.(context)
    if (!certificate) throw new Refusal('not-found')
    if (name === 'crl' && !structured.crl) return bare(context, listType, certificate)
    return { kind: 'data', data: { certificate: String(certificate), revocation_time: 0 } }
  }
  const serial = serialOf(name) ?? ''
  const stored = context.store.certificates.get(serial)
  if (!stored || stored.views?.read === false || !certificates.isShown(serial, context.store))
    throw new Refusal('not-found')
  const revokedAt = context.store.revocations.get(serial)?.revokedAt ?? 0
  const certificate = certificates.shown(stored, context)
  const data = { certificate, revocation_time: Math.floor(revokedAt / 1000), ...certificates.extra(stored) }
  return { kind: 'data', data }
}

/** Lists the serial numbers of revoked certificates, in versions from 1.11 on. */
export const listRevoked = ({ store }: Context): Reply => ({
  kind: 'data',
  data: { keys: [...store.revocations.keys()].map(shownSerial).sort() },
})

export function listCertificates({ store, rules, variation }: Context): Reply {
  const isListed = (serial: string): boolean => store.certificates.get(serial)?.views?.listed !== false
  const serials = rules.reads.certificates.serials(store).filter(isListed).sort()
  const keys = variation().serials === 'colons' ? serials.map(shownSerial) : serials
  return { kind: 'data', data: { keys, ...rules.reads.certificates.listExtra(serials) } }
}
