/** What one mount holds. */
import type { ValuesOf } from './fields.ts'
import type { CrlConfig } from './tables/revocation.ts'
import type { roleFields } from './tables/role-fields.ts'
import type { CaState } from './tables/states.ts'
import { type Certificate, readCertificate } from './x509/certificate.ts'
import type { Urls } from './x509/extensions.ts'
import type { KeyPair } from './x509/keys.ts'
import { pem } from './x509/pem.ts'
import { type Signer, signerOf } from './x509/signer.ts'

export type Role = ValuesOf<typeof roleFields>
export type UrlsConfig = Urls

/** Where the certificate of the CA comes from: made here, handed over with its key, or signed for a request made here. */
export type Origin = 'own-root' | 'submitted-root' | 'submitted-intermediate' | 'signed'

export interface CaCertificate {
  readonly parsed: Certificate
  readonly pem: string
  /** Further certificates that were handed over with it, DER. */
  readonly chain: readonly Buffer[]
  readonly origin: Origin
}

export interface CaKey {
  readonly pair: KeyPair
  readonly signer: Signer
}

export interface Ca {
  readonly state: CaState
  readonly key: CaKey | undefined
  /** That of the key. */
  readonly certificate: CaCertificate | undefined
  /** What everybody reads: it stays after its key is gone. */
  readonly shown: CaCertificate | undefined
  /** Keys of requests that a signed certificate may be for. */
  readonly requested: readonly CaKey[]
}

/** What can be done with a certificate after its issue. */
export interface Views {
  readonly listed: boolean
  readonly read: boolean
  readonly revoked: boolean
}

export interface Stored {
  /** DER as one-byte text: a tenth of the memory overhead of a buffer, and no work for the garbage collector. */
  readonly der: string
  /** Milliseconds since the epoch. */
  readonly notAfter: number
  /** The role it was issued under. */
  readonly role?: string
  /** Where it is not all that a stored certificate is. */
  readonly views?: Views
}

export interface Revocation {
  /** Milliseconds since the epoch. */
  readonly revokedAt: number
  readonly notAfter: number
  /** Its entry in a list, DER. */
  readonly entry: Buffer
}

export interface SignedList {
  /** As it was signed last. */
  der: Buffer | undefined
  nextUpdate: number
  number: number
  /** A rotation that nobody has asked the list since: when it was, and how many revocations there were. */
  due: { readonly at: number; readonly upTo: number } | undefined
}

export interface Store {
  ca: Ca
  readonly roles: Map<string, Role>
  /** By serial, hyphenated. */
  readonly certificates: Map<string, Stored>
  /** The same, in the order of revocation. */
  readonly revocations: Map<string, Revocation>
  /** Absent until they are written. */
  crlConfig: CrlConfig | undefined
  urls: UrlsConfig | undefined
  readonly list: SignedList
}

export const noUrls: UrlsConfig = { issuingCertificates: [], crlDistributionPoints: [], ocspServers: [] }

export const emptyStore = (): Store => ({
  ca: { state: 'none', key: undefined, certificate: undefined, shown: undefined, requested: [] },
  roles: new Map(),
  certificates: new Map(),
  revocations: new Map(),
  crlConfig: undefined,
  urls: undefined,
  list: { der: undefined, nextUpdate: 0, number: 0, due: undefined },
})

export const caCertificate = (der: Buffer, chain: readonly Buffer[], origin: Origin): CaCertificate => ({
  parsed: readCertificate(der),
  pem: pem('CERTIFICATE', der),
  chain,
  origin,
})

export const caKey = (pair: KeyPair): CaKey => ({ pair, signer: signerOf(pair) })
