import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { ReplicationKind } from '../../../kernel/cluster/cluster-role.ts'
import type { SecondaryKeys } from '../../../kernel/extension-points.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { StatePart } from '../../../kernel/state/state-part.ts'
import { isSealedText, openText, sealText } from './jwe.ts'

/** The key pairs of a cluster: the latest one for each kind of replication. */
export interface SecondaryKeyStore extends SecondaryKeys, StatePart {
  /** Replaces the key pair, and returns the public key: the base64 of its DER (SPKI). */
  generate(kind: ReplicationKind): string
}

function readPublicKey(text: string): KeyObject {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    if (key.asymmetricKeyType === 'x25519') return key
  } catch {
    // An unreadable key is refused below, like a key of another type.
  }
  throw badRequest("'secondary_public_key' is not a public key of a secondary")
}

export function createSecondaryKeys(): SecondaryKeyStore {
  const pairs = new Map<ReplicationKind, KeyObject>()
  return {
    generate(kind) {
      const { privateKey, publicKey } = generateKeyPairSync('x25519')
      pairs.set(kind, privateKey)
      return publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    },
    encryptTo: (_kind, publicKey, text) => sealText(text, readPublicKey(publicKey)),
    isEncrypted: isSealedText,
    decrypt(kind, text) {
      const own = pairs.get(kind)
      try {
        if (own) return openText(text, own)
      } catch {
        // A text that was encrypted to another key and a modified text get the same refusal, below.
      }
      throw badRequest('the token is not encrypted to the present key of this cluster')
    },
    snapshot: () =>
      Object.fromEntries([...pairs].map(([kind, key]) => [kind, key.export({ format: 'pem', type: 'pkcs8' })])),
    restore(state) {
      pairs.clear()
      for (const [kind, pem] of Object.entries(state as Record<ReplicationKind, string>))
        pairs.set(kind as ReplicationKind, createPrivateKey(pem))
    },
    reset: () => pairs.clear(),
  }
}
