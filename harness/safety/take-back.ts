/** Takes one object back by its undo. After a refusal it checks whether the object still exists, and for a journal that
 * is not authentic, whether the object belongs to the run. */
import { type ClusterAccess, type Dialect, fieldOf, isObject, isSuccess, type Reply } from '../vocabulary/index.ts'
import type { Ask, Question } from '../wire/ask.ts'
import type { WireOutcome } from '../wire/client.ts'
import { jsonOf } from '../wire/reply.ts'
import type { Undo } from './journal-lines.ts'
import { aboutToken, namesIn, tokenKind } from './listed.ts'
import { bears } from './names.ts'

/** Error texts by which servers of this family report, with statuses other than 404, that an object does not exist. */
const alreadyGone = /invalid accessor|no matching mount|not found|does not exist|no such/i

const isGone = (reply: Reply, path: string): boolean =>
  isSuccess(reply) || isMissing(reply, path) || reply.status === 410 || alreadyGone.test(reply.text.slice(0, 2000))

const readOnlyAccess = (access: ClusterAccess): ClusterAccess => ({
  ...access,
  patienceMs: 0,
  send: async (exchange, token) => (exchange.method === 'GET' ? access.send(exchange, token) : undefined),
})

const describeUntouched = async (restored: Promise<string | undefined>): Promise<string | undefined> => {
  const left = await restored
  return left && `the target refused the run's request, so this may be somebody else's and was not touched: ${left}`
}

async function describeCluster(
  { cluster, url }: Undo,
  restored: Promise<string | undefined>,
): Promise<string | undefined> {
  const left = await restored
  return left && `the cluster ${cluster}${url === undefined ? '' : ` (${url})`} is ${left}`
}

/** Sends an undo. Returns undefined if the object is gone, else the reason why it may still exist. A refusal alone is
 * not such a reason: the target is asked whether the object exists. */
export async function takeBack(
  undo: Undo,
  ask: Ask,
  dialect: Dialect,
  access?: ClusterAccess,
): Promise<string | undefined> {
  const { method, path, query, body, restoration } = undo
  if (restoration !== undefined) {
    const restore = dialect.restorations?.[restoration]
    if (!restore || !access) return `the dialect ${dialect.id} has no restoration ${restoration}`
    return undo.refused && !access.mayBeWiped
      ? describeUntouched(describeCluster(undo, restore(readOnlyAccess(access), path)))
      : describeCluster(undo, restore(access, path))
  }
  return takenBack(
    undo,
    { method, path, ...(query ? { query } : {}), ...(body === undefined ? {} : { body }) },
    ask,
    dialect,
  )
}

/** Sends an undo, and among several nodes sends it again until the active one shows that the object is gone: a standby
 * node may confirm what it does not know, and the next try may reach another node. */
async function takenBack(undo: Undo, question: Question, ask: Ask, dialect: Dialect): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    const outcome = await ask({ ...question, repeatable: true })
    const left = await whatIsLeft(undo, outcome, ask, dialect)
    const mayHelp = outcome.amongNodes !== undefined && outcome.amongNodes.unsettled === undefined
    if (left === undefined || !mayHelp || tries === mostTries) return left
    // One more request, because a balancer that takes turns would otherwise choose the same node for each try.
    if (question.method === 'DELETE' && (await isAtActive(undo, ask)) === false) return undefined
  }
}

/** Returns why the object may still exist, by the reply to its undo and, where needed, by further reads. */
async function whatIsLeft(
  undo: Undo,
  { reply, trouble, amongNodes }: WireOutcome,
  ask: Ask,
  dialect: Dialect,
): Promise<string | undefined> {
  const { method, path } = undo
  if (!reply || amongNodes?.unsettled) return amongNodes?.unsettled ?? trouble ?? 'no reply'
  const seen = amongNodes && method === 'DELETE' ? await isAtActive(undo, ask) : undefined
  const isLeft =
    seen ?? !(isGone(reply, path) || (await isUnserved(undo, reply, ask)) || !(await isStillThere(undo, ask, dialect)))
  return isLeft ? `${method} ${path} answered ${reply.status}` : undefined
}

/** How often an undo is sent to several nodes until the active one shows that the object is gone. */
const mostTries = 6

/** Returns whether an object exists on the active node of several; undefined if no read of it shows that. */
export async function isAtActive(
  { path, query }: Pick<Undo, 'path' | 'query'>,
  ask: Ask,
): Promise<boolean | undefined> {
  const { reply } = await ask({ method: 'GET', path, atActive: 'required', ...(query ? { query } : {}) })
  if (!reply) return undefined
  if (isMissing(reply, path) || reply.status === 410) return false
  return isSuccess(reply) ? true : undefined
}

/** Paths that are always mounted. Below any other mount, a path that is not served shows that the mount is gone. */
const alwaysThere = /^(sys|identity|auth\/token)\//

/** Returns whether a reply shows that nothing exists at a path. A server that does not serve the path at all shows
 * nothing about the object, which may have been made through another path. */
export const isMissing = (reply: Reply, path: string): boolean =>
  reply.status === 404 && !(alwaysThere.test(path) && /unsupported (path|operation)/i.test(reply.text.slice(0, 2000)))

/** Returns whether the target serves nothing at a path by which the object was to be made: so it was not, although the reply
 * that said so was lost. */
async function isUnserved({ method, path, words }: Undo, removal: Reply, ask: Ask): Promise<boolean> {
  const saysSo = ({ status, text }: Reply) => status === 404 && /unsupported path/i.test(text.slice(0, 2000))
  if (method !== 'DELETE' || !words.endsWith(` ${path}`) || !saysSo(removal)) return false
  const { reply } = await ask({ method: 'GET', path })
  return reply !== undefined && saysSo(reply)
}

/** Returns false only if the target shows that the object is gone. A run that was killed after an undo and before its
 * journal entry sends the undo again, and servers reply to that with any status. */
async function isStillThere(undo: Undo, ask: Ask, dialect: Dialect): Promise<boolean> {
  const accessor = accessorIn(undo, dialect)
  if (accessor !== undefined) return isTokenThere(accessor, ask, dialect)
  const { method, path, query } = undo
  if (method !== 'DELETE') return !(await isOwnerGone(undo, ask))
  // Some servers reply to a read of any name with the whole list, so the list of the kind decides if there is one.
  const listed = await isListed(path, ask, dialect)
  if (listed === false) return false
  // A list may also name what is gone, so what it names is read.
  const { reply } = await ask({ method: 'GET', path, ...(query ? { query } : {}) })
  return !(reply && (isMissing(reply, path) || reply.status === 410))
}

/** Returns whether the parent of an object is gone, and the object with it: a secret of an MFA method goes with the
 * method. */
async function isOwnerGone(undo: Undo, ask: Ask): Promise<boolean> {
  const owner = ownerOf(undo)
  if (owner === undefined) return false
  const { reply } = await ask({ method: 'GET', path: owner })
  return reply !== undefined && isMissing(reply, owner)
}

/** Returns the path of an object's parent: its name is in both paths, or in the body as `method_id`. */
function ownerOf({ words, path, body = 'null' }: Undo): string | undefined {
  const json = jsonOf(body)
  const id = isObject(json) ? json.method_id : undefined
  if (typeof id === 'string' && /^[\w-]+$/.test(id)) return `${path.slice(0, path.lastIndexOf('/'))}/${id}`
  const made = words.slice(words.indexOf(' ') + 1)
  const owner = made.slice(0, Math.max(0, made.lastIndexOf('/')))
  const name = owner.slice(owner.lastIndexOf('/') + 1)
  // Fixed words of the API have no digits, unlike throw-away names and ids: `auth/token` is not an object that can be
  // deleted.
  return /\d/.test(name) && path.split('/').slice(0, -1).includes(name) ? owner : undefined
}

/** Returns the accessor if the undo is the dialect's request to revoke a token by it. */
export function accessorIn({ method, path, body = 'null' }: Undo, dialect: Dialect): string | undefined {
  const json = jsonOf(body)
  if (!isObject(json) || typeof json.accessor !== 'string') return undefined
  const revocation = aboutToken(dialect, 'revokeAccessor', json.accessor)
  return revocation?.method === method && revocation.path === path ? json.accessor : undefined
}

/** Returns whether a token still exists. A refused lookup does not distinguish a revoked token from one that the
 * operator may not see, so the list of accessors decides. */
async function isTokenThere(accessor: string, ask: Ask, dialect: Dialect): Promise<boolean> {
  const lookup = aboutToken(dialect, 'tokenByAccessor', accessor)
  if (!lookup) return true
  const { reply } = await ask(lookup)
  if (!reply || isSuccess(reply)) return true
  const accessors = await listedAs(({ words }) => words === tokenKind, ask, dialect)
  // The operator's own token is in a complete list, so an empty list shows nothing.
  if (accessors && accessors.length > 0) return accessors.includes(accessor)
  return reply.status !== 404 && !/invalid accessor/i.test(reply.text.slice(0, 2000))
}

/** Returns undefined if no list of the inventory would contain the object, or if the list cannot be read. */
async function isListed(path: string, ask: Ask, dialect: Dialect): Promise<boolean | undefined> {
  const lists = dialect.operations.inventory?.({}).exchanges ?? []
  // Some names contain a slash; the list with the longest path contains the whole name.
  const above = lists.filter((exchange) => path.startsWith(`${exchange.path}/`)).map((exchange) => exchange.path)
  const folder = above.reduce((longest, one) => (one.length > longest.length ? one : longest), '')
  const name = path.slice(folder.length + 1)
  if (folder === '' || name === '' || name.includes('%')) return undefined
  const names = await listedAs((exchange) => exchange.path === folder, ask, dialect)
  // A server may store names in lower case.
  const wanted = name.toLowerCase()
  return names?.some((one) => [wanted, `${wanted}/`].includes(one.toLowerCase()))
}

async function listedAs(
  isMeant: (exchange: { path: string; words?: string }) => boolean,
  ask: Ask,
  dialect: Dialect,
): Promise<readonly string[] | undefined> {
  const exchange = dialect.operations.inventory?.({}).exchanges.find(isMeant)
  if (!exchange) return undefined
  const { method, path, query } = exchange
  const { reply } = await ask({ method, path, ...(query ? { query } : {}) })
  return reply && isSuccess(reply) ? namesIn(reply) : undefined
}

/** Fields in which an object shows its own name. */
const names = ['name', 'display_name'] as const

/** Returns undefined if the target shows that the object belongs to the run or does not exist, else the reason not to
 * delete it. */
export async function proofOf(undo: Undo, ask: Ask, dialect: Dialect, runId: string): Promise<string | undefined> {
  const accessor = accessorIn(undo, dialect)
  const question =
    accessor === undefined
      ? undo.method === 'DELETE' && { method: 'GET', path: undo.path, ...(undo.query ? { query: undo.query } : {}) }
      : aboutToken(dialect, 'tokenByAccessor', accessor)
  const reply = question ? (await ask(question)).reply : undefined
  const isShown = reply && isSuccess(reply) && bearsName(reply, runId)
  return isShown || !(await isStillThere(undo, ask, dialect))
    ? undefined
    : `the journal is not authentic, and the target does not show that this belongs to the run ${runId}`
}

const bearsName = (reply: Reply, runId: string): boolean =>
  names.some((name) => {
    const value = fieldOf(reply, name)
    return typeof value === 'string' && bears(runId, value)
  })
