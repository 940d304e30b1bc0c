/** A shape of the reference server on which checks are judged. */
export interface Setting {
  readonly name: string
  readonly edition: 'community' | 'enterprise' | 'premium'
  /** Absent: the newest. */
  readonly version?: string
  /** API shapes by subject; absent: the newest. */
  readonly forms?: Readonly<Record<string, string>>
  /** Only what the documents state. */
  readonly literal?: boolean
}

/** Together they admit every check: a check is judged on the first of these that it applies to. Versions stand on both
 * sides of each gate that a document names. */
export const settings: readonly Setting[] = [
  { name: 'premium', edition: 'premium' },
  { name: 'community', edition: 'community' },
  { name: 'enterprise', edition: 'enterprise' },
  { name: 'premium 0.8.3', edition: 'premium', version: '0.8.3' },
  { name: 'premium 0.9.0', edition: 'premium', version: '0.9.0' },
  { name: 'premium 0.8.0', edition: 'premium', version: '0.8.0' },
  { name: 'premium 0.8.1', edition: 'premium', version: '0.8.1' },
  { name: 'premium 1.3.0', edition: 'premium', version: '1.3.0' },
  { name: 'premium with older forms', edition: 'premium', forms: { 'plugin-catalog': 'older', cloud: 'older' } },
]
