/** The two kinds of replication with their paths. Everything else is the same for both. */
export interface Replication {
  readonly kind: 'dr' | 'performance'
  readonly area: 'dr-replication' | 'performance-replication'
  /** The document's `{prefix}`. */
  readonly prefix: string
  /** Requirements and mutants that both kinds have, with the same name in each area. */
  requirement(id: string): string
  mutant(id: string): string
}

const ofKind = (kind: Replication['kind']): Replication => ({
  kind,
  area: `${kind}-replication`,
  prefix: `sys/replication/${kind}`,
  requirement: (id) => `${kind}-replication.${id}`,
  mutant: (id) => `${kind}-replication/${id}`,
})

export const dr = ofKind('dr')
export const performance = ofKind('performance')

/** `main` is the target; the others may be wiped. */
export const clusters = ['main', 'second', 'third'] as const
export type Cluster = (typeof clusters)[number]

/** Until it is promoted, only the status of a DR secondary shows that it has a copy. If it lacks data when it is
 * judged, a missing copy may be the reason. */
export const copyless = ({ kind, mutant }: Replication): readonly string[] =>
  kind === 'dr' ? [mutant('secondary-takes-no-data')] : []
