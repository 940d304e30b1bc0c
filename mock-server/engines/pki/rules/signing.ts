/** These rules choose the key that signs, is certified and is returned. */

import { seam } from '../../../kernel/seam.ts'
import { newSerial } from '../certificates/serials.ts'
import type { CaCertificate, CaKey, Role } from '../store.ts'
import type { KeyPair } from '../x509/keys.ts'

type Signing = (key: CaKey, ca: CaCertificate) => CaKey
type ListSigning = (key: CaKey, ca: CaCertificate, entries: number) => CaKey
const itself = seam((key: CaKey): CaKey => key)

/** Seams: the key of the CA signs. In a mutant, another key may sign. */
export const signers = {
  /** A root signs itself. */
  root: itself,
  /** A request is signed by the key that it is for. */
  request: itself,
  leaf: itself as Signing,
  intermediate: itself as Signing,
  list: itself as ListSigning,
  disabledList: itself as ListSigning,
}

/** Seam: the private key of the certificate or request is returned. */
export const returnedKey = seam((key: KeyPair): KeyPair => key)

/** The serial number of a leaf is random, whatever its common name is. */
export const leafSerial = (_commonName: string, _role: Role): Buffer => newSerial()
