/** Looks at what the requests of a check must leave as it is. */
import { isDeepStrictEqual } from 'node:util'
import type { CheckScope } from '../run/scope.ts'
import {
  type Check,
  type FoundMismatch,
  type Framed,
  fieldOf,
  isDenied,
  isNotReady,
  isRefusal,
  isSuccess,
  type Json,
  mismatch,
  type Reply,
  shown,
  statusSeen,
} from '../vocabulary/index.ts'

/** Returns what the judged request has changed; the reply is its. */
type Changes = (reply: Reply) => Promise<readonly FoundMismatch[]>

const isShown = (reply: Reply): boolean => isSuccess(reply) && reply.status !== 204

/** A read of what is not there is refused, or shows nothing (readings of the documents, 55). A denial or a failure of the
 * target says nothing of the object. */
const isGone = (reply: Reply): boolean =>
  reply.status === 204 || (isRefusal(reply) && !isDenied(reply) && !isNotReady(reply) && reply.status < 500)

type Reading = Pick<CheckScope, 'send'> & { readonly own: Pick<CheckScope['own'], 'denied'> }

/** What the check decides does not need the frame, so a token that may not read it is not held against the check. */
async function looked({ read }: Framed, scope: Reading): Promise<Reply> {
  const { denied } = scope.own
  const known = denied.length
  const reply = await scope.send(read)
  denied.splice(known)
  return reply
}

/** Reads what is framed, before the judged request. What cannot be read then is not looked at afterwards. */
export async function framed({ frame = [] }: Pick<Check, 'frame'>, scope: Reading): Promise<Changes> {
  const found: { readonly one: Framed; readonly before: Reply }[] = []
  for (const one of frame) found.push({ one, before: await looked(one, scope) })
  return async ({ asked }) => {
    const changes: FoundMismatch[] = []
    for (const { one, before } of found.filter(({ before }) => isShown(before)))
      changes.push(...changesOf(one, before, await looked(one, scope), asked))
    return changes
  }
}

function changesOf({ gone, changed }: Framed, before: Reply, after: Reply, asked: string): readonly FoundMismatch[] {
  const as = (was: string): string => `${was} as before ${asked}`
  if (isGone(after))
    return [{ ...mismatch(after, 'status', as(String(before.status)), statusSeen(after)), requirement: gone }]
  if (!isShown(after)) return []
  return Object.entries(changed).flatMap(([field, requirement]) => {
    const [was, is] = [fieldOf(before, field), fieldOf(after, field)]
    if (isDeepStrictEqual(unordered(was), unordered(is))) return []
    return [{ ...mismatch(after, field, as(shown(was)), shown(is)), requirement }]
  })
}

/** The order of a list says nothing. */
const unordered = (value: Json | undefined): unknown =>
  Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)).toSorted() : value
