/** Types and sizes of keys (document 2, role fields key_type and key_bits, and the limits). */

export interface KeyKind {
  readonly type: 'rsa' | 'ec'
  readonly bits: number
}

export interface SizeRow {
  readonly sizes: readonly number[]
  /** The default size. */
  readonly fallback: number
}

export const keySizes: Readonly<Record<KeyKind['type'], SizeRow>> = {
  rsa: { sizes: [2048, 3072, 4096], fallback: 2048 },
  ec: { sizes: [224, 256, 384, 521], fallback: 256 },
}

/** A role with the key type `any` signs keys of either type and any size, but RSA keys must be longer than this. */
export const anyRsaAbove = 1024
