/** How each kind of certificate is drafted, and changed after it is signed. */
import { seam } from '../../../kernel/seam.ts'
import type { Draft } from '../x509/certificate.ts'

export interface Form {
  readonly draft: (draft: Draft) => Draft
  /** Receives and returns the signed DER. */
  readonly signed: (der: Buffer) => Buffer
}

/** Seams: a certificate is drafted and signed as it should be. */
const asMade: Form = { draft: seam((draft) => draft), signed: seam((der) => der) }

export const certificateForms = { leaf: asMade, root: asMade, intermediate: asMade }
export type CertificateKind = keyof typeof certificateForms
