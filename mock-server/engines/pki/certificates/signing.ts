/** Signs everything that a mount signs: certificates, certificate requests and revocation lists. */
import type { Variation } from '../../../kernel/variation.ts'
import type { CaKey, Issuer } from '../store.ts'
import { type Draft, writeCertificate } from '../x509/certificate.ts'
import { type ListDraft, writeList } from '../x509/crl.ts'
import { contextTag } from '../x509/der.ts'
import { extension } from '../x509/extensions.ts'
import { type RequestDraft, writeRequest } from '../x509/request.ts'
import { signerBy } from '../x509/signer.ts'
import { serialKey } from './serials.ts'

export interface Issued {
  readonly der: Buffer
  /** The serial number with hyphens. */
  readonly serial: string
  readonly notAfter: number
}

export interface Signing {
  leaf(draft: Draft, by: Issuer): Issued
  /** A root signs itself. */
  root(draft: Draft, key: CaKey): Issued
  intermediate(draft: Draft, by: Issuer): Issued
  /** A request is signed by the key that it is for. */
  request(draft: RequestDraft, key: CaKey): Buffer
  list(draft: ListDraft, by: Issuer): Buffer
}

/** An informative extension, which verifiers ignore. */
const note = extension('1.3.6.1.4.1.55738.1.1', false, contextTag(12, Buffer.from('reference')))

export function createSigning(variation: () => Variation): Signing {
  function certificate(draft: Draft, { pair, signer }: CaKey): Issued {
    const { informativeExtension, signatureHash } = variation()
    const extensions = [...draft.extensions, ...(informativeExtension ? [note] : [])]
    const by = signatureHash === 'usual' ? signer : signerBy(signer, pair.type, signatureHash)
    const der = writeCertificate({ ...draft, extensions }, by)
    return { der, serial: serialKey(draft.serial), notAfter: draft.notAfter }
  }
  return {
    leaf: (draft, { key }) => certificate(draft, key),
    root: certificate,
    intermediate: (draft, { key }) => certificate(draft, key),
    request: (draft, { signer }) => writeRequest(draft, signer),
    list(draft, { key: { pair, signer }, settings }) {
      const hash = /^(?:ECDSAWith)?(SHA\d+)/.exec(settings?.revocation_signature_algorithm ?? '')?.[1]
      return writeList(draft, hash ? signerBy(signer, pair.type, hash.toLowerCase()) : signer)
    },
  }
}
