/** The form of each kind of certificate: what it is to hold, and its bytes once it is signed. */
import type { Draft } from '../x509/certificate.ts'

export interface Form {
  readonly draft: (draft: Draft) => Draft
  /** What becomes of the signed DER. */
  readonly signed: (der: Buffer) => Buffer
}

const asMade: Form = { draft: (draft) => draft, signed: (der) => der }

export const certificateForms = { leaf: asMade, root: asMade, intermediate: asMade }
export type CertificateKind = keyof typeof certificateForms
