/** Writes the report about the legal differences. */
import type { Area } from '../vocabulary/index.ts'
import type { Cell, LegalProof } from './proof.ts'

const shortAreas: Readonly<Record<Area, string>> = {
  'dr-replication': 'dr',
  'performance-replication': 'performance',
  policies: 'policies',
  pki: 'pki',
  'plugin-catalog': 'plugins',
  'mfa-legacy': 'mfa-legacy',
  'mfa-identity': 'mfa-identity',
  cloud: 'cloud',
}

/** Returns a cell such as `120` or `120: 2 fail, 1 not-verified (1 stated)`. */
function cellWords({ difference, area, judged }: Cell, { changes }: LegalProof): string {
  const own = changes.filter((change) => change.difference === difference && change.area === area)
  const counts = [...Map.groupBy(own, ({ verdict }) => verdict)].map(([verdict, some]) => `${some.length} ${verdict}`)
  const stated = own.filter((change) => change.stated !== undefined).length
  return `${judged}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}${stated > 0 ? ` (${stated} stated)` : ''}`
}

/** Returns a table with the number of judged checks, and of changed verdicts, by difference and area. */
function tableOf(proof: LegalProof): readonly string[] {
  const areas = [...new Set(proof.cells.map(({ area }) => area))]
  const differences = [...new Set(proof.cells.map(({ difference }) => difference))]
  const rows = differences.map((difference) => [
    difference,
    ...areas.map((area) => {
      const cell = proof.cells.find((one) => one.difference === difference && one.area === area)
      return cell ? cellWords(cell, proof) : '–'
    }),
  ])
  const head = ['difference', ...areas.map((area) => shortAreas[area])]
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  return [head, ...rows].map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  )
}

export function linesOf(proof: LegalProof): readonly string[] {
  const { idle, changes, leftBehind, stale, interrupted, cells, seconds } = proof
  const judged = cells.reduce((sum, cell) => sum + cell.judged, 0)
  const open = changes.filter(({ stated }) => stated === undefined)
  return [
    ...(interrupted
      ? ['interrupted: not every check was judged under every difference; start the selftest again']
      : []),
    ...idle.map(({ check, verdict, why }) => `${check} proves nothing: ${verdict} on the unchanged server: ${why}`),
    ...open.map(({ check, difference, verdict, why }) => `${check}: ${verdict} under ${difference}: ${why}`),
    ...leftBehind.map((what) => `left behind under ${what}`),
    ...stale,
    'Legal differences, by area: checks judged under each, and those whose verdict changed:',
    ...tableOf(proof),
    `${judged} judgements in ${Math.round(seconds)} s; ${open.length} changed their verdict, ${changes.length - open.length} as stated`,
  ]
}
