/** These types describe what one mount stores. */
import type { ValuesOf } from './fields.ts'
import type { roleFields } from './tables/role-fields.ts'
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

export type CaState =
  /** There is no CA yet. */
  | 'none'
  /** The CA has certificate and key, and can sign. */
  | 'present'
  /** The key was deleted. The certificate is still shown. */
  | 'keyless'
  /** There is a key with a request, but no certificate for that key yet. */
  | 'awaiting'

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
  /** The id of the issuer that signed it. */
  readonly issuer?: string
  /** Present if not everything can be done with the certificate. */
  readonly views?: Views
}

export interface Revocation {
  /** Counts milliseconds since the epoch. */
  readonly revokedAt: number
  readonly notAfter: number
  /** The encoded entry in a list. */
  readonly entry: Buffer
  /** The id of the issuer in whose list it belongs. */
  readonly issuer?: string
}

export interface SignedList {
  /** The last signed list. */
  der: Buffer | undefined
  nextUpdate: number
  number: number
  /** A rotation after which nobody has read the list: its time, and how many revocations there were. */
  due: { readonly at: number; readonly upTo: number } | undefined
  /** How many revocations there were when the list was signed. */
  covers: number
  /** The number of the last complete list. */
  base: number
  /** The last signed list of what was revoked since then. */
  delta: { readonly der: Buffer; readonly at: number; readonly base: number } | undefined
}

/** An issuer besides the default one. It cannot sign without its key. */
export interface FurtherIssuer {
  readonly certificate: CaCertificate
  readonly key: CaKey | undefined
  readonly list: SignedList
}

/** What operators set for one issuer. */
export interface IssuerSettings {
  readonly leaf_not_after_behavior: 'err' | 'truncate' | 'permit'
  readonly usage: readonly string[]
  /** The ids of the issuers of its chain; empty for the chain that follows from the certificates. */
  readonly manual_chain: readonly string[]
  readonly revocation_signature_algorithm: string
  /** The URLs of the mount count where it has none. */
  readonly urls: UrlsConfig
  /** Counts milliseconds since the epoch; undefined for an issuer that is not revoked. */
  readonly revokedAt: number | undefined
}

/** An issuer with its key, which can sign. */
export interface Issuer {
  readonly certificate: CaCertificate
  readonly key: CaKey
  /** Absent unless somebody has set something for this issuer. */
  readonly settings?: IssuerSettings | undefined
}

/** The fields of a role that only versions with several issuers have. */
export interface RoleSigning {
  readonly issuer_ref: string
  /** The size of the hash that an RSA key signs with; 0 leaves it to the issuer. */
  readonly signature_bits: number
}

/** What versions with several issuers have besides the one CA of the document. */
export interface Issuers {
  further: readonly FurtherIssuer[]
  /** The keys that no certificate is for. */
  keys: readonly CaKey[]
  /** Names of issuers and keys, by their ids. */
  readonly names: Map<string, string>
  readonly settings: Map<string, IssuerSettings>
  /** What roles say of the issuer. */
  readonly ofRoles: Map<string, RoleSigning>
  /** True if an issuer that is added with its key becomes the default. */
  followsLatest: boolean
}

export interface CrlConfig {
  /** A duration, such as `72h`. */
  readonly expiry: string
  readonly disable: boolean
}

/** When the lists of revocations are signed, in versions that can wait with it. */
export interface Rebuilding {
  /** If this is true, a revocation waits for the next list. */
  readonly auto_rebuild: boolean
  /** The next list is signed this long before the last one expires. */
  readonly auto_rebuild_grace_period: string
  readonly enable_delta: boolean
  readonly delta_rebuild_interval: string
  /** There is no responder, so these two change nothing. */
  readonly ocsp_disable: boolean
  readonly ocsp_expiry: string
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
  list: SignedList
  readonly issuers: Issuers
  /** When lists are signed, in versions that can wait with it. */
  rebuilding: Rebuilding | undefined
}

export const noUrls: UrlsConfig = { issuingCertificates: [], crlDistributionPoints: [], ocspServers: [] }

export const emptyStore = (): Store => ({
  ca: { state: 'none', key: undefined, certificate: undefined, shown: undefined, requested: [] },
  roles: new Map(),
  certificates: new Map(),
  revocations: new Map(),
  crlConfig: undefined,
  urls: undefined,
  list: emptyList(),
  issuers: {
    ...{ further: [], keys: [], followsLatest: false },
    ...{ names: new Map(), settings: new Map(), ofRoles: new Map() },
  },
  rebuilding: undefined,
})

export const emptyList = (due?: SignedList['due']): SignedList => ({
  ...{ der: undefined, nextUpdate: 0, number: 0, due, covers: 0, base: 0, delta: undefined },
})

export const caCertificate = (der: Buffer, chain: readonly Buffer[], origin: Origin): CaCertificate => ({
  parsed: readCertificate(der),
  pem: pem('CERTIFICATE', der),
  chain,
  origin,
})

export const caKey = (pair: KeyPair): CaKey => ({ pair, signer: signerOf(pair) })
