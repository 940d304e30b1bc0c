import type { ClusterPlace, Dialect, Reply } from '../vocabulary/index.ts'
import { isSuccess } from '../vocabulary/index.ts'
import type { Ask } from '../wire/ask.ts'
import type { Undo } from './journal.ts'
import { isMissing, isStillThere } from './still-there.ts'

/** Texts with which servers of this family say that the thing is already gone, under other statuses than 404. */
const alreadyGone = /invalid accessor|no matching mount|not found|does not exist|no such/i

const isGone = (reply: Reply, path: string): boolean =>
  isSuccess(reply) || isMissing(reply, path) || reply.status === 410 || alreadyGone.test(reply.text.slice(0, 2000))

/** Undefined where the object is gone, else why it may still be there. A refusal alone leaves nothing behind: the target
 * is asked whether the object is there. */
export async function takeBack(
  undo: Undo,
  ask: Ask,
  dialect: Dialect,
  place?: ClusterPlace,
): Promise<string | undefined> {
  const { method, path, query, body, restoration } = undo
  if (restoration !== undefined) {
    const restore = dialect.restorations?.[restoration]
    return restore && place ? restore(place, path) : `the dialect ${dialect.id} does not know ${restoration}`
  }
  const { reply, trouble } = await ask({
    method,
    path,
    repeatable: true,
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { body }),
  })
  if (!reply) return trouble ?? 'no reply'
  if (isGone(reply, path) || !(await isStillThere(undo, ask, dialect))) return undefined
  return `${method} ${path} answered ${reply.status}`
}
