/** A configuration of the reference server on which checks are judged. */
export interface Setting {
  readonly name: string
  readonly edition: 'community' | 'enterprise' | 'premium'
  /** If absent, the newest version. */
  readonly version?: string
  /** The form (`newer` or `older`) by subject. If absent, the newest of each. */
  readonly forms?: Readonly<Record<string, string>>
  /** Whether the server serves exactly what the documents state. */
  readonly literal?: boolean
}

/** A check is judged on the first setting that it applies to, and every check applies to at least one. For each
 * version at which a document states a change, there are settings before and after it. */
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
