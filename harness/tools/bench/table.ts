/** One measured ratio and its bound. */
export interface Row {
  readonly what: string
  readonly ours: string
  readonly peer: string
  readonly ratio: number | undefined
  readonly bound: { readonly kind: 'at-least' | 'at-most'; readonly value: number } | undefined
  /** Why there is no ratio. */
  readonly note?: string
  /** How often the row met its bound, if it was measured several times. */
  readonly times?: { readonly met: number; readonly of: number }
}

export const isMet = ({ ratio, bound, times }: Row): boolean | undefined => {
  if (ratio === undefined || bound === undefined) return undefined
  if (times) return times.met === times.of
  return bound.kind === 'at-least' ? ratio >= bound.value : ratio <= bound.value
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Joins the rows of several runs by name: takes the row with the median ratio, and counts how often the bound was
 * met. */
export function joined(runs: readonly (readonly Row[])[]): readonly Row[] {
  if (runs.length < 2) return runs[0] ?? []
  return [...Map.groupBy(runs.flat(), ({ what }) => what).values()].flatMap((own) => {
    const sorted = own.toSorted((one, other) => (one.ratio ?? Infinity) - (other.ratio ?? Infinity))
    const middle = sorted[Math.floor((sorted.length - 1) / 2)]
    const met = own.filter((row) => isMet(row) === true).length
    return middle ? [{ ...middle, times: { met, of: runs.length } }] : []
  })
}

export const columns: readonly string[] = ['measured', 'assay', 'beside', 'ratio', 'bound', 'met']

export function cellsOf(row: Row): readonly string[] {
  const { what, ours, peer, ratio, note, bound, times } = row
  const met = { true: 'yes', false: 'NO', undefined: '' }[String(isMet(row)) as 'true' | 'false' | 'undefined']
  return [
    what,
    ours,
    peer,
    ratio === undefined ? (note ?? 'not measured') : ratio.toFixed(2),
    bound ? `${bound.kind === 'at-least' ? '≥' : '≤'} ${bound.value}` : '',
    times && bound ? `${times.met} of ${times.of} times` : met,
  ]
}

/** Returns a Markdown table; the first row is its head. */
export function markdownTable(table: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = table
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rest.map(line)].join('\n')
}

export const printed = (rows: readonly Row[]): string => markdownTable([columns, ...rows.map(cellsOf)])
