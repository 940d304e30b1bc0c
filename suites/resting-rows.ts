/** Tables of requirements that underlie others, which are named by globs. */
import type { Area, Underlying } from '../harness/vocabulary/index.ts'

export const on = (rows: readonly string[], parts?: readonly string[]): readonly Underlying[] => [
  parts ? { parts, rows } : { rows },
]
export const inArea = (
  area: Area,
  table: Readonly<Record<string, readonly [rows: string, parts?: readonly string[]]>>,
) =>
  Object.fromEntries(
    Object.entries(table).map(([id, [rows, parts]]) => [
      `${area}.${id}`,
      on(
        rows.split(' ').map((row) => `${area}.${row}`),
        parts,
      ),
    ]),
  )
