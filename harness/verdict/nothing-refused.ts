/** Finds operations that refuse nothing. Each statement about a refusal there is contradicted, but the flaw is one: the
 * first statement reports it, and the others cannot be judged until something is refused. Pure. */
import { brokenIn, type CheckResult, type FoundMismatch, type Requirement } from '../vocabulary/index.ts'
import { ActingRequests } from './acting.ts'

/** Fewer contradicted statements may well be independent flaws, even if there are no others. */
const fewest = 3

interface First {
  readonly id: string
  readonly check: string
}

type Law = readonly Pick<Requirement, 'id' | 'level' | 'requests'>[]

/** Returns, for each check of a refusal that rests on another one, that other one. */
export function nothingRefused(results: readonly CheckResult[], law: Law): ReadonlyMap<CheckResult, First> {
  const requests = new ActingRequests([
    ...new Set(law.flatMap(({ requests: stated = [] }) => stated.map((one) => one.replace(/^\S+ /, '')))),
  ])
  const ranks = new Map(law.map(({ id, level }, index) => [id, index + (level === 'must' ? 0 : law.length)]))
  const operations = Map.groupBy(results, ({ area, refusal }) =>
    refusal === undefined ? undefined : `${area} ${requests.patternOf(refusal.operation).key}`,
  )
  operations.delete(undefined)
  return new Map([...operations.values()].flatMap((own) => restsAt(own, (id) => ranks.get(id) ?? 0)))
}

function restsAt(
  own: readonly CheckResult[],
  rankOf: (id: string) => number,
): readonly (readonly [CheckResult, First])[] {
  const taken = own.filter(isTaken)
  const broken = new Set(taken.filter(isOfContent).flatMap(ownRows))
  const held = own
    .filter((result) => isOfContent(result) && (result.own ?? result).verdict === 'pass')
    .flatMap(({ requirements }) => requirements)
  if (broken.size < fewest || held.some((id) => !broken.has(id))) return []
  const [id = ''] = [...broken].toSorted((one, other) => rankOf(one) - rankOf(other))
  const first = { id, check: taken.find((result) => ownRows(result).includes(id))?.id ?? '' }
  return taken.filter((result) => !ownRows(result).includes(id)).map((result) => [result, first] as const)
}

const ownRows = (result: CheckResult): readonly string[] => ownIn(result).flatMap((one) => brokenIn(one, result))

/** A body that cannot be read is refused before the operation gets it. */
const isOfContent = ({ refusal }: CheckResult): boolean => refusal?.isMalformed !== true

/** Returns whether the request was served, or changed something. */
const isTaken = (result: CheckResult): boolean =>
  ownIn(result).some(({ expectation }) => expectation === result.refusal?.expectation)

const ownIn = ({ mismatches, requirements }: CheckResult): readonly FoundMismatch[] =>
  mismatches.filter(({ requirement }) => requirement === undefined || requirements.includes(requirement))
