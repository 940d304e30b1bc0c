/** Requests lists by the method LIST, or by GET with `?list=true` where LIST does not get through: some gateways refuse
 * a method that they do not know, and others turn it into GET. Which of the two works is decided once for each cluster
 * (readings of the documents, 72). One check of each area decides whether LIST is served; all other lists are requested
 * in the way that works. */
import { answererOf, isObject, isSuccess, keysOf, type Reply, statusSeen } from '../vocabulary/index.ts'
import type { KnownListWay, ListWay, WireClient, WireOutcome, WireRequest } from './client.ts'

/** Returns what other sessions can take over. */
export const knownListWay = ({ by, refusal }: ListWay): KnownListWay =>
  by === 'LIST' || by === 'GET' ? { by, ...(refusal === undefined ? {} : { refusal }) } : {}

/** Forgets how lists are requested, because the server behind the cluster is another one now. */
export function forgetListWay(way: ListWay): void {
  for (const key of ['by', 'refusal', 'swallowed', 'sampled'] as const) delete way[key]
}

export interface ListCaller {
  /** The request for a list that is never empty, by a token that may list it. */
  readonly sample: WireRequest | undefined
  /** Only a request of the operator can show whether LIST is served: another token may lack the right to list. */
  readonly isOperator: boolean
}

/** The statuses by which a server or a gateway refuses a method. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 405, 501])

const isFullList = (reply: Reply | undefined): boolean =>
  reply !== undefined && isSuccess(reply) && isObject(reply.json) && (keysOf(reply)?.length ?? 0) > 0

/** Tells whether the outcome may be that of the method: a list with entries, or a reply that is none because of it. */
const mayBeMethod = ({ reply, troubleKind }: WireOutcome): boolean =>
  reply ? refusals.has(reply.status) || isSuccess(reply) : troubleKind === 'broken' || troubleKind === 'late'

const byGet = (request: WireRequest): WireRequest => ({
  ...request,
  method: 'GET',
  query: { ...request.query, list: 'true' },
})

/** Sends a request, and any list in the way that works on this cluster. */
export async function sendListing(
  client: WireClient,
  request: WireRequest,
  callerOf: () => ListCaller,
): Promise<WireOutcome> {
  const { lists } = client
  if (request.method !== 'LIST' || request.isExact) return client.send(request)
  if (lists.by === 'GET') return sentByGet(client, request)
  if (lists.swallowed) return lists.swallowed
  const outcome = await client.send(request)
  if (lists.by !== undefined || !mayBeMethod(outcome)) return outcome
  const { sample, isOperator } = callerOf()
  const isSample = sample?.path === request.path
  if (isFullList(outcome.reply)) {
    // Only the sample decides: a server may answer GET of another collection with its list, too.
    if (isSample) lists.by = 'LIST'
    return outcome
  }
  if (sample && !isSample && outcome.troubleKind !== 'late') {
    lists.sampled ??= tried(client, sample)
    await lists.sampled
  }
  return mayFallBack(lists, isOperator) ? fallenBack(client, request, outcome) : outcome
}

const mayFallBack = ({ by }: KnownListWay, isOperator: boolean): boolean =>
  by === 'GET' || (by === undefined && isOperator)

async function tried(client: WireClient, sample: WireRequest): Promise<void> {
  const outcome = await client.send(sample)
  if (isFullList(outcome.reply)) client.lists.by = 'LIST'
  else if (mayBeMethod(outcome)) await fallenBack(client, sample, outcome)
}

/** Requests by GET what LIST did not show. A list with entries decides that lists are requested so from now on. */
async function fallenBack(client: WireClient, request: WireRequest, first: WireOutcome): Promise<WireOutcome> {
  const { lists } = client
  const isLate = first.troubleKind === 'late'
  const second = await sentByGet(client, isLate ? { ...request, once: true } : request)
  if (isFullList(second.reply) || (isLate && second.reply)) {
    lists.by = 'GET'
    lists.refusal ??= refusalIn(first)
  }
  if (isLate && second.troubleKind === 'late') Object.assign(lists, { by: 'nothing', swallowed: second })
  return isLate || lists.by === 'GET' ? second : first
}

const refusalIn = ({ reply, trouble = 'no reply' }: WireOutcome): string =>
  reply ? `${statusSeen(reply)} from ${answererOf(reply)}` : trouble

const sentByGet = async (client: WireClient, request: WireRequest): Promise<WireOutcome> => ({
  ...(await client.send(byGet(request))),
  method: 'GET',
})
