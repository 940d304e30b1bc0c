import {
  type Area,
  addressOf,
  type Check,
  type Level,
  levels,
  type Requirement,
  requirementsOf,
  type Topic,
} from '../vocabulary/index.ts'
import { globTest } from './glob.ts'
import { nearest } from './nearest.ts'

export interface Filter {
  /** Empty: every area. */
  readonly areas: readonly Area[]
  /** Patterns over addresses, any of which may match; empty: every check. */
  readonly checks: readonly string[]
  /** The lowest level: `should` selects `must` and `should`. */
  readonly level: Level
}

export interface Selected {
  readonly topic: Topic
  readonly check: Check
  readonly address: string
  readonly level: Level
}

export interface Unmatched {
  /** The area or pattern that selects nothing. */
  readonly word: string
  readonly nearest: readonly string[]
}

export interface Selection {
  /** In reading order. */
  readonly checks: readonly Selected[]
  readonly unmatched: readonly Unmatched[]
}

/** Which checks a filter means, and which of its parts mean none. */
export function select(topics: readonly Topic[], requirements: readonly Requirement[], filter: Filter): Selection {
  const levelById = new Map(requirements.map(({ id, level }) => [id, level]))
  const all = topics.flatMap((topic) =>
    topic.checks.map((check): Selected => {
      const level = levelById.get(requirementsOf(check)[0] ?? '') ?? 'must'
      return { topic, check, address: addressOf(topic, check), level }
    }),
  )
  const inAreas = all.filter(({ topic }) => filter.areas.length === 0 || filter.areas.includes(topic.area))
  const tests = filter.checks.map((pattern) => ({ pattern, test: globTest(pattern) }))
  const lowest = levels.indexOf(filter.level)
  return {
    checks: inAreas
      .filter(({ address }) => tests.length === 0 || tests.some(({ test }) => test(address)))
      .filter(({ level }) => levels.indexOf(level) <= lowest),
    unmatched: [
      ...filter.areas
        .filter((area) => !topics.some((topic) => topic.area === area))
        .map((word) => ({ word, nearest: nearest(word, new Set(topics.map(({ area }) => area))) })),
      ...tests
        .filter(({ test }) => !inAreas.some(({ address }) => test(address)))
        .map(({ pattern }) => ({ word: pattern, nearest: nearest(pattern, namesOf(inAreas)) })),
    ],
  }
}

function* namesOf(checks: readonly Selected[]): Iterable<string> {
  for (const { topic, address } of checks) {
    yield topic.area
    yield `${topic.area}/*`
    yield topic.id
    yield `${topic.id}/*`
    yield address
  }
}
