import type { Edition } from './words.ts'

/** What is known of a target. Each part is absent where nobody declared it and the probe could not see it. */
export interface Facts {
  readonly product?: string
  readonly version?: string
  readonly edition?: Edition
  /** API shapes by subject, such as `{ cloud: 'newer' }`. */
  readonly forms?: Readonly<Record<string, string>>
}
