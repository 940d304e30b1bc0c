import type { StatePart } from '../state/state-part.ts'
import type { PreparedKey, Seal } from './seal.ts'
import type { Tokens } from './tokens.ts'

/** What an operator holds: the root token, and the shares of the root key. */
export interface Keys extends StatePart {
  readonly rootToken: string
  /** The shares in base64; empty before a root key exists. */
  readonly shares: readonly string[]
  initialize(shares: number, threshold: number): Promise<void>
  /** Replaces the root key, but not the root token. */
  replace(prepared: PreparedKey): void
  /** Creates the root token in the token store, if a root key exists. */
  issueRoot(): void
  /** Replaces the root key (and the root token) by those in the saved keys of another cluster. The server stays sealed
   * or unsealed. */
  adopt(saved: unknown, which: 'root-key' | 'root-token-too'): void
}

interface SavedKeys {
  readonly rootToken: string
  readonly shares: readonly string[]
  readonly seal: unknown
}

/** Creates the keys. A reset restores what they are at the start. */
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
    const saved = state as SavedKeys
    rootToken = saved.rootToken
    shares = saved.shares
    seal.restore(saved.seal)
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
      const saved = state as SavedKeys
      const { sealed } = seal
      restore({ ...saved, rootToken: which === 'root-token-too' ? saved.rootToken : rootToken })
      seal.restore({ ...(saved.seal as object), sealed })
    },
    snapshot: (): SavedKeys => ({ rootToken, shares, seal: seal.snapshot() }),
    restore,
    reset: () => restore(untouched),
  }
}
