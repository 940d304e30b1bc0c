/** Which key signs, certifies and is handed out, where there could be doubt. */
import { newSerial } from '../serials.ts'
import type { CaCertificate, CaKey, Role } from '../store.ts'
import type { KeyPair } from '../x509/keys.ts'

type Signing = (key: CaKey, ca: CaCertificate) => CaKey
const itself = (key: CaKey): CaKey => key

export const signers = {
  /** A root signs itself. */
  root: itself,
  /** A request is signed by the key that it is for. */
  request: itself,
  leaf: itself as Signing,
  intermediate: itself as Signing,
  list: itself as Signing,
  disabledList: itself as Signing,
}

/** The private key of a certificate or request, where it is handed out. */
export const returnedKey = (key: KeyPair): KeyPair => key

/** The serial number of a certificate issued for a common name: random. */
export const leafSerial = (_commonName: string, _role: Role): Buffer => newSerial()
