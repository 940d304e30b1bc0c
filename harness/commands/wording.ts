/** Words that several commands print. */
import type { Applies, Documents, Mismatch, Requirement } from '../vocabulary/index.ts'

/** `Replication and Policy Management API, Policy endpoints, row LIST`. */
export const placeOf = ({ source }: Requirement, documents: Documents): string =>
  `${documents[source.document]}, ${source.section}, ${source.row}${source.reading ? ` (reading ${source.reading})` : ''}`

/** Where a statement holds, in brackets; empty where it holds everywhere. */
export function scopeOf(applies: Applies | undefined): string {
  const { editions, since, before, feature = [], without } = applies ?? {}
  const parts = [
    editions?.join(' or '),
    since && `from ${since}`,
    before && `before ${before}`,
    ...[feature].flat().map((name) => `with ${name}`),
    without && `without ${without}`,
  ].filter(Boolean)
  return parts.length > 0 ? ` [${parts.join(', ')}]` : ''
}

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** Columns as wide as their widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** `wanted status 2xx; saw 400 missing SHA-256 value`. */
export const difference = ({ at, wanted, saw }: Mismatch): string => `wanted ${at} ${wanted}; saw ${saw}`
