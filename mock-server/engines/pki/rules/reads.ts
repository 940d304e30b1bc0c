/** These rules decide how the CA, certificates, lists and roles are shown (document 2, Certificate authority
 * engine). */
import type { Reply } from '../../../kernel/contracts.ts'
import { seam } from '../../../kernel/seam.ts'
import type { CaCertificate, Role, Store, Stored } from '../store.ts'
import { pem } from '../x509/pem.ts'

/** The part of the context that mutants of a read may use. */
export interface Holder {
  readonly store: Store
}

/** The contents of the reads that require no token. */
export const bareReads = {
  ca: (ca: CaCertificate, _context: Holder): Buffer | string => ca.parsed.der,
  caPem: (ca: CaCertificate, _context: Holder): Buffer | string => ca.pem,
  /** The CA in the standard structure, at cert/ca. */
  certCa: (ca: CaCertificate, _context: Holder): Buffer | string => ca.pem,
  // Seam: the chain of the present CA is shown.
  caChain: seam((text: string, _context: Holder): string => text),
  crl: (der: Buffer): Buffer | string => der,
  crlPem: (der: Buffer): Buffer | string => pem('X509 CRL', der),
}

/** Returns a reply without the standard structure. If nothing exists yet, it is a success without content. */
export const bareReply = (contentType: string, bytes: Buffer | string): Reply => ({
  kind: 'bare',
  status: bytes.length === 0 ? 204 : 200,
  contentType,
  bytes,
})

/** If true, cert/crl has the standard structure, unlike crl and crl/pem. */
export const structured = { crl: true }

/** The names that cert/:serial accepts in addition to serial numbers. */
export const namedCertificates: readonly string[] = ['ca', 'ca_chain', 'crl']

export const certificates = {
  serials: ({ certificates: stored }: Store): string[] => [...stored.keys()],
  shown: ({ der }: Stored, _context: Holder): string => pem('CERTIFICATE', Buffer.from(der, 'latin1')),
  // Seam: every stored certificate is shown.
  isShown: seam((_serial: string, _store: Store): boolean => true),
  extra: (_stored: Stored): Readonly<Record<string, string>> => ({}),
  // Seam: the list of certificates holds serial numbers only.
  listExtra: seam((_serials: readonly string[]): Readonly<Record<string, unknown>> => ({})),
}

export const roles = {
  names: (store: Store): string[] => [...store.roles.keys()],
  read: (store: Store, name: string): Role | undefined => store.roles.get(name),
  /** The role that certificates are issued under. */
  used: (store: Store, name: string): Role | undefined => store.roles.get(name),
  write: (store: Store, name: string, role: Role): void => void store.roles.set(name, role),
  remove: (store: Store, name: string): void => void store.roles.delete(name),
  /** If several roles are written at the same time, each is stored, or only the last one. */
  atOnce: 'each' as 'each' | 'the last',
  /** Deleting a role revokes no certificate. */
  removalRevokes: false,
  /** If true, deleting a role deletes the revocations of its certificates. */
  removalForgets: false,
}
