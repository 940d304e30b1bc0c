/** The record of what the checks are proven by: what each fault of the reference server does, and which check noticed which
 * fault on the wire. Reports quote it, so each proof holds it against what it found. Pure. */
import type { ProofRecord } from '../vocabulary/index.ts'
import type { Row } from './excuses.ts'

interface KnownMutant {
  readonly id: string
  readonly does: string
}

/** In what the record differs from what these faults have shown; each in a sentence. Another check than the recorded one is
 * no difference: which element is dropped, or which octets of a new key change, is drawn anew each time, and a check that
 * noticed it once may meet a drop of what it does not look at. */
export function staleNotices({ noticedBy }: Pick<ProofRecord, 'noticedBy'>, rows: readonly Row[]): readonly string[] {
  const shown = new Map(rows.map((row) => [row.fault.id, row.noticedBy]))
  const areas = new Set(rows.map(({ fault }) => fault.area as string))
  const gone = Object.keys(noticedBy).filter((id) => areas.has(areaOf(id)) && !shown.has(id))
  return [
    ...rows.flatMap((row) => {
      const recorded = noticedBy[row.fault.id]
      if ((recorded === undefined) === (row.noticedBy === undefined)) return []
      return `the record of proofs says that ${row.fault.id} is noticed by ${recorded ?? 'no check'}, and it was noticed by ${row.noticedBy ?? 'none'}: ${update}`
    }),
    ...gone.map((id) => `the record of proofs names ${id}, which does not exist: ${update}`),
  ]
}

const update = 'write it anew with "assay selftest --faults --update" for this area'

export function staleMutants({ mutants }: ProofRecord, known: readonly KnownMutant[]): readonly string[] {
  const does = new Map(known.map((mutant) => [mutant.id, mutant.does]))
  const changed = known.filter((mutant) => mutants[mutant.id] !== mutant.does).map(({ id }) => id)
  const gone = Object.keys(mutants).filter((id) => !does.has(id))
  return [...changed, ...gone].map((id) => `the record of proofs has other words for ${id}: ${update}`)
}

/** The record with what a proof of some areas has shown. Entries are sorted, so that a change is easy to read. */
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
