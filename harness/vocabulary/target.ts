import type { Edition } from './words.ts'

/** Later than every version. */
export const newestVersion = 'newest'

export type Presence = 'served' | 'absent'

/** These facts are known of a target. Each part is absent where nobody declared it and the probe could not see it. */
export interface Facts {
  readonly product?: string
  readonly version?: string
  /** Only where a profile declares it: the version of the documents' service that another product follows. */
  readonly compatibleWith?: string
  /** As which version the target is judged, where its own one does not count: a version, or `newest`. */
  readonly judgedAs?: string
  readonly edition?: Edition
  /** Optional parts of the APIs, such as `{ 'cloud.static-roles': 'served' }`. */
  readonly features?: Readonly<Record<string, Presence>>
  /** Only where a profile declares them: short for all features of a subject, such as `{ cloud: 'newer' }`. */
  readonly forms?: Readonly<Record<string, string>>
}
