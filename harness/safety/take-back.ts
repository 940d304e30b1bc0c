import type { ClusterAccess, Dialect, Reply } from '../vocabulary/index.ts'
import { isSuccess } from '../vocabulary/index.ts'
import type { Ask } from '../wire/ask.ts'
import type { Undo } from './journal-lines.ts'
import { isMissing, isStillThere } from './still-there.ts'

/** Texts with which servers of this family say that the thing is already gone, under other statuses than 404. */
const alreadyGone = /invalid accessor|no matching mount|not found|does not exist|no such/i

const isGone = (reply: Reply, path: string): boolean =>
  isSuccess(reply) || isMissing(reply, path) || reply.status === 410 || alreadyGone.test(reply.text.slice(0, 2000))

const onlyLooking = (access: ClusterAccess): ClusterAccess => ({
  ...access,
  patienceMs: 0,
  send: async (exchange, token) => (exchange.method === 'GET' ? access.send(exchange, token) : undefined),
})

const lookedAt = async (restored: Promise<string | undefined>): Promise<string | undefined> => {
  const left = await restored
  return left && `what the run was refused is there all the same, and may be somebody else's: ${left}`
}

async function ofCluster({ cluster, url }: Undo, restored: Promise<string | undefined>): Promise<string | undefined> {
  const left = await restored
  return left && `the cluster ${cluster}${url === undefined ? '' : ` (${url})`} is ${left}`
}

/** Undefined where the object is gone, else why it may still be there. A refusal alone leaves nothing behind: the target
 * is asked whether the object is there. */
export async function takeBack(
  undo: Undo,
  ask: Ask,
  dialect: Dialect,
  access?: ClusterAccess,
): Promise<string | undefined> {
  const { method, path, query, body, restoration } = undo
  if (restoration !== undefined) {
    const restore = dialect.restorations?.[restoration]
    if (!restore || !access) return `the dialect ${dialect.id} does not know ${restoration}`
    return undo.refused && !access.mayBeWiped
      ? lookedAt(ofCluster(undo, restore(onlyLooking(access), path)))
      : ofCluster(undo, restore(access, path))
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
