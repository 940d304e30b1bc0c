/** The two kinds of replication: what each calls its paths. Whatever is not said here is the same for both. */
export interface Replication {
  readonly kind: 'dr' | 'performance'
  readonly area: 'dr-replication' | 'performance-replication'
  /** `{prefix}` of the document. */
  readonly prefix: string
  /** What is judged on both kinds has a requirement and a mutant of that name in each area. */
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

/** That a DR secondary has a copy is told by its status alone, until it is promoted: what it is judged by then may not be
 * there for this reason. */
export const copyless = ({ kind, mutant }: Replication): readonly string[] =>
  kind === 'dr' ? [mutant('secondary-takes-no-data')] : []
