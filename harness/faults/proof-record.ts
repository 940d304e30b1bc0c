/** The record of proofs contains what each mutant of the reference server does, and which check noticed which fault
 * on the wire. Reports quote it, so each proof compares it with its own outcome. Pure. */
import type { ProofRecord } from '../vocabulary/index.ts'
import type { Row } from './excuses.ts'

interface KnownMutant {
  readonly id: string
  readonly does: string
}

/** Returns one sentence for each difference between the record and a proof. A fault may be noticed by another check
 * than the recorded one: some faults are random (which element is dropped, which octets of a new key change), so a
 * check that noticed a fault once may miss it the next time. */
export function staleNotices({ noticedBy }: Pick<ProofRecord, 'noticedBy'>, rows: readonly Row[]): readonly string[] {
  const noticedNow = new Map(rows.map((row) => [row.fault.id, row.noticedBy]))
  const areas = new Set(rows.map(({ fault }) => fault.area as string))
  const gone = Object.keys(noticedBy).filter((id) => areas.has(areaOf(id)) && !noticedNow.has(id))
  return [
    ...rows.flatMap((row) => {
      const recorded = noticedBy[row.fault.id]
      if ((recorded === undefined) === (row.noticedBy === undefined)) return []
      return `the record of proofs says that ${row.fault.id} is noticed by ${recorded ?? 'no check'}, but it was noticed by ${row.noticedBy ?? 'no check'}: ${update}`
    }),
    ...gone.map((id) => `the record of proofs names ${id}, which does not exist: ${update}`),
  ]
}

const update = 'update it with "npx assay selftest --faults --update" for this area'

export function staleMutants({ mutants }: ProofRecord, known: readonly KnownMutant[]): readonly string[] {
  const does = new Map(known.map((mutant) => [mutant.id, mutant.does]))
  const changed = known.filter((mutant) => mutants[mutant.id] !== mutant.does).map(({ id }) => id)
  const gone = Object.keys(mutants).filter((id) => !does.has(id))
  return [...changed, ...gone].map((id) => `the record of proofs has an outdated description of ${id}: ${update}`)
}

/** Returns the record updated by a proof of some areas. Entries are sorted, so that a diff is easy to read. */
export function withProof(record: ProofRecord, rows: readonly Row[], known: readonly KnownMutant[]): ProofRecord {
  const areas = new Set(rows.map(({ fault }) => fault.area as string))
  return {
    mutants: sorted(known.map(({ id, does }) => [id, does])),
    noticedBy: sorted([
      ...Object.entries(record.noticedBy).filter(([id]) => !areas.has(areaOf(id))),
      ...rows.flatMap(({ fault, noticedBy }): [string, string][] =>
        noticedBy === undefined ? [] : [[fault.id, noticedBy]],
      ),
    ]),
  }
}

const areaOf = (id: string): string => id.split('/')[0] ?? ''

const sorted = (entries: readonly (readonly [string, string])[]): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
