/** The draft of each kind of certificate and its signed form, which mutants can change. */

import { seam } from '../../../kernel/seam.ts'
import type { Draft } from '../x509/certificate.ts'

export interface Drafting {
  readonly draft: (draft: Draft) => Draft
  /** Receives and returns the signed DER. */
  readonly signed: (der: Buffer) => Buffer
}

/** Seams: neither the draft nor the signed certificate is changed. */
const asMade: Drafting = { draft: seam((draft) => draft), signed: seam((der) => der) }

export const certificateDrafting = { leaf: asMade, root: asMade, intermediate: asMade }
export type CertificateKind = keyof typeof certificateDrafting
