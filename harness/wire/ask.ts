import { type Dialect, isOfTheWay, isSuccess } from '../vocabulary/index.ts'
import { bounds } from './bounds.ts'
import { isUnsent, type WireClient, type WireOutcome, type WireRequest } from './client.ts'
import type { TroubleKind } from './trouble.ts'

/** One exchange outside any check: probing, taking inventories, cleaning up. */
export interface Question {
  readonly method: string
  /** Below the dialect's prefix. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** JSON, already a text. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly once?: boolean
  readonly repeatable?: boolean
  readonly timeoutMs?: number
}

export type Ask = (question: Question) => Promise<WireOutcome>

/** Headers that say who asks; the endpoint's own extra headers may hold one, and then it is the operator's. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'cookie'])

/** `token` undefined asks as nobody. */
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
  return ({ headers: extra, path, ...question }) =>
    sendListing(client, {
      ...question,
      path: `${dialect.prefix}/${path}`,
      asked: `${question.method} ${path}`,
      headers: headersFor(client, dialect, who(client), {
        body: question.body !== undefined,
        ...(extra ? { extra } : {}),
      }),
    })
}

/** The other way to ask for a list, for servers and proxies that do not know the method LIST. */
export const listByGet = { method: 'GET', query: { list: 'true' } } as const

const withoutList: ReadonlySet<number> = new Set([400, 404, 405, 501])

/** Tells whether a refusal may be about the method LIST. An empty list is refused so, too. */
export const mayLackList = (status: number | undefined): boolean => status !== undefined && withoutList.has(status)

/** Some proxies swallow the method LIST. Each list would cost the whole timeout, so the first that is late is asked for
 * by GET, which the servers of this family understand too, and the answer decides how all further lists are asked for.
 * Checks are not spared. */
async function sendListing(client: WireClient, request: WireRequest): Promise<WireOutcome> {
  const { lists } = client
  if (request.method !== 'LIST') return client.send(request)
  const byGet = { ...request, method: listByGet.method, query: { ...request.query, ...listByGet.query } }
  if (lists.by === 'GET') return client.send(byGet)
  if (lists.swallowed) return lists.swallowed
  const outcome = await client.send(request)
  if (mayLackList(outcome.reply?.status)) {
    const other = await client.send(byGet)
    return other.reply && isSuccess(other.reply) ? other : outcome
  }
  if (outcome.troubleKind !== 'late') return outcome
  const other = await client.send({ ...byGet, once: true })
  if (other.reply) lists.by = 'GET'
  else if (other.troubleKind === 'late') Object.assign(lists, { by: 'nothing', swallowed: other })
  return other
}

export const nobody: Who = { operator: false, token: undefined }
export const operatorOf = ({ endpoint }: WireClient): Who => ({ operator: true, token: endpoint.token })

/** These show that a target is of no use: trouble on the way, or a reply that puts everything off. */
const failing: ReadonlySet<TroubleKind> = new Set(['unsent', 'broken', 'late', 'too-large', 'garbled', 'untrusted'])

export const isFailing = ({ reply, troubleKind }: WireOutcome): boolean =>
  (reply !== undefined && isOfTheWay(reply)) || (troubleKind !== undefined && failing.has(troubleKind))

/** Once no connection came about, or a few replies in a row were late or of no use, every further question ends as the
 * last one did, without being sent: many questions to a target that is gone would each cost the timeout or all retries. */
export function untilGone(ask: Ask): Ask {
  let gone: WireOutcome | undefined
  let [late, bad] = [0, 0]
  return async (question) => {
    if (gone) return gone
    const outcome = await ask(question)
    late = outcome.troubleKind === 'late' ? late + 1 : 0
    bad = isFailing(outcome) ? bad + 1 : 0
    if (isUnsent(outcome) || late >= bounds.lateInCleanUp.value || bad >= bounds.badInCleanUp.value) gone = outcome
    return outcome
  }
}

/** Asks with the operator's token; `token` tells it where it is no longer the endpoint's. */
export const asOperator = (client: WireClient, dialect: Dialect, token = () => client.endpoint.token): Ask =>
  asking(client, dialect, () => ({ operator: true, token: token() }))
/** Asks with no token. */
export const asNobody = (client: WireClient, dialect: Dialect): Ask => asking(client, dialect, () => nobody)
/** The same without the endpoint's own headers: below a namespace, servers do not tell what they are. */
export const asBare = (client: WireClient, dialect: Dialect): Ask =>
  asNobody({ ...client, endpoint: { ...client.endpoint, headers: {} } }, dialect)
