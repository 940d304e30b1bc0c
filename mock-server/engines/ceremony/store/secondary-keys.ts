import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { ReplicationKind } from '../../../kernel/cluster/cluster-role.ts'
import type { SecondaryKeys } from '../../../kernel/extension-points.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { StatePart } from '../../../kernel/state/state-part.ts'
import type { KeyTables } from '../tables.ts'
import { isSealedText, openText, sealText } from './jwe.ts'

/** The key pairs of a cluster: the latest one for each kind of replication. */
export interface SecondaryKeyStore extends SecondaryKeys, StatePart {
  /** Replaces the key pair, and returns the fields of the reply. The public key is the base64 of its DER (SPKI). */
  generate(kind: ReplicationKind): KeyReply
}

interface KeyReply {
  readonly publicKey: string
  readonly private_key?: string
  readonly key_pair?: string
}

type KindTables = Readonly<Record<ReplicationKind, KeyTables>>

/** A mutant encrypts to this key, which is known to everyone who has this program. */
const known = () =>
  createPrivateKey({
    key: Buffer.from(`302e020100300506032b656e04220420${'5a'.repeat(32)}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  })

function readPublicKey(text: string): KeyObject {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    if (key.asymmetricKeyType === 'x25519') return key
  } catch {
    // An unreadable key is refused below, like a key of another type.
  }
  throw badRequest("'secondary_public_key' is not a public key of a secondary")
}

export function createSecondaryKeys(tables: () => KindTables): SecondaryKeyStore {
  const pairs = new Map<ReplicationKind, KeyObject>()

  function shown(kind: ReplicationKind): Omit<KeyReply, 'publicKey'> {
    const { privateKey } = tables()[kind]
    const key = pairs.get(kind)
    if (!key || privateKey === 'hidden') return {}
    if (privateKey === 'pem') return { key_pair: String(key.export({ format: 'pem', type: 'pkcs8' })) }
    return { private_key: key.export({ format: 'der', type: 'pkcs8' }).toString('base64') }
  }

  return {
    generate(kind) {
      const { privateKey, publicKey } = generateKeyPairSync('x25519')
      pairs.set(kind, privateKey)
      return { publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'), ...shown(kind) }
    },
    encryptTo(kind, publicKey, text) {
      const given = readPublicKey(publicKey)
      return sealText(text, tables()[kind].encryptedTo === 'the given key' ? given : createPublicKey(known()))
    },
    isEncrypted: isSealedText,
    decrypt(kind, text) {
      const { encryptedTo, decryption } = tables()[kind]
      const own = encryptedTo === 'the given key' ? pairs.get(kind) : known()
      try {
        if (own && decryption === 'by the present key') return openText(text, own)
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
