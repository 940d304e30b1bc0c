import {
  type Area,
  addressOf,
  type Check,
  type LeftOut,
  type LeftOutCause,
  type Level,
  leftOutCauses,
  levels,
  type Requirement,
  requirementsOf,
  type Topic,
} from '../vocabulary/index.ts'
import { globTest } from './glob.ts'
import { nearest } from './nearest.ts'

export interface Filter {
  readonly areas: readonly Area[]
  /** Glob patterns for addresses. A check is selected if any pattern matches it and no pattern with a leading `!`
   * does. If there are no other patterns, all other checks are selected. */
  readonly checks: readonly string[]
  /** The lowest level that is selected: `should` selects `must` and `should`. */
  readonly level: Level
}

export interface TopicFile {
  readonly topic: Topic
  /** An absolute path. */
  readonly file: string
  /** The file of its area, whose default export has the topic as it is judged. */
  readonly suite: string
}

/** The parts of a topic that selection needs. */
export interface Selectable {
  readonly topic: Pick<Topic, 'id' | 'area'> & { readonly checks: readonly Pick<Check, 'id' | 'requirement'>[] }
}

export type Selected<One extends Selectable> = One & {
  readonly check: One['topic']['checks'][number]
  readonly address: string
  readonly level: Level
}

export type SelectedCheck = Selected<TopicFile>

export interface Unmatched {
  /** The area or pattern that matches nothing. */
  readonly word: string
  readonly nearest: readonly string[]
}

export interface Selection<One extends Selectable> {
  /** In the order of the topics and of the checks in them. */
  readonly checks: readonly Selected<One>[]
  readonly unmatched: readonly Unmatched[]
  /** Every check that is not selected, counted under the first part of the filter that excludes it. */
  readonly leftOut: readonly LeftOut[]
}

/** Applies a filter, and reports which of its areas and patterns match nothing. */
export function select<One extends Selectable>(
  topics: readonly One[],
  requirements: readonly Requirement[],
  filter: Filter,
): Selection<One> {
  const levelById = new Map(requirements.map(({ id, level }) => [id, level]))
  const all = topics.flatMap((one) =>
    one.topic.checks.map((check): Selected<One> => {
      const level = levelById.get(requirementsOf(check)[0] ?? '') ?? 'must'
      return { ...one, check, address: addressOf(one.topic, check), level }
    }),
  )
  const inAreas = all.filter(({ topic }) => filter.areas.length === 0 || filter.areas.includes(topic.area))
  const tests = filter.checks.map((pattern) => ({
    pattern,
    excludes: pattern.startsWith('!'),
    test: globTest(pattern.replace(/^!/, '')),
  }))
  const wanted = tests.filter(({ excludes }) => !excludes)
  const unwanted = tests.filter(({ excludes }) => excludes)
  const lowest = levels.indexOf(filter.level)
  const causeOf = ({ topic, address, level }: Selected<One>): LeftOutCause | undefined => {
    if (filter.areas.length > 0 && !filter.areas.includes(topic.area)) return 'area'
    if (wanted.length > 0 && !wanted.some(({ test }) => test(address))) return 'check'
    if (unwanted.some(({ test }) => test(address))) return 'excluded'
    return levels.indexOf(level) > lowest ? 'level' : undefined
  }
  const byCause = Map.groupBy(all, causeOf)
  return {
    checks: byCause.get(undefined) ?? [],
    leftOut: leftOutCauses.flatMap((cause): LeftOut[] => {
      const left = byCause.get(cause) ?? []
      if (left.length === 0) return []
      const ids = cause === 'excluded' ? { ids: left.map(({ address }) => address) } : {}
      return [{ cause, checks: left.length, ...ids }]
    }),
    unmatched: [
      ...filter.areas
        .filter((area) => !topics.some(({ topic }) => topic.area === area))
        .map((word) => ({ word, nearest: nearest(word, new Set(topics.map(({ topic }) => topic.area))) })),
      ...tests
        .filter(({ test }) => !inAreas.some(({ address }) => test(address)))
        .map(({ pattern, excludes }) => ({
          word: pattern,
          nearest: nearest(pattern.replace(/^!/, ''), namesOf(inAreas)).map((name) => (excludes ? `!${name}` : name)),
        })),
    ],
  }
}

function* namesOf(checks: readonly Selected<Selectable>[]): Iterable<string> {
  for (const { topic, address } of checks) {
    yield topic.area
    yield `${topic.area}/*`
    yield topic.id
    yield `${topic.id}/*`
    yield address
  }
}
