/** The certificate authority of this cluster. It signs the certificate of the cluster listener, and one for each
 * secondary, which the secondary gets with its credentials. */
import { randomBytes, X509Certificate } from 'node:crypto'
import type { ClusterCertificate } from '../../../kernel/cluster/cluster-listener.ts'
import type { StatePart } from '../../../kernel/state/state-part.ts'
import { writeCertificate } from '../../pki/x509/certificate.ts'
import { authorityKeyId, basicConstraints, extKeyUsage, keyUsage, subjectKeyId } from '../../pki/x509/extensions.ts'
import { generateEc, type KeyPair, keyIdOf, pkcs8Pem, readPrivateKey } from '../../pki/x509/keys.ts'
import { writeName } from '../../pki/x509/names.ts'
import { pem, readPem } from '../../pki/x509/pem.ts'
import { signerOf } from '../../pki/x509/signer.ts'

interface Saved {
  readonly authority: ClusterCertificate
  readonly listener: ClusterCertificate
}

export interface ClusterCertificates extends StatePart {
  /** The certificate of the authority as PEM, which other clusters trust. */
  readonly authority: string
  /** The certificate of the cluster listener. It is another object after another state was restored. */
  readonly listener: ClusterCertificate
  /** Makes the key and the certificate of a secondary. */
  issue(id: string): ClusterCertificate
}

/** The certificates are valid however far a test moves the clock. */
const validity = { notBefore: Date.UTC(2000, 0), notAfter: Date.UTC(2099, 0) } as const
const usages = { authority: [5, 6], other: [0] } as const
const [serverAuth, clientAuth] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'] as const

function sign(name: string, key: KeyPair, by: { readonly name: string; readonly key: KeyPair }): string {
  const isAuthority = key === by.key
  const draft = {
    ...{ ...validity, spki: key.spki },
    serial: Buffer.concat([Buffer.from([1]), randomBytes(15)]),
    issuer: writeName({ commonName: [by.name] }),
    subject: writeName({ commonName: [name] }),
    extensions: [
      basicConstraints(isAuthority),
      keyUsage(new Set(isAuthority ? usages.authority : usages.other)),
      ...(isAuthority ? [] : [extKeyUsage([serverAuth, clientAuth])]),
      subjectKeyId(keyIdOf(key.spki)),
      authorityKeyId(keyIdOf(by.key.spki)),
    ],
  }
  return `${pem('CERTIFICATE', writeCertificate(draft, signerOf(by.key)))}\n`
}

const named = (certificate: string, key: KeyPair): ClusterCertificate => ({ certificate, key: `${pkcs8Pem(key)}\n` })

/** Keys and certificates are made only when replication is first used. */
export function createClusterCertificates(cluster: string): ClusterCertificates {
  const name = `cluster-${cluster}`
  let saved: Saved | undefined
  /** The certificates that this server made for itself, which it uses again after a reset. */
  let made: Saved | undefined
  let signer: KeyPair | undefined

  function issue(subject: string): ClusterCertificate {
    const by = { name, key: authorityKey() }
    const key = generateEc(256)
    return named(sign(subject, key, by), key)
  }

  function authorityKey(): KeyPair {
    signer ??= saved ? keyIn(saved.authority.key) : generateEc(256)
    return signer
  }

  function own(): Saved {
    if (saved) return saved
    const key = authorityKey()
    const authority = named(sign(name, key, { name, key }), key)
    made = { authority, listener: issue(`${name}.listener`) }
    saved = made
    return saved
  }

  function restore(state: unknown): void {
    const next = (state ?? made) as Saved | undefined
    if (next !== saved) signer = undefined
    saved = next
  }

  return {
    get authority() {
      return own().authority.certificate
    },
    get listener() {
      return own().listener
    },
    issue(id) {
      own()
      return issue(id)
    },
    snapshot: () => saved ?? null,
    restore,
    reset: () => restore(undefined),
  }
}

function keyIn(text: string): KeyPair {
  const [block] = readPem(text)
  if (!block) throw new Error('the key of the cluster authority is not PEM')
  return readPrivateKey(block.label, block.der)
}

/** Returns whether one of these authorities signed the certificate. */
export const isFrom = (certificate: X509Certificate, authorities: readonly string[]): boolean =>
  authorities.some((authority) => certificate.verify(new X509Certificate(authority).publicKey))
