/** Sends the exchanges of the probe, and stops early if the target is slow. */
import { type Exchange, type Finding, fieldOf } from '../vocabulary/index.ts'
import type { Ask } from '../wire/ask.ts'
import { bounds } from '../wire/bounds.ts'
import type { ListWay, WireClient, WireOutcome } from '../wire/client.ts'
import type { Asker } from './governing.ts'

interface Parts {
  readonly client: WireClient
  /** Once aborted, nothing more is sent. */
  readonly signal?: AbortSignal
  record(exchange: Exchange, outcome: WireOutcome): void
}

/** Sends the requests of the probe. After a few late replies, each of which takes the whole timeout, nothing more is
 * sent, and every further request has the outcome of the last one. */
export function prober({ client, record, signal }: Parts) {
  let late = 0
  let last: WireOutcome | undefined
  const wasLate = () => late >= bounds.lateInProbe.value
  async function send(ask: Ask, exchange: Exchange): Promise<WireOutcome> {
    if (last && (wasLate() || signal?.aborted)) return last.reply ? ended(last) : last
    const { swallowed } = client.lists
    last = await performed(ask, exchange)
    // The client does not send lists any more once it knows that they get no reply.
    if (last === swallowed) return last
    if (last.troubleKind === 'late') late += 1
    record(exchange, last)
    return last
  }
  return { send, wasLate }
}

const ended = ({ url, headers, attempts }: WireOutcome): WireOutcome => ({
  ...{ url, headers, attempts },
  trouble: 'not asked, because the run has ended',
  troubleKind: 'cut',
})

/** Sends an exchange as it is, outside of any check. */
export const performed = (ask: Ask, { method, path, query, body, once, headers }: Exchange): Promise<WireOutcome> =>
  ask({
    method,
    path,
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(once ? { once } : {}),
    ...(headers ? { headers } : {}),
  })

export const tooLate: Finding = {
  severity: 'warning',
  code: 'probe-late',
  text: `the probe ended early, because ${bounds.lateInProbe.value} replies were late: the remaining facts about the target are unknown`,
}

/** Asks twice for the same. Servers of this family give each reply an id of its own, so an id that comes again, while
 * another request has another one, shows that the reply was stored on the way. */
export async function findCache({ ask }: Asker, { cache }: WireClient): Promise<void> {
  const idOf = async (asked: Promise<WireOutcome>): Promise<string | undefined> => {
    const { reply } = await asked
    const id = reply && fieldOf(reply, '/request_id')
    return typeof id === 'string' && id !== '' ? id : undefined
  }
  const first = await idOf(ask('lookupSelf', {}))
  if (first === undefined || (await idOf(ask('lookupSelf', {}))) !== first) return
  const other = await idOf(ask('capabilitiesSelf', { paths: ['sys/health'] }))
  if (other !== undefined && other !== first) cache.seen = 'a cache in front of the target, with a stored reply'
}

/** Tells that replies to GET may be old. */
export const cacheFindings = ({ cache: { seen } }: WireClient): Finding[] =>
  seen === undefined
    ? []
    : [
        {
          severity: 'warning',
          code: 'replies-stored',
          text: `replies to GET come from ${seen}: a check that reads the same twice is not verified; judge the target at its own address`,
        },
      ]

/** Tells that LIST does not get through, since that changes how every list is requested. */
export function listFindings({ by, refusal, swallowed }: ListWay): Finding[] {
  if (by === 'GET') {
    const text = `the method LIST does not get through (${refusal}): lists are requested by GET with ?list=true, and only the checks of the method itself send LIST`
    return [{ severity: 'warning', code: 'list-by-get', text }]
  }
  if (!swallowed) return []
  const text =
    'neither LIST nor GET with ?list=true gets a reply: a proxy may drop them. Nothing can be listed, and the search for leftovers may miss some'
  return [{ severity: 'warning', code: 'list-unanswered', text }]
}
