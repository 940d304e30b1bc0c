/** Selects a part of the proof that is small enough for every test run. */
import { type Area, type FaultSite, requirementsOf, type Topic, type WireFault } from '../vocabulary/index.ts'

export interface Sample {
  readonly faults: readonly WireFault[]
  /** Topics with only the checks that decide a row of one of the faults, or a row of another request about the same
   * objects. */
  readonly topics: readonly Topic[]
}

/** Selects at most `most` faults of each area, evenly over the law. Each seed selects other faults; all seeds
 * together select every fault. */
export function sampleOf(
  faults: readonly WireFault[],
  topics: readonly Topic[],
  { seed, areas, most }: { readonly seed: number; readonly areas: readonly Area[]; readonly most: number },
): Sample {
  const chosen = areas.flatMap((area) => {
    const own = faults.filter((fault) => fault.area === area)
    const step = Math.max(1, Math.ceil(own.length / most))
    return own.filter((_, index) => index % step === seed % step)
  })
  const rows = new Set(
    chosen.flatMap((fault) => faults.filter((other) => isBeside(fault, other)).flatMap((other) => other.rows)),
  )
  const deciding = topics
    .map((topic) => ({
      ...topic,
      checks: topic.checks.filter((check) => requirementsOf(check).some((id) => rows.has(id))),
    }))
    .filter(({ checks }) => checks.length > 0)
  return { faults: chosen, topics: deciding }
}

const bare = ({ path }: FaultSite): string => `${path.replaceAll('?', '')}/`

/** Tells whether two faults are about the same objects: the path of one site is a prefix of the other, as that of a
 * list is of the path of a read. A fault with `namesakes` has two sites. */
const isBeside = (one: WireFault, other: WireFault): boolean =>
  one.area === other.area &&
  [one.at, ...(one.namesakes ? [one.namesakes] : [])].some((site) => {
    const [own, others] = [bare(site), bare(other.at)]
    return own.startsWith(others) || others.startsWith(own)
  })
