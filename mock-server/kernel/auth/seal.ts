import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { combine, split } from 'shamir-secret-sharing'
import { badRequest } from '../http/refusal.ts'
import type { Mint } from '../state/mint.ts'
import type { StatePart } from '../state/state-part.ts'

/** The seal, which a sufficient number of shares of the root key opens. The root key itself is not stored. */
export interface Seal extends StatePart {
  readonly initialized: boolean
  readonly sealed: boolean
  /** A digest of the root key. It differs between root keys and does not reveal them. */
  readonly digest: string
  readonly shares: number
  readonly threshold: number
  /** The number of distinct shares in the current unseal attempt. */
  readonly progress: number
  readonly nonce: string
  /** Makes a root key and splits it, but does not use it yet. */
  prepare(shares: number, threshold: number): Promise<PreparedKey>
  /** Makes the prepared key the root key, and unseals the server. */
  use(prepared: PreparedKey): void
  /** Makes a root key, uses it, and returns its shares in base64. */
  init(shares: number, threshold: number): Promise<readonly string[]>
  seal(): void
  /** Adds one share, in hex or base64. Refuses an invalid share. When enough shares are there, it unseals the server or
   * refuses them. */
  unseal(share: string): Promise<void>
  /** Drops the shares of the current unseal attempt. */
  forget(): void
  /** Returns whether the shares make the root key, or the prepared key `key`. It uses the first `threshold` distinct
   * shares. */
  proves(shares: readonly string[], key?: Pick<PreparedKey, 'digest' | 'threshold'>): Promise<boolean>
}

export interface PreparedKey {
  readonly digest: string
  readonly shares: number
  readonly threshold: number
  /** The shares in base64. */
  readonly keyShares: readonly string[]
}

interface SavedSeal {
  readonly digest: string
  readonly sealed: boolean
  readonly shares: number
  readonly threshold: number
}

const keyBytes = 32
const none: SavedSeal = { digest: '', sealed: true, shares: 0, threshold: 0 }
const digestOf = (key: Uint8Array): string => createHash('sha256').update(key).digest('hex')

/** Decodes a share, which is the whole key, or a share of the sharing library and then one byte longer than the key. */
export function bytesOf(share: string): Uint8Array {
  const bytes = Buffer.from(share, /^[0-9a-f]+$/i.test(share) && share.length % 2 === 0 ? 'hex' : 'base64')
  if (bytes.length !== keyBytes && bytes.length !== keyBytes + 1)
    throw badRequest("'key' must be a valid hex or base64 string of a key share")
  return new Uint8Array(bytes)
}

/** The library refuses a threshold of one, so for that every share is the key itself. */
async function splitKey(key: Uint8Array, shares: number, threshold: number): Promise<Uint8Array[]> {
  return threshold === 1 ? Array.from({ length: shares }, () => key) : split(key, shares, threshold)
}

async function joinKey(shares: readonly Uint8Array[]): Promise<Uint8Array> {
  const [first] = shares
  if (first && shares.length === 1) return first
  // The library throws on shares of unequal length and on duplicates. The result is then a key that matches no digest.
  return combine([...shares]).catch(() => new Uint8Array(keyBytes))
}

export function createSeal(mint: Mint): Seal {
  let state = none
  let given: string[] = []
  let nonce = ''

  async function proves(
    shares: readonly string[],
    { digest, threshold }: Pick<PreparedKey, 'digest' | 'threshold'> = state,
  ): Promise<boolean> {
    const distinct = [...new Map(shares.map((share) => [Buffer.from(bytesOf(share)).toString('hex'), share])).values()]
    if (threshold === 0 || distinct.length < threshold) return false
    const key = await joinKey(distinct.slice(0, threshold).map(bytesOf))
    return timingSafeEqual(Buffer.from(digestOf(key)), Buffer.from(digest))
  }

  function forget(): void {
    given = []
    nonce = ''
  }

  function become(next: SavedSeal): void {
    state = next
    seal.sealed = next.sealed
    forget()
  }

  async function prepare(shares: number, threshold: number): Promise<PreparedKey> {
    // The library accepts plain byte arrays, but not buffers.
    const key = new Uint8Array(randomBytes(keyBytes))
    const parts = await splitKey(key, shares, threshold)
    const keyShares = parts.map((share) => Buffer.from(share).toString('base64'))
    return { digest: digestOf(key), shares, threshold, keyShares }
  }

  const seal: Seal & { sealed: boolean } = {
    sealed: state.sealed,
    get initialized() {
      return state.digest !== ''
    },
    get digest() {
      return state.digest
    },
    get shares() {
      return state.shares
    },
    get threshold() {
      return state.threshold
    },
    get progress() {
      return given.length
    },
    get nonce() {
      return nonce
    },
    prepare,
    use: ({ digest, shares, threshold }) => become({ digest, sealed: false, shares, threshold }),
    async init(shares, threshold) {
      const prepared = await prepare(shares, threshold)
      seal.use(prepared)
      return prepared.keyShares
    },
    seal: () => become({ ...state, sealed: true }),
    async unseal(share) {
      const hex = Buffer.from(bytesOf(share)).toString('hex')
      if (!state.sealed) return
      nonce ||= mint.uuid()
      if (!given.includes(hex)) given.push(hex)
      if (given.length < state.threshold) return
      const opened = await proves(given)
      forget()
      if (!opened) throw badRequest('invalid key: the shares do not make the root key')
      become({ ...state, sealed: false })
    },
    forget,
    proves,
    snapshot: () => state,
    restore: (saved) => become(saved as SavedSeal),
    reset: () => become(none),
  }
  return seal
}
