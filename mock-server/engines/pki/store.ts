/** These types describe what one mount stores. */
import type { ValuesOf } from './fields.ts'
import type { roleFields } from './rules/role-fields.ts'
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
  readonly certificate: CaCertificate | undefined
  /** The certificate that everyone reads. It stays after its key is deleted. */
  readonly shown: CaCertificate | undefined
  /** The keys of requests that a signed certificate may be for. */
  readonly requested: readonly CaKey[]
}

export interface Stored {
  /** DER as one-byte text, which needs a tenth of the memory of a buffer and no garbage collection. */
  readonly der: string
  /** Milliseconds since the epoch. */
  readonly notAfter: number
  /** The id of the issuer that signed it. */
  readonly issuer?: string
}

export interface Revocation {
  /** Milliseconds since the epoch, like all times here. */
  readonly revokedAt: number
  readonly notAfter: number
  /** The encoded entry in a list. */
  readonly entry: Buffer
  /** The id of the issuer whose list contains the revocation. */
  readonly issuer?: string
}

export interface SignedList {
  /** The last signed list. */
  der: Buffer | undefined
  nextUpdate: number
  number: number
  /** A rotation since which the list has not been read: its time, and the number of revocations at that time. */
  due: { readonly at: number; readonly upTo: number } | undefined
  /** The number of revocations when the list was signed. */
  covers: number
  /** The number of the last complete list. */
  base: number
  /** The last signed delta list: the revocations since the complete list `base`. */
  delta: { readonly der: Buffer; readonly at: number; readonly base: number } | undefined
}

/** An issuer besides the default one. It cannot sign without its key. */
export interface FurtherIssuer {
  readonly certificate: CaCertificate
  readonly key: CaKey | undefined
  readonly list: SignedList
}

export interface IssuerSettings {
  readonly leaf_not_after_behavior: 'err' | 'truncate' | 'permit'
  readonly usage: readonly string[]
  /** The ids of the issuers in its chain; empty if the chain is derived from the certificates. */
  readonly manual_chain: readonly string[]
  readonly revocation_signature_algorithm: string
  /** If all of these are empty, the URLs of the mount apply. */
  readonly urls: UrlsConfig
  /** Milliseconds since the epoch; undefined if the issuer is not revoked. */
  readonly revokedAt: number | undefined
}

/** An issuer with its key, which can sign. */
export interface Issuer {
  readonly certificate: CaCertificate
  readonly key: CaKey
  /** Absent if the settings of this issuer were never written. */
  readonly settings?: IssuerSettings | undefined
}

/** The fields of a role that only versions with several issuers have. */
export interface RoleSigning {
  readonly issuer_ref: string
  /** The size in bits of the hash that an RSA key signs with; 0 means the default hash. */
  readonly signature_bits: number
}

/** The data of a mount besides the CA of the document, in versions with several issuers. */
export interface Issuers {
  further: readonly FurtherIssuer[]
  /** The keys that belong to no issuer. */
  keys: readonly CaKey[]
  /** Names of issuers and keys, by their ids. */
  readonly names: Map<string, string>
  readonly settings: Map<string, IssuerSettings>
  /** The issuer and the hash that roles choose, by the name of the role. */
  readonly ofRoles: Map<string, RoleSigning>
  /** True if an issuer that is added with its key becomes the default. */
  followsLatest: boolean
}

export interface CrlConfig {
  /** A duration, such as `72h`. */
  readonly expiry: string
  readonly disable: boolean
}

/** The settings that decide when revocation lists are signed, in versions from 1.12 on. */
export interface Rebuilding {
  /** If true, a revocation does not cause a new list, but waits for the next one. */
  readonly auto_rebuild: boolean
  /** The next list is signed this long before the last one expires. */
  readonly auto_rebuild_grace_period: string
  readonly enable_delta: boolean
  readonly delta_rebuild_interval: string
  /** There is no OCSP responder, so this field and the next one have no effect. */
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
  /** Undefined until the configuration is written, and in versions before 1.12. */
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
