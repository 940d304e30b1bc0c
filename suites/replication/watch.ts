import type { Scope } from '../../harness/vocabulary/index.ts'

/** How long, in seconds, is watched for what must not come. Clusters that take longer to settle also take longer to try. */
export const watchOf = ({ patience }: Scope): number => Math.max(0.2, patience / 50)

/** Pauses, in parts of a watch, for what must end and need not end at once. */
export const graces = [0.5, 1.5, 4] as const
