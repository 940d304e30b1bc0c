import type { Edition } from './words.ts'

/** Compares as later than every version. */
export const newestVersion = 'newest'

export type Presence = 'served' | 'absent'

/** What stands behind the address of a target: one server; the active node of a cluster; a standby node that sends
 * requests on to the active node, reads by itself, or redirects its clients; or a load balancer that mixes nodes which
 * read by themselves. */
export const topologies = [
  'single',
  'active',
  'standby-forwarding',
  'standby-reading',
  'standby-redirecting',
  'mixed',
] as const
export type Topology = (typeof topologies)[number]

/** Returns whether a read may be answered by a node that does not know the latest writes yet. */
export const mayLag = ({ topology }: Pick<Facts, 'topology'>): boolean =>
  topology === 'mixed' || topology === 'standby-reading'

/** Returns whether another node may take over from the one that is active. */
export const hasNodes = ({ topology = 'single' }: Pick<Facts, 'topology'>): boolean => topology !== 'single'

/** The known facts about a target. A fact is absent if it is not declared and the probe could not find it. */
export interface Facts {
  readonly product?: string
  readonly version?: string
  /** The version of the documents' product that another product follows; only a profile can declare it. */
  readonly compatibleWith?: string
  /** The version as which the target is judged if its own version does not count: a version, or `newest`. */
  readonly judgedAs?: string
  readonly edition?: Edition
  /** The editions that the target may be of, if evidence rules out some and leaves several (readings of the documents,
   * 85). A declared `edition` takes precedence. */
  readonly editions?: readonly Edition[]
  readonly topology?: Topology
  /** Optional parts of the APIs, such as `{ 'cloud.static-roles': 'served' }`. */
  readonly features?: Readonly<Record<string, Presence>>
  /** Short for all features of a subject, such as `{ cloud: 'newer' }`; only a profile can declare it. */
  readonly forms?: Readonly<Record<string, string>>
}
