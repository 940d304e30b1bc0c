/** Makes the suite of one area: its topics, and what its law states. */
import { fileURLToPath } from 'node:url'
import { openLists } from '../fixtures/api/lists.ts'
import { spellingsOf } from '../fixtures/api/spellings.ts'
import { statementsOf } from '../fixtures/api/statements.ts'
import type { Law } from '../fixtures/api/terms.ts'
import type { Area, Conditions, ListSite, Requirement, SpellingSite, Topic } from '../harness/vocabulary/index.ts'
import { withFoundation } from './foundations.ts'
import { allConditions, type Frame, withFrames } from './frame.ts'
import { withMutants } from './kill-matrix.ts'

export interface AreaSuite {
  readonly topics: readonly { readonly topic: Topic; readonly file: string; readonly suite: string }[]
  readonly requirements: readonly Requirement[]
  readonly lists: readonly ListSite[]
  readonly spellings: readonly SpellingSite[]
  readonly paths: readonly string[]
}

interface Options {
  /** Topics that are in the table of a folder that several areas share. */
  readonly shared?: { readonly folder: string; readonly topics: readonly Topic[] }
  readonly frames?: readonly Frame[]
  /** Says what must be true of replies in each topic. */
  readonly conditions?: Conditions
}

/** `.ts` in the sources, and `.js` in the built package. */
const ending = import.meta.url.slice(import.meta.url.lastIndexOf('.'))

const withConditions =
  (more: Conditions | undefined) =>
  (topic: Topic): Topic => {
    const all = [topic.conditions, more].filter((one) => one !== undefined)
    return more ? { ...topic, conditions: allConditions(...all) } : topic
  }

/** Finds the file of each topic. A topic that is not shared has a file of its own, which its id names. */
export function areaOf(
  law: Law<Area>,
  topics: readonly Topic[],
  { shared, frames, conditions }: Options = {},
): AreaSuite {
  const pathOf = (topic: Topic): string => (shared?.topics.includes(topic) ? `${shared.folder}/topics` : topic.id)
  return {
    topics: withFrames(topics.map(withMutants).map(withConditions(conditions)), frames).map((topic, index) => ({
      topic,
      file: fileURLToPath(new URL(`${pathOf(topics[index] ?? topic)}${ending}`, import.meta.url)),
      suite: fileURLToPath(new URL(`areas/${topic.area}${ending}`, import.meta.url)),
    })),
    requirements: statementsOf(law).map(withFoundation),
    lists: openLists(law),
    spellings: spellingsOf(law),
    paths: [...new Set(law.entries.flatMap((entry) => (entry.kind === 'endpoint' ? entry.path : [])))],
  }
}
