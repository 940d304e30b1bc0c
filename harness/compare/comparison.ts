/** Compares several results: each one with the first, and all of them row by row. Pure. */
import { driftOf } from '../drift/drift.ts'
import {
  type Change,
  type ChangeKind,
  type CompactCheck,
  type CompactResult,
  type ComparedCell,
  type ComparedRow,
  type ComparedServer,
  type Comparison,
  comparisonSchemaId,
  type Documents,
  type ExitCode,
  exitCodes,
  type Requirement,
  type ResultDocument,
  type Verdict,
} from '../vocabulary/index.ts'

export interface Compared {
  readonly result: CompactResult
  /** The full result, if available. Drift is found in its exchanges. */
  readonly document?: ResultDocument
  /** The reasons of the product's known findings, by the address of the check. */
  readonly reasons?: ReadonlyMap<string, string>
}

export interface Law {
  readonly requirements: readonly Requirement[]
  readonly documents: Documents
}

export function comparisonOf(all: readonly Compared[], law: Law, title = 'Servers compared'): Comparison {
  const names = namesOf(all)
  const [first] = all
  const servers = all.map((one, index) => serverOf(one, names[index] ?? '', index === 0 ? undefined : first))
  const rows = rowsOf(
    all.map(({ result }) => result),
    law.requirements,
  )
  return {
    schema: comparisonSchemaId,
    title,
    servers,
    rows,
    apart: apartOf(all.map(({ result }) => result)),
    open: law.requirements.filter(({ level }) => level === 'info').length,
    documents: law.documents,
    verdict: verdictOf(servers),
  }
}

/** Returns a distinct name for each result. Results of one target share its name, so the version is added to it, or the
 * position in the list if the versions are not distinct. */
function namesOf(all: readonly Compared[]): readonly string[] {
  const groups = Map.groupBy(all, ({ result }) => result.target.name)
  return all.map((one, index) => {
    const { name, facts } = one.result.target
    const alike = groups.get(name) ?? []
    if (alike.length < 2) return name
    const versions = new Set(alike.map(({ result }) => result.target.facts.version))
    return `${name} (${versions.size === alike.length ? (facts.version ?? 'version unknown') : index + 1})`
  })
}

function serverOf(one: Compared, name: string, first: Compared | undefined): ComparedServer {
  const { result, reasons } = one
  const { schema: _, checks, causes, ...server } = result
  const own = Map.groupBy(Object.entries(checks), ([, { cause }]) => cause)
  const drift = one.document && first?.document ? driftOf(first.document, one.document) : undefined
  return {
    ...server,
    target: { ...server.target, name },
    causes: causes.map((cause, index) => {
      const ids = (own.get(index) ?? []).map(([id]) => id)
      const reason = ids.map((id) => reasons?.get(id)).find((text) => text !== undefined)
      return { ...cause, checks: ids, ...(reason === undefined ? {} : { reason }) }
    }),
    changes: first ? changesOf(first.result, result) : [],
    ...(drift ? { drift } : {}),
  }
}

/** Returns what changes for a client of `first` that moves to `other`. */
export function changesOf(first: CompactResult, other: CompactResult): Change[] {
  const ids = [...new Set([...Object.keys(first.checks), ...Object.keys(other.checks)])]
  const isUnlike = first.register.hash !== other.register.hash
  return ids.flatMap((check) => {
    const [was, is] = [first.checks[check], other.checks[check]]
    // A check that another register does not have says nothing about the server.
    const kind = was && (is || !isUnlike ? kindOf(was, is) : 'redefined')
    return kind ? [{ kind, check, was: was.verdict, is: is?.verdict ?? ('absent' as const) }] : []
  })
}

function kindOf(was: CompactCheck, is: CompactCheck | undefined): ChangeKind | undefined {
  if (is && is.definition !== was.definition) return 'redefined'
  if (was.verdict === 'pass') return fromPass(is)
  if (is?.verdict !== 'pass') return undefined
  if (was.verdict === 'fail' || was.verdict === 'warn') return 'better'
  return was.lacks ? 'added' : undefined
}

function fromPass(is: CompactCheck | undefined): ChangeKind | undefined {
  switch (is?.verdict) {
    case 'fail':
      return 'worse'
    case 'warn':
      return 'weaker'
    case 'pass':
    case 'accepted':
      return undefined
    case 'not-applicable':
      return is.lacks ? 'absent' : undefined
    default:
      return 'undecided'
  }
}

/** A row shows the first of these verdicts that any of its checks has. */
const worstFirst: readonly Verdict[] = ['fail', 'error', 'not-verified', 'warn', 'accepted', 'pass', 'not-applicable']

/** The checks of one row in one result, by address and definition. */
type RowChecks = ReadonlyMap<string, CompactCheck>

function rowsOf(results: readonly CompactResult[], requirements: readonly Requirement[]): ComparedRow[] {
  const byRow = results.map(({ checks }) => {
    const rows = new Map<string, Map<string, CompactCheck>>()
    for (const [id, check] of Object.entries(checks))
      for (const row of new Set([...check.rows, ...(check.breaks ?? [])]))
        rows.set(row, (rows.get(row) ?? new Map()).set(`${id} ${check.definition}`, check))
    return rows
  })
  const known = new Map(requirements.map((row) => [row.id, row]))
  const judged = new Set(byRow.flatMap((rows) => [...rows.keys()]))
  // Rows come in the order of the documents. Rows that only another version of the suite has come last.
  const ids = [
    ...requirements.map(({ id }) => id).filter((id) => judged.has(id)),
    ...[...judged].filter((id) => !known.has(id)),
  ]
  return ids.flatMap((id) => {
    const row = known.get(id)
    const own = byRow.map((rows): RowChecks => rows.get(id) ?? new Map())
    const shared = sharedIn(own)
    if (shared.length === 0) return []
    const cells = own.map((checks) =>
      cellOf(shared.flatMap((key) => checks.get(key) ?? []).map((one) => onRow(id, one))),
    )
    return {
      id,
      area: row?.area ?? id.split('.')[0] ?? '',
      level: row?.level ?? 'must',
      ...(row ? { says: row.says, source: row.source } : {}),
      cells,
    }
  })
}

/** Returns the checks by which a row is compared: those that all results have that can take part. A result of another
 * register may lack all checks of a row, or define them otherwise, and then takes no part. */
function sharedIn(all: readonly RowChecks[]): readonly string[] {
  const attempts = all.map((base) => {
    let shared = [...base.keys()]
    let takingPart = 0
    for (const checks of all) {
      const both = shared.filter((key) => checks.has(key))
      if (both.length === 0) continue
      shared = both
      takingPart += 1
    }
    return { shared, takingPart }
  })
  const [best] = attempts.toSorted(
    (one, two) => two.takingPart - one.takingPart || two.shared.length - one.shared.length,
  )
  return best && best.takingPart >= Math.min(all.length, 2) ? best.shared : []
}

/** Counts, for each result, the checks of the others that it lacks, and those that it defines otherwise than the first
 * result that has them. */
function apartOf(results: readonly CompactResult[]): Comparison['apart'] {
  const definitions = new Map<string, string>()
  for (const { checks } of results)
    for (const [id, { definition }] of Object.entries(checks)) if (!definitions.has(id)) definitions.set(id, definition)
  return results.map(({ checks }) => ({
    missing: [...definitions.keys()].filter((id) => checks[id] === undefined).length,
    redefined: [...definitions].filter(([id, first]) => (checks[id]?.definition ?? first) !== first).length,
  }))
}

/** Returns a check as it is about one row: it may contradict another row, and hold this one. */
const onRow = (id: string, { cause, ...check }: CompactCheck): CompactCheck =>
  check.breaks === undefined || check.breaks.includes(id)
    ? { ...check, ...(cause === undefined ? {} : { cause }) }
    : { ...check, verdict: 'pass' }

function cellOf(checks: readonly CompactCheck[]): ComparedCell | null {
  const verdict = worstFirst.find((one) => checks.some((check) => check.verdict === one))
  if (!verdict) return null
  const own = checks.filter((check) => check.verdict === verdict).flatMap(({ cause }) => cause ?? [])
  return { verdict, causes: [...new Set(own)] }
}

/** The exit code is that of a regression if a check that passes at the first server fails, or is about something
 * absent, at another server. */
function verdictOf([first, ...others]: readonly ComparedServer[]): Comparison['verdict'] {
  const codes = others.map((one) => exitCodeOf(one, first))
  const exitCode = codes.find((code) => code === exitCodes.regression) ?? Math.max(0, ...codes)
  const name = first?.target.name ?? ''
  return {
    exitCode: exitCode as ExitCode,
    titles: others.map((one) => titleOf(one, name)),
    says: others.map((one) => sentenceOf(one, name)),
  }
}

const changesOfKind = ({ changes }: ComparedServer, kind: ChangeKind): readonly Change[] =>
  changes.filter((change) => change.kind === kind)

function exitCodeOf(other: ComparedServer, first: ComparedServer | undefined): ExitCode {
  const has = (kind: ChangeKind): boolean => changesOfKind(other, kind).length > 0
  if (has('worse') || has('absent')) return exitCodes.regression
  const isOpen = has('undecided') || has('redefined') || (first?.counts.pass ?? 0) === 0
  return isOpen ? exitCodes.incomplete : exitCodes.conformant
}

/** The clauses of the sentence about one server ("here"), compared with the first ("there"); the most important come
 * first. */
const clauses: readonly (readonly [ChangeKind, (count: string) => string, ((change: Change) => boolean)?])[] = [
  [
    'worse',
    (count) => `${count} that ${isOne(count) ? 'passes' : 'pass'} there ${isOne(count) ? 'fails' : 'fail'} here`,
  ],
  [
    'absent',
    (count) =>
      `${count} that ${isOne(count) ? 'passes' : 'pass'} there ${isOne(count) ? 'is' : 'are'} about what this server does not have`,
  ],
  [
    'undecided',
    (count) => `${count} that ${isOne(count) ? 'passes' : 'pass'} there could not be decided here`,
    ({ is }) => is !== 'absent',
  ],
  [
    'undecided',
    (count) =>
      `${count} that ${isOne(count) ? 'passes' : 'pass'} there ${isOne(count) ? 'was' : 'were'} not judged here (--area and --check compare only a part)`,
    ({ is }) => is === 'absent',
  ],
  [
    'redefined',
    (count) => `${count} ${isOne(count) ? 'is' : 'are'} missing or defined otherwise in this result, and not compared`,
  ],
  [
    'weaker',
    (count) => `${count} that ${isOne(count) ? 'passes' : 'pass'} there ${isOne(count) ? 'is' : 'are'} a warning here`,
  ],
  [
    'better',
    (count) => `${count} that ${isOne(count) ? 'does' : 'do'} not pass there ${isOne(count) ? 'passes' : 'pass'} here`,
  ],
  [
    'added',
    (count) =>
      `${count} ${isOne(count) ? 'passes' : 'pass'} here and ${isOne(count) ? 'is' : 'are'} about what the other does not have`,
  ],
]

const isOne = (count: string): boolean => count.startsWith('1 ')

function sentenceOf(other: ComparedServer, first: string): string {
  const parts = clauses.flatMap(([kind, clause, isMeant = () => true]) => {
    const { length } = changesOfKind(other, kind).filter(isMeant)
    return length === 0 ? [] : [clause(`${length} ${length === 1 ? 'check' : 'checks'}`)]
  })
  const lead = titleOf(other, first)
  return parts.length === 0 ? `${lead}: every check has the same verdict on both.` : `${lead}: ${parts.join('; ')}.`
}

const titleOf = (other: ComparedServer, first: string): string => `${other.target.name} ${leadOf(other)} ${first}`

function leadOf(other: ComparedServer): string {
  const has = (kind: ChangeKind): boolean => changesOfKind(other, kind).length > 0
  if (has('worse') || has('absent')) return 'is worse than'
  if (has('undecided') || has('redefined')) return 'cannot be fully compared with'
  return has('better') && !has('weaker') ? 'is better than' : 'is as good as'
}
