/** Selects a part of the checks that is small enough for every test run. */
import type { Area, Topic } from '../vocabulary/index.ts'

/** Selects at most `most` checks of each area, evenly over its topics. Each seed selects other checks; all seeds
 * together select every check. */
export function sampleOf(
  topics: readonly Topic[],
  { seed, areas, most }: { readonly seed: number; readonly areas: readonly Area[]; readonly most: number },
): readonly Topic[] {
  return areas.flatMap((area) => {
    const own = topics.filter((topic) => topic.area === area)
    const step = Math.max(1, Math.ceil(own.flatMap(({ checks }) => checks).length / most))
    let index = 0
    return own
      .map((topic) => ({ ...topic, checks: topic.checks.filter(() => index++ % step === seed % step) }))
      .filter(({ checks }) => checks.length > 0)
  })
}
