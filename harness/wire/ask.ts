import { type Dialect, isOfTheWay } from '../vocabulary/index.ts'
import { bounds } from './bounds.ts'
import { type AtActive, isUnsent, type WireClient, type WireOutcome } from './client.ts'
import { type ListCaller, sendListing } from './list-method.ts'
import type { TroubleKind } from './trouble.ts'

/** One request outside any check: by the probe, an inventory or the clean-up. */
export interface Question {
  readonly method: string
  /** Relative to the dialect's prefix. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** A serialized JSON text. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly once?: boolean
  readonly repeatable?: boolean
  readonly atActive?: AtActive
  readonly timeoutMs?: number
}

export type Ask = (question: Question) => Promise<WireOutcome>

/** Headers of the profile that authenticate the caller, so that only the operator's requests carry them. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'cookie'])

/** The caller of a request. Without a `token`, the request has no token header. */
export interface Who {
  readonly operator: boolean
  readonly token: string | undefined
}

export function headersFor(
  client: WireClient,
  dialect: Dialect,
  who: Who,
  options: { body: boolean; extra?: Readonly<Record<string, string>> },
): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'assay', accept: 'application/json, */*' }
  if (options.body) headers['content-type'] = 'application/json'
  const tokenHeader = dialect.tokenHeader.toLowerCase()
  for (const [name, value] of Object.entries(client.endpoint.headers)) {
    const lower = name.toLowerCase()
    if (who.operator || (lower !== tokenHeader && !credentials.has(lower))) headers[lower] = value
  }
  if (who.token !== undefined) headers[tokenHeader] = who.token
  for (const [name, value] of Object.entries(options.extra ?? {})) headers[name.toLowerCase()] = value
  return headers
}

function asking(client: WireClient, dialect: Dialect, who: (client: WireClient) => Who): Ask {
  return ({ headers: extra, path, ...question }) => {
    const caller = who(client)
    const request = {
      ...question,
      ...afresh(client, question),
      path: `${dialect.prefix}/${path}`,
      asked: `${question.method} ${path}`,
      headers: headersFor(client, dialect, caller, { body: question.body !== undefined, ...(extra ? { extra } : {}) }),
    }
    return sendListing(client, request, () => listCaller(client, dialect, caller))
  }
}

let freshCount = 0

/** Makes a read differ from all earlier ones, so that a cache in front of the target has no reply to it. Only requests
 * outside checks do this: what a check sends is not changed. */
const afresh = ({ cache }: WireClient, { method, query }: Omit<Question, 'path'>): Pick<Question, 'query'> =>
  cache.seen !== undefined && method === 'GET' ? { query: { ...query, 'assay-afresh': String(++freshCount) } } : {}

/** The first list of the inventory is never empty, because a server has policies of its own. */
export function listCaller(
  client: WireClient,
  dialect: Dialect,
  { operator }: Pick<Who, 'operator'>,
  token = client.endpoint.token,
): ListCaller {
  const [first] = dialect.operations.inventory?.({}).exchanges ?? []
  if (first?.method !== 'LIST') return { sample: undefined, isOperator: operator }
  const headers = headersFor(client, dialect, { operator: true, token }, { body: false })
  const asked = `LIST ${first.path}`
  const sample = { method: 'LIST', path: `${dialect.prefix}/${first.path}`, asked, headers }
  return { sample, isOperator: operator }
}

export const nobody: Who = { operator: false, token: undefined }
export const operatorOf = ({ endpoint }: WireClient): Who => ({ operator: true, token: endpoint.token })

/** Kinds of trouble that count as a failure of the target. The others are about the request or about the end of the
 * run. */
const failing: ReadonlySet<TroubleKind> = new Set([
  'unsent',
  'broken',
  'not-taken',
  'late',
  'too-large',
  'garbled',
  'untrusted',
])

export const isFailing = ({ reply, troubleKind }: WireOutcome): boolean =>
  (reply !== undefined && isOfTheWay(reply)) || (troubleKind !== undefined && failing.has(troubleKind))

/** Stops sending once a connection fails or several replies in a row are late or bad: every further question then
 * returns the last outcome. Otherwise, each of many questions to a dead target would cost the timeout or all retries.
 * `isBack` waits for a target that seems to be gone; it is called once, and if it returns true, sending goes on. */
export function untilGone(ask: Ask, isBack?: () => Promise<boolean>): Ask {
  let gone: WireOutcome | undefined
  let [late, bad] = [0, 0]
  return async function asking(question) {
    if (gone) return gone
    const outcome = await ask(question)
    late = outcome.troubleKind === 'late' ? late + 1 : 0
    bad = isFailing(outcome) ? bad + 1 : 0
    if (!isUnsent(outcome) && late < bounds.lateInCleanUp.value && bad < bounds.badInCleanUp.value) return outcome
    late = bad = 0
    const waiting = isBack?.()
    isBack = undefined
    if (await waiting) return asking(question)
    gone = outcome
    return outcome
  }
}

/** Sends questions with the operator's token. `token` returns the current one, which may differ from the endpoint's. */
export const asOperator = (client: WireClient, dialect: Dialect, token = () => client.endpoint.token): Ask =>
  asking(client, dialect, () => ({ operator: true, token: token() }))
export const asNobody = (client: WireClient, dialect: Dialect): Ask => asking(client, dialect, () => nobody)
/** Sends questions without a token and without the endpoint's own headers. One of these may select a namespace, and
 * servers do not report their version and edition inside a namespace. */
export const asBare = (client: WireClient, dialect: Dialect): Ask =>
  asNobody({ ...client, endpoint: { ...client.endpoint, headers: {} } }, dialect)
