/** Reads the list of accepted findings. Every error that can be found without a run is reported before the run, with
 * file, line and column. */
import { basename, dirname, resolve } from 'node:path'
import { assertShape, readYaml, type YamlFile } from '../profile/yaml-file.ts'
import { didYouMean } from '../select/nearest.ts'
import { UsageError } from '../targets/usage-error.ts'
import { type Acceptable, type AcceptedEntry, advised, type CheckResult, type Finding } from '../vocabulary/index.ts'
import schema from './accepted.schema.json' with { type: 'json' }
import { type KnownList, knownFile } from './known.ts'

interface Row {
  readonly check: string | readonly string[]
  readonly verdict?: Acceptable
  readonly reason: string
  readonly owner?: string
  readonly issue?: string
  readonly until: string
  readonly observed: string | readonly string[]
}

export interface Known {
  /** Returns the addresses that a glob matches; if there are none, `near` has similar addresses. */
  match(glob: string): { addresses: readonly string[]; near: readonly string[] }
  /** Addresses of the checks of this run. */
  readonly selected: ReadonlySet<string>
  /** `YYYY-MM-DD`. */
  readonly today: string
}

/** Throws `UsageError` with one line for each error in the list. */
export function loadAccepted(file: string, env: NodeJS.ProcessEnv, known: Known): readonly AcceptedEntry[] {
  const yaml = readYaml(file, env)
  assertNotKnown(file, yaml)
  assertFingerprints(yaml)
  assertShape(yaml, schema)
  const rows = yaml.value as readonly Row[]
  const entries = rows.map((row, index) => entryOf(row, index, yaml, known))
  const faults = rows.flatMap((row, index) => faultsOf(row, index, entries, yaml, known))
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return entries
}

/** The known deviations of a product have no date, and are taken by another flag. */
function assertNotKnown(file: string, { value }: YamlFile): void {
  if (typeof value !== 'object' || value === null || !('deviations' in value)) return
  throw new UsageError(
    `${file} lists the known deviations of a product: pass "--known ${basename(dirname(resolve(file)))}" instead of --accept`,
  )
}

/** A list that was written by hand lacks fingerprints. This message says how to get them, where the schema's message
 * would only ask for a key. */
function assertFingerprints(yaml: YamlFile): void {
  if (!Array.isArray(yaml.value)) return
  const lacking = yaml.value.flatMap((row, index) =>
    typeof row === 'object' && row !== null && !('observed' in row)
      ? [
          yaml.fault(
            [index],
            `the entry does not say what was observed, so any other failure would be accepted too: let "${advised.accept()}" write it`,
          ),
        ]
      : [],
  )
  if (lacking.length > 0) throw new UsageError(lacking.join('\n'))
}

function entryOf({ check, verdict = 'fail', observed, ...row }: Row, index: number, yaml: YamlFile, known: Known) {
  const globs = several(check)
  return {
    ...row,
    at: yaml.fault([index], '').replace(/: $/, ''),
    check: globs,
    checks: [...new Set(globs.flatMap((glob) => known.match(glob).addresses))],
    verdict,
    observed: several(observed),
  } satisfies AcceptedEntry
}

function faultsOf(
  row: Row,
  index: number,
  entries: readonly AcceptedEntry[],
  yaml: YamlFile,
  { match, selected, today }: Known,
): string[] {
  const entry = entries[index]
  if (!entry) return []
  const fault = (key: string, text: string) => yaml.fault([index, key], text)
  const faults = entry.check.flatMap((glob, at) => {
    const { addresses, near } = match(glob)
    const path = typeof row.check === 'string' ? [index, 'check'] : [index, 'check', at]
    const words = `"${glob}" matches no check${didYouMean(near, `: see "${advised.checks()}"`)}`
    return addresses.length > 0 ? [] : [yaml.fault(path, words)]
  })
  if (faults.length === 0 && !entry.checks.some((address) => selected.has(address)))
    faults.push(fault('check', 'this run selects none of these checks: widen the selection, or remove the entry'))
  if (row.owner === undefined && row.issue === undefined)
    faults.push(yaml.fault([index], 'nobody is responsible for this entry: add "owner" or "issue"'))
  if (Number.isNaN(Date.parse(row.until))) faults.push(fault('until', `${row.until} is not a valid date: correct it`))
  else if (row.until < today)
    faults.push(fault('until', `the entry expired on ${row.until}: fix the target, or renew it`))
  const other = entries.slice(0, index).find(({ checks }) => checks.some((address) => entry.checks.includes(address)))
  const shared = other?.checks.find((address) => entry.checks.includes(address))
  if (other) faults.push(fault('check', `overlaps ${other.at}: both accept ${shared}; remove one of them`))
  return faults
}

/** Reads the known deviations of a product as entries. Unlike an entry of the operator's list, such an entry is not
 * an error if its checks are not selected or pass. If both lists accept a check, the operator's entry applies. */
export function loadKnown({ name: product, file }: KnownList, match: Known['match']): readonly AcceptedEntry[] {
  const yaml = readYaml(file, {})
  const { deviations } = yaml.value as { readonly deviations: readonly Row[] }
  return deviations.map((row, index) => ({
    at: `${product}/${knownFile}:${yaml.fault(['deviations', index], '').replace(`${file}:`, '').replace(/: $/, '')}`,
    check: several(row.check),
    checks: [...new Set(several(row.check).flatMap((glob) => match(glob).addresses))],
    verdict: row.verdict ?? 'fail',
    reason: row.reason,
    owner: product,
    // As a string this compares greater than every date, so the entry never expires.
    until: 'a newer list',
    known: product,
    observed: several(row.observed),
  }))
}

/** Returns one note for each product whose known deviations do not all occur on this target. */
export function unmetKnown(results: readonly CheckResult[], entries: readonly AcceptedEntry[]): readonly Finding[] {
  const byId = new Map(results.map((result) => [result.id, result]))
  const products = Map.groupBy(
    entries.filter(({ known }) => known !== undefined),
    ({ known }) => known ?? '',
  )
  return [...products].flatMap(([product, own]) => {
    const passing = own.flatMap(({ checks }) => checks).filter((id) => byId.get(id)?.verdict === 'pass')
    if (passing.length === 0) return []
    const [first] = passing
    const more = passing.length === 1 ? ' fails' : ` and ${passing.length - 1} more fail`
    const text = `${first}${more} in the published result of ${product}, but ${passing.length === 1 ? 'passes' : 'pass'} here`
    return [{ severity: 'note' as const, code: 'known-not-met', text }]
  })
}

const several = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value)
