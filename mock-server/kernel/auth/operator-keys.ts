import type { StatePart } from '../state/state-part.ts'
import type { PreparedKey, Seal } from './seal.ts'
import type { Tokens } from './tokens.ts'

/** An operator holds these keys: the root token, and the shares of the root key. */
export interface Keys extends StatePart {
  readonly rootToken: string
  /** The shares in base64; empty before a root key exists. */
  readonly shares: readonly string[]
  /** Creates the root key and the root token. */
  initialize(shares: number, threshold: number): Promise<void>
  /** Replaces the root key, and leaves the root token as it is. */
  replace(prepared: PreparedKey): void
  /** Makes the root token live, if a root key exists. */
  issueRoot(): void
  /** Takes over the root key of another cluster from its saved keys. The seal stays open or closed as it is. */
  adopt(kept: unknown, which: 'root-key' | 'root-token-too'): void
}

interface SavedKeys {
  readonly rootToken: string
  readonly shares: readonly string[]
  readonly seal: unknown
}

/** `start` is how the server begins, and what a reset restores. */
export async function createKeys(
  seal: Seal,
  tokens: Tokens,
  start: { readonly rootToken: string; readonly initialized: boolean },
): Promise<Keys> {
  let { rootToken } = start
  let shares = start.initialized ? await seal.init(5, 3) : []
  const untouched: SavedKeys = { rootToken, shares, seal: seal.snapshot() }

  function issueRoot(): void {
    if (!seal.initialized) return
    tokens.create({ id: rootToken, policies: ['root'], ttl: 0, displayName: 'root', path: 'auth/token/root' })
  }

  function restore(state: unknown): void {
    const kept = state as SavedKeys
    rootToken = kept.rootToken
    shares = kept.shares
    seal.restore(kept.seal)
  }

  return {
    get rootToken() {
      return rootToken
    },
    get shares() {
      return shares
    },
    async initialize(count, threshold) {
      shares = await seal.init(count, threshold)
      issueRoot()
    },
    replace(prepared) {
      seal.use(prepared)
      shares = prepared.keyShares
    },
    issueRoot,
    adopt(state, which) {
      const kept = state as SavedKeys
      const { sealed } = seal
      restore({ ...kept, rootToken: which === 'root-token-too' ? kept.rootToken : rootToken })
      seal.restore({ ...(kept.seal as object), sealed })
    },
    snapshot: (): SavedKeys => ({ rootToken, shares, seal: seal.snapshot() }),
    restore,
    reset: () => restore(untouched),
  }
}
