/** Finds the statement that is contradicted if a documented request gets no answer at all. */

import { outsideOf } from '../run/applicability.ts'
import type { Facts, Requirement } from '../vocabulary/index.ts'
import { ActingRequests } from './acting.ts'

const pathOf = (request: string): string => request.replace(/^\S+ /, '')
const asWritten = (key: string): string => key.replace(/^PUT /, 'POST ')

type Finder = (asked: string, facts: Facts) => Requirement | undefined

/** Caches by register, because many sessions have the same. */
const finders = new WeakMap<ReadonlyMap<string, Requirement>, Finder>()

/** Returns the first statement about such a request that holds on the target: a *must* rather than a *should*, and one
 * about the whole request rather than about a field. Undefined if no document names the request. */
export function statementAbout(
  asked: string,
  requirements: ReadonlyMap<string, Requirement>,
  facts: Facts,
): Requirement | undefined {
  const find = finders.get(requirements) ?? finderOf([...requirements.values()])
  finders.set(requirements, find)
  return find(asked, facts)
}

function finderOf(requirements: readonly Requirement[]): Finder {
  const acting = new ActingRequests(requirements.flatMap(({ requests = [] }) => requests.map(pathOf)))
  const keyOf = (request: string): string => asWritten(acting.patternOf(request).key)
  const rank = ({ level, field }: Requirement): number => (level === 'must' ? 0 : 2) + (field === undefined ? 0 : 1)
  const byRequest = Map.groupBy(
    requirements
      .filter(({ level, spelling }) => level !== 'info' && spelling === undefined)
      .toSorted((one, other) => rank(one) - rank(other))
      .flatMap((row) => (row.requests ?? []).map((request) => ({ row, key: keyOf(request) }))),
    ({ key }) => key,
  )
  return (asked, facts) =>
    byRequest.get(keyOf(asked))?.find(({ row }) => outsideOf([row.applies], facts) === undefined)?.row
}
