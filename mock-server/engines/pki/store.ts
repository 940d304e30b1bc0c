/** These types describe what one mount stores. */
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

/** The origin of the CA certificate: made here, submitted with its key, or signed for a request made here. */
export type Origin = 'own-root' | 'submitted-root' | 'submitted-intermediate' | 'signed'

export interface CaCertificate {
  readonly parsed: Certificate
  readonly pem: string
  /** Further certificates that were submitted with it, in DER. */
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
  /** The certificate of the key. */
  readonly certificate: CaCertificate | undefined
  /** The certificate that everyone reads. It stays after its key is deleted. */
  readonly shown: CaCertificate | undefined
  /** The keys of requests that a signed certificate may be for. */
  readonly requested: readonly CaKey[]
}

/** These flags say what can be done with a certificate after its issue. */
export interface Views {
  readonly listed: boolean
  readonly read: boolean
  readonly revoked: boolean
}

export interface Stored {
  /** DER as one-byte text, which needs a tenth of the memory of a buffer and no garbage collection. */
  readonly der: string
  /** Counts milliseconds since the epoch. */
  readonly notAfter: number
  /** The role that it was issued under. */
  readonly role?: string
  /** Present if not everything can be done with the certificate. */
  readonly views?: Views
}

export interface Revocation {
  /** Counts milliseconds since the epoch. */
  readonly revokedAt: number
  readonly notAfter: number
  /** The encoded entry in a list. */
  readonly entry: Buffer
}

export interface SignedList {
  /** The last signed list. */
  der: Buffer | undefined
  nextUpdate: number
  number: number
  /** A rotation after which nobody has read the list: its time, and how many revocations there were. */
  due: { readonly at: number; readonly upTo: number } | undefined
}

export interface Store {
  ca: Ca
  readonly roles: Map<string, Role>
  /** The keys are serial numbers with hyphens. */
  readonly certificates: Map<string, Stored>
  /** The keys are serial numbers with hyphens, in the order of revocation. */
  readonly revocations: Map<string, Revocation>
  /** Undefined until the configuration is written. */
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
