/** One measured ratio and the bound it is held to. */
export interface Row {
  readonly what: string
  readonly ours: string
  readonly peer: string
  readonly ratio: number | undefined
  readonly bound: { readonly kind: 'at-least' | 'at-most'; readonly value: number } | undefined
  /** This note says why there is no ratio. */
  readonly note?: string
}

export const isMet = ({ ratio, bound }: Row): boolean | undefined => {
  if (ratio === undefined || bound === undefined) return undefined
  return bound.kind === 'at-least' ? ratio >= bound.value : ratio <= bound.value
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The rows as a Markdown table. */
export function printed(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.ours,
    row.peer,
    row.ratio === undefined ? (row.note ?? 'not measured') : row.ratio.toFixed(2),
    row.bound ? `${row.bound.kind === 'at-least' ? '≥' : '≤'} ${row.bound.value}` : '',
    { true: 'yes', false: 'NO', undefined: '' }[String(isMet(row)) as 'true' | 'false' | 'undefined'],
  ])
  const table = [['measured', 'assay', 'beside', 'ratio', 'bound', 'met'], ...cells]
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...rest] = table
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rest.map(line)].join('\n')
}
