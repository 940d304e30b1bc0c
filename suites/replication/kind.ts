/** The two kinds of replication with their paths. Everything else is the same for both. */
export interface Replication {
  readonly kind: 'dr' | 'performance'
  readonly area: 'dr-replication' | 'performance-replication'
  /** The document's `{prefix}`. */
  readonly prefix: string
  /** Adds the area to the id of a requirement or mutant that both kinds have. */
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

/** The mutant under which a DR secondary copies nothing. Until a DR secondary is promoted, only its status shows
 * whether it has a copy, so checks that find data missing on it notice this mutant, too. */
export const copyless = ({ kind, mutant }: Replication): readonly string[] =>
  kind === 'dr' ? [mutant('secondary-takes-no-data')] : []
