/** One mount of the engine, as its handlers see it. */
import type { Call, Clock, ServerFacts } from '../../kernel/contracts.ts'
import type { Variation } from '../../kernel/variation.ts'
import type { KeyPool } from './certificates/key-pool.ts'
import type { Signing } from './certificates/signing.ts'
import type { PkiRules } from './rules/index.ts'
import type { KeyKind } from './rules/keys.ts'
import type { Store } from './store.ts'
import type { KeyPair } from './x509/keys.ts'

export interface Context {
  readonly rules: PkiRules
  readonly clock: Clock
  readonly keys: KeyPool
  readonly signing: Signing
  store: Store
  readonly facts: ServerFacts
  /** Returns the choices of this server where the documents leave it free. */
  variation(): Variation
  /** Returns the default and the maximum lifetime in seconds, from the tuning of the mount or else from the system. */
  lifetimes(): { readonly systemDefault: number; readonly systemMax: number }
  /** Returns the values for templates, such as `identity.entity.name`. They are empty for a token without an entity. */
  identityOf(call: Call): Readonly<Record<string, string>>
}

/** Takes a key from the pool and calls `make` with it, synchronously if a key is ready. */
export function withKey<T>(
  { keys, variation }: Context,
  { type, bits }: KeyKind,
  make: (key: KeyPair) => T,
): T | Promise<T> {
  const key = keys.take(type, bits, variation().curves)
  return key instanceof Promise ? key.then(make) : make(key)
}
