/** Each kind of certificate is drafted here, and changed after it is signed. */
import { seam } from '../../../kernel/seam.ts'
import type { Draft } from '../x509/certificate.ts'

export interface Drafting {
  readonly draft: (draft: Draft) => Draft
  /** Receives and returns the signed DER. */
  readonly signed: (der: Buffer) => Buffer
}

/** Seams: a certificate is drafted and signed as it should be. */
const asMade: Drafting = { draft: seam((draft) => draft), signed: seam((der) => der) }

export const certificateDrafting = { leaf: asMade, root: asMade, intermediate: asMade }
export type CertificateKind = keyof typeof certificateDrafting
