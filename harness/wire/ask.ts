import type { Dialect } from '../vocabulary/index.ts'
import { isUnsent, type WireClient, type WireOutcome } from './client.ts'

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
    client.send({
      ...question,
      path: `${dialect.prefix}/${path}`,
      asked: `${question.method} ${path}`,
      headers: headersFor(client, dialect, who(client), {
        body: question.body !== undefined,
        ...(extra ? { extra } : {}),
      }),
    })
}

export const nobody: Who = { operator: false, token: undefined }
export const operatorOf = ({ endpoint }: WireClient): Who => ({ operator: true, token: endpoint.token })

/** Once no connection came about, every further question ends the same way, without being sent: many questions to a
 * target that is gone would each cost all retries. */
export function untilGone(ask: Ask): Ask {
  let gone: WireOutcome | undefined
  return async (question) => {
    if (gone) return gone
    const outcome = await ask(question)
    if (isUnsent(outcome)) gone = outcome
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
