/** The two kinds of replication with their paths. Everything else is the same for both. */
export interface Replication {
  readonly kind: 'dr' | 'performance'
  readonly area: 'dr-replication' | 'performance-replication'
  /** The document's `{prefix}`. */
  readonly prefix: string
  /** Adds the area to the id of a requirement that both kinds have. */
  requirement(id: string): string
}

const ofKind = (kind: Replication['kind']): Replication => ({
  kind,
  area: `${kind}-replication`,
  prefix: `sys/replication/${kind}`,
  requirement: (id) => `${kind}-replication.${id}`,
})

export const dr = ofKind('dr')
export const performance = ofKind('performance')

/** `main` is the target; the others may be wiped. */
export const clusters = ['main', 'second', 'third'] as const
export type Cluster = (typeof clusters)[number]
