/** Groups findings by their common causes. Pure: the same results give the same causes, in the same order. */
import { pathPattern, unnamed, withoutNames } from '../safety/path-pattern.ts'
import {
  type Blocker,
  type Cause,
  type CheckResult,
  type ExplainedVerdict,
  explainedVerdicts,
  type FoundMismatch,
  obstacles as obstacleWords,
} from '../vocabulary/index.ts'

/** Returns the causes of all findings and obstacles, worst verdict first. `law`: the paths of the documents, whose
 * names replace the variable parts of a path. */
export function causesOf(checks: readonly CheckResult[], law: readonly string[] = []): readonly Cause[] {
  const contradicted = checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const contradicting = contradictions(contradicted, law)
  const causes = [...contradicting, ...obstacles(checks, law, contradicting)]
  const rank = ({ verdict }: Cause): number => explainedVerdicts.indexOf(verdict)
  return causes.toSorted((one, other) => rank(one) - rank(other) || other.checks.length - one.checks.length)
}

/** What a finding may have in common with others. */
interface Trait {
  readonly key: string
  /** True for a row of the documents. A row that several exchanges contradict explains less than one exchange that
   * contradicts several rows. */
  readonly isRow: boolean
  readonly mismatch?: FoundMismatch
  /** The pattern of the contradicted exchange. */
  readonly asked?: string
}

/** Groups the findings greedily: the next cause is the trait that most of the remaining findings share. */
function contradictions(checks: readonly CheckResult[], law: readonly string[]): Cause[] {
  const traits = new Map(checks.map((check) => [check, traitsOf(check, law)]))
  const causes: Cause[] = []
  let left = checks
  while (left.length > 0) {
    const { trait, holders } = mostShared(left, traits)
    causes.push(cause(holders, trait ? saysOf(trait, holders, traits) : 'the difference was not recorded'))
    const taken = new Set(holders)
    left = left.filter((check) => !taken.has(check))
  }
  return causes
}

type Traits = ReadonlyMap<CheckResult, readonly Trait[]>

function mostShared(left: readonly CheckResult[], traits: Traits) {
  const shared = new Map<string, { trait: Trait; holders: Set<CheckResult> }>()
  for (const check of left)
    for (const trait of traits.get(check) ?? []) {
      const known = shared.get(trait.key)
      if (known) known.holders.add(check)
      else shared.set(trait.key, { trait, holders: new Set([check]) })
    }
  let best: { trait: Trait; holders: Set<CheckResult> } | undefined
  for (const one of shared.values()) {
    const more = one.holders.size - (best?.holders.size ?? 0)
    if (more > 0 || (more === 0 && best?.trait.isRow && !one.trait.isRow)) best = one
  }
  return { trait: best?.trait, holders: best ? [...best.holders] : left }
}

const traitsOf = ({ area, mismatches, requirements }: CheckResult, law: readonly string[]): readonly Trait[] => [
  ...mismatches.map((mismatch) => {
    const asked = isOfMethod(mismatch) ? 'LIST' : patternOf(mismatch.asked, law)
    return { key: exchangeKey(area, asked, mismatch), isRow: false, mismatch, asked }
  }),
  ...requirements.map((id) => ({ key: id, isRow: true })),
]

/** Tells whether a mismatch is about the method LIST itself, whatever was to be listed. Where it gets no reply, only the
 * checks of the method send it. */
const isOfMethod = ({ at, asked }: FoundMismatch): boolean =>
  at === 'method' || (at === 'connection' && asked.startsWith('LIST '))

/** Returns a key of method, path and what differs in the reply. The area is part of the key where the path begins with
 * a mount, because the engines of two areas may have the same paths below it. */
function exchangeKey(area: string, pattern: string, mismatch: FoundMismatch): string {
  const asked = unnamed(pattern)
  return JSON.stringify([/^\S+ \{\}/.test(asked) ? area : '', asked, unnamed(aspectOf(mismatch))])
}

/** Returns the part of the reply that differs: the status, with any success as 2xx, or the name of the field. */
function aspectOf({ at, wanted, saw }: FoundMismatch): string {
  const code = statusIn(saw)
  if (at !== 'status' || code === undefined) return withoutNames(at)
  return `status ${code.startsWith('2') ? '2xx' : code} ${wanted}`
}

const statusIn = (saw: string): string | undefined => /^\d{3}(?!\d)/.exec(saw)?.[0]

function patternOf(asked: string, law: readonly string[]): string {
  const [, method = '', path = '', rest = ''] = /^([A-Z]+) (\S+)(.*)$/s.exec(asked) ?? []
  return method === '' ? withoutNames(asked) : `${method} ${pathPattern(path, law)}${withoutNames(rest)}`
}

function saysOf({ key, isRow }: Trait, holders: readonly CheckResult[], traits: Traits): string {
  const shared = holders.flatMap((check) => traits.get(check) ?? []).filter((trait) => isRow || trait.key === key)
  const patterns = shared.flatMap(({ asked }) => asked ?? [])
  if (isRow) {
    const requests = new Set(patterns.map(unnamed)).size
    return `replies to ${requests === 1 ? 'one request' : `${requests} requests`} contradict \`${key}\``
  }
  const mismatches = shared.flatMap(({ mismatch }) => mismatch ?? [])
  const [asked, first] = [mostOften(patterns), mismatches[0]]
  return asked === undefined || !first
    ? 'the difference was not recorded'
    : `\`${asked}\` ${differs(first, mismatches)}`
}

/** Returns the predicate of a sentence that begins with "`GET x`". */
function differs(first: FoundMismatch, all: readonly FoundMismatch[]): string {
  const { at, wanted, saw } = first
  if (at === 'status') {
    const code = mostOften(all.map((one) => statusIn(one.saw) ?? one.saw)) ?? saw
    return wanted === '2xx' ? `answers ${code}` : `answers ${code} and not ${wanted}`
  }
  if (at === 'method') return `answers ${saw}, and GET with \`?list=true\` shows the list`
  if (at === 'connection') return 'cuts the connection'
  const field = `\`${withoutNames(at)}\``
  const isSame =
    all.every((one) => one.wanted === wanted && one.saw === saw) && `${wanted}${saw}`.length <= longestValues
  return isSame
    ? `differs from the documents in ${field}: wanted ${inOneLine(wanted)}, saw ${inOneLine(saw)}`
    : `differs from the documents in ${field}`
}

const longestValues = 120

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

function mostOften(texts: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(texts, (text) => text).values()]
  return groups.toSorted((one, other) => other.length - one.length)[0]?.[0]
}

/** Groups the checks without a verdict of their own by their obstacle. Checks that rest on other checks are grouped by
 * the cause of those. */
function obstacles(checks: readonly CheckResult[], law: readonly string[], contradicting: readonly Cause[]): Cause[] {
  const groupOf = ({ code, facts, mend }: Partial<Blocker>): string | undefined => {
    const decisive = code === 'rests-on' && facts && 'check' in facts ? facts.check : undefined
    return contradicting.find(({ checks: ids }) => ids.some((id) => id === decisive))?.says ?? mend
  }
  const groups = Map.groupBy(
    checks.filter(({ verdict }) => verdict === 'not-verified' || verdict === 'error' || verdict === 'not-applicable'),
    ({ verdict, blocker }) =>
      JSON.stringify([verdict, blocker?.kind, blocker?.code, groupOf(blocker ?? {}), ownReasonOf(blocker, law)]),
  )
  return [...groups.values()].map((group) => {
    const { kind = 'suite', code, mend } = group[0]?.blocker ?? {}
    return cause(group, reasonsOf(group, law), {
      obstacle: kind,
      ...(code === undefined ? {} : { code }),
      ...(mend === undefined ? {} : { mend }),
    })
  })
}

/** Returns the part of a group's key that comes from the reason. Obstacles with the same remedy are one cause whatever
 * their reasons, so it is empty for them. If the remedy only says where to look, or if there is none, the reason
 * distinguishes causes. */
function ownReasonOf(blocker: Blocker | undefined, law: readonly string[]): string {
  const { code, mend, reason = '' } = blocker ?? {}
  const isShared = mend !== undefined && code !== undefined && obstacleWords[code]?.perReason !== true
  return isShared ? '' : unnamed(inPatterns(reason, law))
}

/** Returns the reasons of a group in one sentence, the most frequent first. */
function reasonsOf(group: readonly CheckResult[], law: readonly string[]): string {
  const reasons = group.map(({ blocker }) => inPatterns(blocker?.reason ?? 'no reason was recorded', law))
  const [first = [], ...others] = [...Map.groupBy(reasons, unnamed).values()].toSorted((a, b) => b.length - a.length)
  const [second] = others
  if (!second) return first[0] ?? ''
  const more = others.length > 1 ? `; and ${others.length - 1} more like these` : ''
  return `${first[0]}; ${second[0]}${more}`
}

/** Replaces each request in a sentence by its pattern in backticks. */
const inPatterns = (text: string, law: readonly string[]): string =>
  withoutNames(text.replace(request, (_whole, asked: string) => `\`${patternOf(asked, law)}\``))

const request = /`?(\b(?:GET|LIST|POST|PUT|PATCH|DELETE) [\w{}*./:-]*[\w{}*/])`?/g

function cause(
  checks: readonly CheckResult[],
  says: string,
  more: Pick<Cause, 'mend' | 'obstacle' | 'code'> = {},
): Cause {
  const ranked = explainedVerdicts.flatMap((verdict) => checks.filter((check) => check.verdict === verdict))
  const verdict = (ranked[0]?.verdict ?? 'fail') as ExplainedVerdict
  return { verdict, says, ...more, checks: ranked.map(({ id }) => id) }
}
