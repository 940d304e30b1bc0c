/** Folds differences that a reader would regard as one. */
import type { DriftEntry, DriftField, DriftReply, DriftRequest } from '../vocabulary/index.ts'
import type { Difference } from './differences.ts'
import type { Step } from './steps.ts'

/** A difference, and the two steps whose replies show it. */
export interface Met extends Difference {
  readonly steps: readonly [Step, Step]
}

type Group = readonly [Met, ...Met[]]

/** `countOf` returns how many replies to a request were compared. */
export function foldedEntries(met: readonly Met[], countOf: (request: string) => number): readonly DriftEntry[] {
  const entries = groups(met).map((group) => entryOf(group, countOf))
  const isOneSided = ({ kind }: DriftEntry): boolean => kind === 'field'
  const together = Map.groupBy(entries.filter(isOneSided), ({ fields: [field], requests }) =>
    JSON.stringify([field?.first !== undefined, requests]),
  )
  return [
    ...entries.filter((entry) => !isOneSided(entry)),
    ...[...together.values()].flatMap(([entry, ...others]) =>
      entry ? [{ ...entry, fields: [entry, ...others].flatMap(({ fields }) => fields) }] : [],
    ),
  ]
}

/** Puts the same difference in replies to several requests, or in several fields of the same name, into one group.
 * All other differences are grouped by field and request. */
function groups(met: readonly Met[]): readonly Group[] {
  const alike = grouped(met, (one) => [one.kind, lastOf(one.field), ...changeOf(one)])
  const isWide = (group: Group): boolean => new Set(group.map((one) => `${requestOf(one)} ${one.field}`)).size > 1
  const narrow = alike.filter((group) => !isWide(group)).flat()
  return [...alike.filter(isWide), ...grouped(narrow, (one) => [one.kind, one.field, requestOf(one), ...sidesOf(one)])]
}

const grouped = (met: readonly Met[], keyOf: (one: Met) => readonly unknown[]): Group[] =>
  [...Map.groupBy(met, (one) => JSON.stringify(keyOf(one))).values()].filter(
    (group): group is [Met, ...Met[]] => group.length > 0,
  )

/** Returns what identifies the difference. A server with additional fields, or one that wraps every message in the
 * same text, differs in one thing only: the values of the fields and the wrapped messages are ignored. */
function changeOf({ kind, first, other }: Met): readonly unknown[] {
  if (kind === 'field') return [first !== undefined, other !== undefined]
  if (kind !== 'text' || !first || !other) return [first, other]
  const { length } = first
  const at = other.indexOf(first)
  return at < 0 ? [first, other] : [other.slice(0, at), other.slice(at + length)]
}

const lastOf = (field: string): string => field.split('.').at(-1) ?? field
const requestOf = ({ steps: [{ request }] }: Met): string => request
const sidesOf = ({ first, other }: Met) => [first !== undefined, other !== undefined]

function entryOf(group: Group, countOf: (request: string) => number): DriftEntry {
  const [{ kind, field, first, other, steps }] = group
  const requests = grouped(group, (one) => [requestOf(one)]).map(([one, ...others]): DriftRequest => {
    const replies = new Set([one, ...others].map(({ steps: [step] }) => step)).size
    return { request: requestOf(one), replies, of: countOf(requestOf(one)) }
  })
  const isOne = group.every((one) => one.field === field)
  const name: DriftField = {
    name: isOne ? field : `….${lastOf(field)}`,
    ...(first === undefined ? {} : { first: cut(first, longestValue) }),
    ...(other === undefined ? {} : { other: cut(other, longestValue) }),
  }
  return {
    kind,
    areas: [...new Set(group.map(({ steps: [{ area }] }) => area))],
    fields: [name],
    more: new Set(group.map((one) => JSON.stringify([one.first, one.other]))).size - 1,
    requests: requests.toSorted((one, two) => two.replies - one.replies),
    example: { check: steps[0].check, first: replyOf(steps[0]), other: replyOf(steps[1]) },
  }
}

const longestValue = 300
const longestBody = 2000
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

function replyOf({ exchange: { method, url, requestBody }, attempt, headers }: Step): DriftReply {
  const { pathname, search } = URL.parse(url) ?? { pathname: url, search: '' }
  return {
    request: `${method} ${pathname}${search}`,
    ...(requestBody === undefined ? {} : { requestBody: cut(requestBody, longestBody) }),
    status: attempt.status,
    headers: Object.fromEntries([...headers.keys()].map((name) => [name, attempt.responseHeaders?.[name] ?? ''])),
    body: cut(attempt.responseBody ?? '', longestBody),
  }
}
