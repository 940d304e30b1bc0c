/** Groups findings by their causes: by the sentence that is contradicted and by the request that acts. Pure: the same
 * results give the same causes, in the same order. */
import { unnamed, withoutNames } from '../safety/path-pattern.ts'
import { defined } from '../vocabulary/defined.ts'
import {
  type Blocker,
  brokenIn,
  type Cause,
  type CheckResult,
  type ExplainedVerdict,
  explainedVerdicts,
  isContradicted,
  obstacles as obstacleWords,
  type Requirement,
} from '../vocabulary/index.ts'
import { ActingRequests, isOfMethod, listMethod } from './acting.ts'
import { mostOften, type Sight, saysOf } from './cause-words.ts'
import { joined } from './joined.ts'

/** What the documents state, as far as causes need it. */
export interface KnownLaw {
  readonly requirements?: readonly Requirement[]
  /** The paths of the documents, whose names replace the variable parts of a path. */
  readonly paths?: readonly string[] | undefined
}

/** Returns the causes of all findings and obstacles, worst verdict first. */
export function causesOf(
  checks: readonly CheckResult[],
  { requirements = [], paths = [] }: KnownLaw = {},
): readonly Cause[] {
  const requests = new ActingRequests(paths)
  const contradicting = contradictions(checks.filter(isContradictedNow), requirements, requests)
  const causes = [...contradicting, ...obstacles(checks, requests, contradicting)]
  const rank = ({ verdict }: Cause): number => explainedVerdicts.indexOf(verdict)
  return causes.toSorted((one, other) => rank(one) - rank(other) || other.checks.length - one.checks.length)
}

const isContradictedNow = (check: CheckResult): boolean => check.verdict !== 'accepted' && isContradicted(check)

/** One sentence that one mismatch of one check contradicts. */
interface Contradiction extends Sight {
  readonly check: CheckResult
  readonly id: string
  /** Contradictions that have a key in common have the same cause. */
  readonly keys: readonly string[]
}

function contradictions(
  checks: readonly CheckResult[],
  requirements: readonly Requirement[],
  requests: ActingRequests,
): Cause[] {
  if (checks.length === 0) return []
  const rows = new Map(requirements.map((row) => [row.id, row]))
  const sameRequest = twinRequests(requirements, requests)
  const all = checks.flatMap((check) => contradictionsOf(check, rows, requests, sameRequest))
  const left = new Set(checks)
  const causes: Cause[] = []
  // A check may contradict several sentences. It belongs to the cause that most of the remaining checks have.
  const groups = joined(all, ({ keys }) => keys).map((group) => ({ group, holders: holdersOf(group) }))
  while (left.size > 0) {
    const [best] = groups
      .map(({ group, holders }) => ({ group, own: holders.filter((check) => left.has(check)) }))
      .toSorted((one, other) => other.own.length - one.own.length)
    if (!best || best.own.length === 0) break
    causes.push(
      contradictionCause(
        best.own,
        best.group.filter(({ check }) => left.has(check)),
        rows,
      ),
    )
    for (const check of best.own) left.delete(check)
  }
  return causes
}

const holdersOf = (group: readonly Contradiction[]): readonly CheckResult[] => [
  ...new Set(group.map(({ check }) => check)),
]

function contradictionsOf(
  check: CheckResult,
  rows: ReadonlyMap<string, Requirement>,
  requests: ActingRequests,
  sameRequest: (key: string) => string,
): readonly Contradiction[] {
  const own = check.requirements.length > 0 ? check.requirements : [check.id]
  if (check.mismatches.length === 0) return own.map((id) => ({ check, id, keys: [id] }))
  return check.mismatches.flatMap((mismatch) =>
    brokenIn(mismatch, { requirements: own }).map((id) => {
      const acting = requests.of(check, mismatch, rows.get(id))
      const seen = { check, id, mismatch, acting }
      const keys = isOfMethod(mismatch) ? [listMethod] : keysOf(seen, rows.get(id), sameRequest)
      return { ...seen, keys }
    }),
  )
}

/** Returns what a contradiction has in common with others of the same cause. */
function keysOf(
  { check, id, mismatch, acting }: Required<Omit<Contradiction, 'keys'>>,
  row: Requirement | undefined,
  sameRequest: (key: string) => string,
): readonly string[] {
  const { area } = check
  // Engines of two areas may have the same paths below their mounts.
  const inArea = (key: string): string => `${/^\S+ \{\}/.test(key) ? area : ''} ${sameRequest(key)}`
  const [asked, looked] = [inArea(acting.key), inArea(acting.looking.key)]
  const isItself = asked === looked
  const { at, wanted, saw } = mismatch
  const key = (...parts: readonly (string | undefined)[]): string => unnamed(withoutNames(JSON.stringify(parts)))
  const keys = [key('sentence', row?.twin ?? id, asked)]
  // The reply to a request and its effect, or several effects of it: independent faults concern different fields.
  const isWhole = row?.field !== undefined || isOnlyNames(acting.body)
  if (row && isWhole && isWriting(asked)) keys.push(key('request', asked, row.field, acting.body))
  if (isItself && wanted === '2xx')
    keys.push(...likenessesOf(saw, row?.field).map((likeness) => key('refused', asked, likeness)))
  else if (row?.field === undefined)
    keys.push(key('seen', asked, looked, at, wanted, saw, isItself ? acting.body : undefined))
  return keys
}

/** Refusals are alike by their status, unless it may be about the value of one field, and by all of their words. */
function likenessesOf(saw: string, field: string | undefined): readonly string[] {
  const status = /^\d{3}(?!\d)/.exec(saw)?.[0] ?? saw
  const ofStatus = isAboutRequest(status) || field === undefined ? [status] : []
  return saw === status ? ofStatus : [...ofStatus, saw]
}

const isWriting = (asked: string): boolean => !/^\S* (GET|LIST) /.test(asked)

/** A reply with such a status is about the request as a whole, not about a value in it. */
const isAboutRequest = (status: string): boolean => /^(404|405|501|5\d\d)$/.test(status) || !/^\d/.test(status)

/** Returns whether a body only names what the request acts on, so that all that it does is one thing. */
const isOnlyNames = (body: string | undefined): boolean =>
  body === undefined || /^\{("[^"]*":"(\{[^{}]*\}|\[redacted:[^\]]*\])",?)*\}$/.test(body)

/** Returns a function that gives twins of a request the same key: the requests that the same statements of several kinds
 * are about. */
function twinRequests(requirements: readonly Requirement[], requests: ActingRequests): (key: string) => string {
  const first = new Map<string, string>()
  for (const [twin, kinds] of Map.groupBy(requirements, (row) => row.twin)) {
    if (twin === undefined) continue
    const keys = kinds.flatMap(({ requests: [one, ...more] = [] }) =>
      one !== undefined && more.length === 0 ? requests.patternOf(one).key : [],
    )
    const known = keys.map((key) => first.get(key)).find((key) => key !== undefined) ?? keys[0]
    if (known !== undefined) for (const key of keys) first.set(key, known)
  }
  return (key) => first.get(key) ?? key
}

/** Returns the cause of a group. Its sentences are in the order of how often they are contradicted; a *must* comes
 * first. The checks that contradict the first one, which is told, come first. */
function contradictionCause(
  checks: readonly CheckResult[],
  group: readonly Contradiction[],
  rows: ReadonlyMap<string, Requirement>,
): Cause {
  const counts = [...Map.groupBy(group, ({ id }) => id)].map(([id, own]) => ({ id, checks: holdersOf(own).length }))
  const isMust = (id: string): number => (rows.get(id)?.level === 'should' ? 1 : 0)
  const requirements = counts
    .toSorted((one, other) => isMust(one.id) - isMust(other.id) || other.checks - one.checks)
    .map(({ id }) => id)
  const [first = ''] = requirements
  const row = rows.get(first)
  const told = group.filter(({ id }) => id === first)
  const tell = new Set(holdersOf(told))
  const inOrder = checks.toSorted((one, other) => Number(tell.has(other)) - Number(tell.has(one)))
  const request = mostOften(group.flatMap(({ acting }) => acting?.words ?? []))
  return cause(inOrder, saysOf(told), {
    requirements,
    ...(row ? { sentence: row.says, source: row.source } : {}),
    ...(request === undefined ? {} : { request }),
  })
}

/** Groups the checks without a verdict of their own by their obstacle. Checks that rest on other checks are grouped by
 * the cause of those. */
function obstacles(checks: readonly CheckResult[], requests: ActingRequests, contradicting: readonly Cause[]): Cause[] {
  const groupOf = ({ code, facts, mend }: Partial<Blocker>): string | undefined => {
    const decisive = code === 'rests-on' && facts && 'check' in facts ? facts.check : undefined
    const found = contradicting.findIndex(({ checks: ids }) => ids.some((id) => id === decisive))
    return found < 0 ? mend : `cause ${found}`
  }
  const groups = Map.groupBy(
    checks.filter(({ verdict }) => verdict === 'not-verified' || verdict === 'error' || verdict === 'not-applicable'),
    (check) => {
      const { verdict, blocker } = check
      return JSON.stringify([
        verdict,
        blocker?.kind,
        blocker?.code,
        groupOf(blocker ?? {}),
        ownReasonOf(check, requests),
      ])
    },
  )
  return [...groups.values()].map((group) => {
    const { kind = 'suite', code, mend } = group[0]?.blocker ?? {}
    return cause(group, reasonsOf(group, requests), { obstacle: kind, ...defined({ code, mend }) })
  })
}

/** Returns the part of a group's key that comes from the reason. Obstacles with the same remedy are one cause whatever
 * their reasons, so it is empty for them. If the remedy only says where to look, or if there is none, the reason
 * distinguishes causes. */
function ownReasonOf(check: CheckResult, requests: ActingRequests): string {
  const { code, mend } = check.blocker ?? {}
  const isShared = mend !== undefined && code !== undefined && obstacleWords[code]?.perReason !== true
  return isShared ? '' : unnamed(reasonOf(check, requests))
}

const reasonOf = ({ blocker, names }: CheckResult, requests: ActingRequests): string =>
  inPatterns(withTexts(blocker?.reason ?? 'no reason was recorded', names), requests)

/** Returns the reasons of a group in one sentence, the most frequent first. */
function reasonsOf(group: readonly CheckResult[], requests: ActingRequests): string {
  const reasons = group.map((check) => reasonOf(check, requests))
  const [first = [], ...others] = [...Map.groupBy(reasons, unnamed).values()].toSorted((a, b) => b.length - a.length)
  const [second] = others
  if (!second) return toldNames(first[0] ?? '')
  const more = others.length > 1 ? `; and ${others.length - 1} more like these` : ''
  return toldNames(`${first[0]}; ${second[0]}${more}`)
}

/** Replaces each request in a sentence by its pattern in backticks. */
const inPatterns = (text: string, requests: ActingRequests): string =>
  withoutNames(text.replace(request, (_whole, asked: string) => `\`${requests.patternOf(asked).words}\``))

/** Replaces the name of a text that a check made by the text itself, or by its length if it is long. */
const withTexts = (reason: string, names: Readonly<Record<string, string>> = {}): string =>
  reason.replace(/the text `(\w+)`/g, (whole, name: string) => {
    const text = Object.hasOwn(names, name) ? (names[name] ?? '') : ''
    if (text === '') return whole
    return text.length <= longestText ? JSON.stringify(withoutNames(text)) : `a text of ${text.length} characters`
  })

const longestText = 80

/** Marks what stands for a throw-away name outside requests, where braces would be taken for what the target said. */
const toldNames = (reason: string): string =>
  reason
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/\{([a-z][a-z0-9-]*)\}/g, '‹$1›')))
    .join('')

const request = /`?(\b(?:GET|LIST|POST|PUT|PATCH|DELETE) [\w{}*./:-]*[\w{}*/])`?/g

function cause(
  checks: readonly CheckResult[],
  says: string,
  more: Omit<Cause, 'verdict' | 'says' | 'checks'> = {},
): Cause {
  const ranked = explainedVerdicts.flatMap((verdict) => checks.filter((check) => check.verdict === verdict))
  const verdict = (ranked[0]?.verdict ?? 'fail') as ExplainedVerdict
  return { verdict, says, ...more, checks: ranked.map(({ id }) => id) }
}
