/** Types and sizes of keys (document 2, role fields key_type and key_bits, and the limits). */

import { seam } from '../../../kernel/seam.ts'
import type { Store } from '../store.ts'
import type { KeyPair } from '../x509/keys.ts'

export type KeyUse = 'leaf' | 'ca'

export interface SizeRow {
  readonly sizes: readonly number[]
  /** The default size. */
  readonly fallback: number
}

type Sizes = Readonly<Record<'rsa' | 'ec', SizeRow>>

const sizes: Sizes = {
  rsa: { sizes: [2048, 3072, 4096], fallback: 2048 },
  ec: { sizes: [224, 256, 384, 521], fallback: 256 },
}

export const keySizes: Readonly<Record<KeyUse, Sizes>> = { leaf: sizes, ca: sizes }

/** Seams: the new key is used. */
export const keyTaken = {
  leaf: seam((made: KeyPair, _store: Store): KeyPair => made),
  root: seam((made: KeyPair, _store: Store): KeyPair => made),
}

export interface KeyKind {
  readonly type: 'rsa' | 'ec'
  readonly bits: number
}

/** Returns the type and size of the key that is generated for a valid request. */
export const keyMade: Readonly<Record<KeyUse, (asked: KeyKind) => KeyKind>> = {
  // Seams: the requested type and size are used.
  leaf: seam((asked) => asked),
  ca: seam((asked) => asked),
}

/** A role with `any` signs these keys: either type and any size, but RSA keys must be longer than `rsaAbove` bits. */
export const anyKey = { types: ['rsa', 'ec'] as readonly string[], rsaAbove: 1024, sizeOfRole: false, issues: false }

/** The number of RSA keys of each size that the engine generates in advance, once one has been requested. */
export const spareKeys: Readonly<Record<number, number>> = { 2048: 2, 3072: 1, 4096: 0 }
