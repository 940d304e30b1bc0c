import type { OwnTarget } from './worker-plan.ts'

interface Divided {
  readonly own?: OwnTarget
  readonly shard?: object
  readonly plan: { readonly jobs: number }
  /** Addresses of the checks to judge. */
  readonly selected: readonly string[]
}

const areaOf = (address: string): string => address.slice(0, address.indexOf('/'))

/** Divides topics among workers that judge at the same time, by the number of their checks. Topics of an area stay
 * together, because their checks share ground. A target that all workers would share is judged by one, since locks and
 * sessions are its own. */
export function lanesOf<T extends { readonly id: string }>(
  { own, shard, plan, selected }: Divided,
  topics: readonly T[],
): readonly (readonly T[])[] {
  const most = own && !shard ? Math.min(own.workers ?? 1, plan.jobs) : 1
  const lanes = Array.from({ length: most }, () => ({ checks: 0, topics: new Set<T>() }))
  const checks = Map.groupBy(selected, areaOf)
  const sizeOf = (area: string): number => checks.get(area)?.length ?? 0
  const areas = [...Map.groupBy(topics, ({ id }) => areaOf(id))]
  for (const [area, group] of areas.toSorted(([one], [other]) => sizeOf(other) - sizeOf(one))) {
    const least = lanes.reduce((one, other) => (other.checks < one.checks ? other : one))
    least.checks += sizeOf(area)
    for (const topic of group) least.topics.add(topic)
  }
  return lanes.map((lane) => topics.filter((topic) => lane.topics.has(topic))).filter((lane) => lane.length > 0)
}
