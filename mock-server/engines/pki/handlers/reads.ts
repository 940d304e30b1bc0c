/** Serves reads of the CA, of certificates and of the revocation list. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { Refusal } from '../../../kernel/http/refusal.ts'
import { currentList } from '../certificates/revocation.ts'
import { serialOf, shownSerial } from '../certificates/serials.ts'
import type { Context } from '../context.ts'
import { pem } from '../x509/pem.ts'

const certificateType = 'application/pkix-cert'
const listType = 'application/pkix-crl'

/** Returns the CA, followed by the certificates that were submitted with it. */
function chainPem({ store: { ca } }: Context): string {
  if (!ca.shown) return ''
  return [ca.shown.pem, ...ca.shown.chain.map((der) => pem('CERTIFICATE', der))].join('\n')
}

/** Returns bytes without the standard structure. If nothing exists yet, the reply is a success without content, or a
 * 404 in a variation of this server. */
function bare(context: Context, contentType: string, bytes: Buffer | string): Reply {
  if (bytes.length === 0 && context.variation().noCa === 'not-found') throw new Refusal('not-found')
  return { kind: 'bare', status: bytes.length === 0 ? 204 : 200, contentType, bytes }
}

const listPem = (der: Buffer): string => pem('X509 CRL', der)

export const readCa = (context: Context): Reply =>
  bare(context, certificateType, context.store.ca.shown?.parsed.der ?? '')
export const readCaPem = (context: Context): Reply => bare(context, certificateType, context.store.ca.shown?.pem ?? '')
export const readCaChain = (context: Context): Reply => bare(context, certificateType, chainPem(context))
export const readCrl = (context: Context): Reply => bare(context, listType, currentList(context) ?? '')
export function readCrlPem(context: Context): Reply {
  const der = currentList(context)
  return bare(context, listType, der ? listPem(der) : '')
}

/** The certificates and the list that have names instead of serial numbers. */
const named: Readonly<Record<string, (context: Context) => string | undefined>> = {
  ca: ({ store }) => store.ca.shown?.pem,
  ca_chain: chainPem,
  crl(context) {
    const der = currentList(context)
    return der && listPem(der)
  },
}

export function readCertificate({ params }: Call, context: Context): Reply {
  const { certificates, revocations } = context.store
  const name = params.serial ?? ''
  const byName = named[name]
  if (byName) {
    const certificate = byName(context)
    if (!certificate) throw new Refusal('not-found')
    return { kind: 'data', data: { certificate, revocation_time: 0 } }
  }
  const serial = serialOf(name) ?? ''
  const stored = certificates.get(serial)
  if (!stored) throw new Refusal('not-found')
  const revokedAt = revocations.get(serial)?.revokedAt ?? 0
  const certificate = pem('CERTIFICATE', Buffer.from(stored.der, 'latin1'))
  return { kind: 'data', data: { certificate, revocation_time: Math.floor(revokedAt / 1000) } }
}

/** Lists the serial numbers of revoked certificates, in versions from 1.11 on. */
export const listRevoked = ({ store }: Context): Reply => ({
  kind: 'data',
  data: { keys: [...store.revocations.keys()].map(shownSerial).sort() },
})

export function listCertificates({ store, variation }: Context): Reply {
  const serials = [...store.certificates.keys()].sort()
  return { kind: 'data', data: { keys: variation().serials === 'colons' ? serials.map(shownSerial) : serials } }
}
