/** Finds the request that acts: the one that a finding is about, whatever request looked at its effect. Pure. */
import { pathPattern, unnamed, withoutNames } from '../safety/path-pattern.ts'
import type { CheckResult, FoundMismatch, RecordedExchange, Requirement } from '../vocabulary/index.ts'

/** A request without what differs from check to check. */
export interface AskedPattern {
  /** `POST sys/policies/acl/{name}` */
  readonly words: string
  /** The same without the names of placeholders, for comparisons. */
  readonly key: string
  readonly body?: string
}

export interface Acting extends AskedPattern {
  /** The request that looked; the same request if its own reply differs. */
  readonly looking: AskedPattern
}

/** Phases before the reply is judged, and the judging itself: what the harness sends on its own account never acts. */
const own: ReadonlySet<RecordedExchange['phase']> = new Set(['given', 'before', 'when', 'then', 'control'])

export class ActingRequests {
  readonly #paths: readonly string[]

  /** `paths`: the paths of the documents, whose names replace the variable parts of a path. */
  constructor(paths: readonly string[]) {
    this.#paths = paths
  }

  /** Returns the request of a mismatch that acts. If the statement is about certain requests, that is the last of them
   * before the reply that differs. Otherwise it is the judged request, or if that one reads, the last write before. */
  of(check: CheckResult, mismatch: FoundMismatch, row: Requirement | undefined): Acting {
    const looking = isOfMethod(mismatch) ? { words: listMethod, key: listMethod } : this.patternOf(mismatch.asked)
    const sent = check.exchanges.slice(0, (mismatch.exchange ?? check.exchanges.length - 1) + 1)
    const ofTarget = sent.filter(({ phase, to }) => own.has(phase) && to !== 'provider')
    const before = ofTarget.map((exchange) => this.#seen(exchange))
    const last = before.at(-1)
    const isItself = isOfMethod(mismatch) || isUnserved(mismatch) || before.length === 0
    if (isItself) return { ...looking, ...bodyOf(last?.key === looking.key ? last : undefined), looking }
    const stated = new Set(row?.requests?.map((request) => sameMethod(this.patternOf(request).key)))
    const judged = before.filter(({ phase, isWriting }) => phase === 'when' && isWriting).at(-1)
    const writing = before.findLast(({ phase, isWriting }) => isWriting && phase !== 'control')
    const acting = before.findLast(({ key }) => stated.has(sameMethod(key))) ?? judged ?? writing ?? last
    return acting ? { words: acting.words, key: acting.key, ...bodyOf(acting), looking } : { ...looking, looking }
  }

  /** Returns the pattern of a request such as `POST sys/policies/acl/assay-…`. */
  patternOf(asked: string): AskedPattern {
    const [, method = '', path = '', rest = ''] = /^([A-Z]+) (\S+)(.*)$/s.exec(asked) ?? []
    const words =
      method === '' ? withoutNames(asked) : `${method} ${pathPattern(path, this.#paths)}${withoutNames(rest)}`
    return { words, key: unnamed(words) }
  }

  #seen({ method, url, phase, requestBody }: RecordedExchange) {
    const isList = method === 'GET' && /[?&]list=true(&|$)/.test(url)
    const path = url.replace(/^.*?\/v1\//, '').replace(/\?.*$/s, '')
    const pattern = this.patternOf(`${isList ? 'LIST' : method} ${decoded(path)}`)
    const isWriting = method !== 'GET' && method !== 'LIST'
    return { ...pattern, phase, isWriting, ...(requestBody === undefined ? {} : { body: withoutNames(requestBody) }) }
  }
}

const bodyOf = (seen: AskedPattern | undefined): { body?: string } =>
  seen?.body === undefined ? {} : { body: seen.body }

/** What is at fault if the method LIST itself is not served, whatever was to be listed. */
export const listMethod = 'LIST'

/** Returns whether a mismatch is about the method LIST. Where it gets no reply, only the checks of the method send it. */
export const isOfMethod = ({ at, asked }: FoundMismatch): boolean =>
  at === 'method' || (at === 'connection' && asked.startsWith('LIST '))

/** Servers take PUT and POST alike. */
const sameMethod = (asked: string): string => asked.replace(/^PUT /, 'POST ')

/** Such a reply is about the request itself, whatever was written before. */
export const isUnserved = ({ at, wanted, saw }: FoundMismatch): boolean =>
  at === 'connection' || (at === 'status' && wanted === '2xx' && /^(405|501)\b/.test(saw))

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
