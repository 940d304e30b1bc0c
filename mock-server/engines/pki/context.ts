/** One mount of the engine, as its handlers see it. */
import type { Call, Clock, ServerFacts } from '../../kernel/contracts.ts'
import type { Variation } from '../../kernel/variation.ts'
import type { KeyPool } from './key-pool.ts'
import type { Store } from './store.ts'
import type { PkiTables } from './tables/index.ts'
import type { KeyKind, KeyUse } from './tables/keys.ts'
import type { KeyPair } from './x509/keys.ts'

export interface Context {
  readonly tables: PkiTables
  readonly clock: Clock
  readonly keys: KeyPool
  store: Store
  readonly facts: ServerFacts
  /** How the server speaks where the documents leave it free. */
  variation(): Variation
  /** Seconds: what a lifetime is if none is asked for, and the longest there is. From the tuning of the mount, else the
   * system's. */
  lifetimes(): { readonly systemDefault: number; readonly systemMax: number }
  /** What templates are filled with: `identity.entity.name` and the like; nothing for a token without an entity. */
  identityOf(call: Call): Readonly<Record<string, string>>
}

/** A key from the pool, and what is made of it: at once where the key is there at once. */
export function withKey<T>(context: Context, use: KeyUse, asked: KeyKind, make: (key: KeyPair) => T): T | Promise<T> {
  const { made, spare } = context.tables.keys
  const { type, bits } = made[use](asked)
  const key = context.keys.take(type, bits, spare[bits] ?? 0, context.variation().curves)
  return key instanceof Promise ? key.then(make) : make(key)
}
