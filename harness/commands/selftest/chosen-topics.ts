import { defined } from '../../vocabulary/defined.ts'
import { addressOf, type Topic } from '../../vocabulary/index.ts'
import { selectChecks } from '../selection.ts'
import type { SelftestFlags } from './flags.ts'

/** Returns the topics that `--area` and `--check` choose, with only the chosen checks. Throws `UsageError` if a glob
 * matches no check. */
export async function chosenTopics({ area, check }: SelftestFlags) {
  const { selected, catalog, outline } = await selectChecks({ level: 'should', ...defined({ area, check }) })
  const topics: readonly Topic[] = [...Map.groupBy(selected, ({ topic }) => topic)].map(([topic, some]) => ({
    ...topic,
    checks: some.map((one) => one.check),
  }))
  const chosen = new Set(selected.map(({ address }) => address))
  return {
    topics,
    requirements: catalog.requirements,
    lists: catalog.lists,
    spellings: catalog.spellings,
    leftOut: outline.topics
      .flatMap(({ topic }) => topic.checks.map((one) => addressOf(topic, one)))
      .filter((address) => !chosen.has(address)),
    /** True if only some checks of their areas are chosen. */
    isPart: check !== undefined,
  }
}
