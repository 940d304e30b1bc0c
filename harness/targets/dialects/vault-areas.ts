/** Defines the questions that show whether a server of this family has an area. Only a reply that names the missing
 * part shows an absence: a reply that is denied or late, or another failure, leaves it open. */
import type { AreaQuestion, AreaSight, AreaSign, Dialect, Exchange, Reply } from '../../vocabulary/index.ts'
import { del, fieldOf, get, isObject, isSuccess, list, post } from '../../vocabulary/index.ts'

/** The prefix of all throw-away names. `assay clean` finds tokens by it. */
export const namePrefix = 'assay-'

/** Types of engines that have another name in this family. */
export const engineTypes: Readonly<Record<string, string>> = { cloud: 'aws' }

export const saysUnserved = /unsupported|not (supported|served|implemented|available)|enterprise|licen[cs]e|no handler/i
const saysUnknownEngine = /unknown|unsupported|no such|not (found|known|supported|available|installed)|does not exist/i

/** Matches the error messages of a status 500 that are about the type to be mounted, and not about another failure. */
const saysNoEngine = /\b(backend|engine|plugin)s? .{0,300}(does not exist|unsupported|not (found|known|supported))/i

/** Returns the error messages of a reply. Most servers of this family send a list, some a single message. */
export const errorsOf = (reply: Reply | undefined): readonly string[] | undefined => {
  const [errors, error] = reply ? [fieldOf(reply, '/errors'), fieldOf(reply, '/error')] : []
  if (Array.isArray(errors)) return errors.map(String)
  return typeof error === 'string' ? [error] : undefined
}

/** Tells whether a reply says that the path is not served. */
const isUnserved = (reply: Reply): boolean =>
  [400, 404, 501].includes(reply.status) && saysUnserved.test(errorsOf(reply)?.join(' ') ?? '')

/** Tells whether a reply is a 404 without error messages, as servers send it for an object that does not exist. */
const isEmpty404 = (reply: Reply | undefined): boolean => reply?.status === 404 && errorsOf(reply)?.length === 0

/** Tells whether a reply is a success with content. A success without content does not show that the area is served. */
const showsContent = (reply: Reply): boolean => isSuccess(reply) && isObject(reply.json)

const pathSign = async (reply: Reply, stranger: () => Promise<Reply | undefined>): Promise<AreaSign> => {
  if (showsContent(reply)) return fieldOf(reply, 'mode') === 'unsupported' ? 'absent' : 'served'
  if (isUnserved(reply)) return 'absent'
  // Some servers send an empty 404 for every path, so it shows something only if a made-up path gets another reply.
  return isEmpty404(reply) && !isEmpty404(await stranger()) ? 'served' : undefined
}

const asked = (exchange: Exchange, stranger: Exchange): AreaQuestion => ({ exchange, stranger, shows: pathSign })

/** Status codes for a path that is not served. */
const unservedStatuses: ReadonlySet<number> = new Set([404, 405, 501])

const isSameRefusal = (reply: Reply, other: Reply | undefined): boolean =>
  unservedStatuses.has(reply.status) && reply.status === other?.status && reply.text === other.text

/** Returns a question whose request has a distinctive reply on every server with the area. If it is refused in the
 * same way as the request to a made-up path, the area is absent. */
const answeredWhereServed = (exchange: Exchange, stranger: Exchange): AreaQuestion => ({
  ...{ exchange, stranger },
  shows: async (reply, ask) =>
    (await pathSign(reply, ask)) ?? (isSameRefusal(reply, await ask()) ? 'absent' : undefined),
})

const statusOf = (kind: string): AreaSight['questions'] => [
  answeredWhereServed(
    get(`sys/replication/${kind}/status`, { as: 'nobody' }),
    get(`sys/${namePrefix}probe/${kind}/status`, { as: 'nobody' }),
  ),
]

function isEngineMounted(reply: Reply, type: string): boolean {
  const mounts = isSuccess(reply) ? (fieldOf(reply, '/data') ?? reply.json) : undefined
  return isObject(mounts) && Object.values(mounts).some((mount) => isObject(mount) && mount.type === type)
}

const refusalOf = (reply: Reply | undefined, type: string): string | undefined =>
  reply && [400, 404, 422, 500, 501].includes(reply.status)
    ? `${reply.status} ${errorsOf(reply)?.join(' ').replaceAll(type, '')}`
    : undefined

/** An engine type that no server has. */
const madeUp = `${namePrefix}no-such-engine`

/** An engine is served if a mount has its type. Otherwise mounting it is attempted, and it is absent if that is
 * refused in the same way as mounting a made-up type. The list of the plugin catalog is not used: servers differ in
 * what it contains, and reading it needs a token with `sudo`. */
function engine(name: string, type: string): AreaSight {
  const mounting = (of: string): Exchange =>
    post('sys/mounts/{probe}', { type: of }, { undo: del('sys/mounts/{probe}'), words: `mounting the type ${of}` })
  return {
    name,
    questions: [
      { exchange: get('sys/mounts'), shows: (reply) => (isEngineMounted(reply, type) ? 'served' : undefined) },
    ],
    attempt: {
      exchange: mounting(type),
      stranger: mounting(madeUp),
      async shows(reply, stranger) {
        if (isSuccess(reply)) return 'served'
        const refusal = refusalOf(reply, type)
        const says = reply.status === 500 ? saysNoEngine : saysUnknownEngine
        if (refusal === undefined || !says.test(refusal)) return undefined
        return refusal === refusalOf(await stranger(), madeUp) ? 'absent' : undefined
      },
    },
  }
}

/** An id of no MFA method. */
const madeUpId = '7a55a7e5-0000-4000-8000-000000000000'

/** Attempts to define an MFA method. It is needed because an empty list, or the read of a method that does not
 * exist, may look like a path that is not served. */
function method(base: string, stranger: string, name: string): AreaQuestion {
  const define = (at: string): Exchange => {
    const path = `${at}/method/totp/${name}`
    return post(path, { issuer: 'assay' }, { undo: del(path), words: `defining a method below ${at}` })
  }
  return {
    ...{ exchange: define(base), stranger: define(stranger) },
    async shows(reply, ask) {
      if (isSuccess(reply)) return 'served'
      return isUnserved(reply) || isSameRefusal(reply, await ask()) ? 'absent' : undefined
    },
  }
}

export const areas: NonNullable<Dialect['areas']> = {
  'dr-replication': { name: 'disaster recovery replication', questions: statusOf('dr') },
  'performance-replication': { name: 'performance replication', questions: statusOf('performance') },
  policies: {
    name: 'policies',
    questions: [
      asked(list('sys/policies/acl'), list(`sys/${namePrefix}probe/acl`)),
      // Servers before 0.9 have only this older path.
      asked(list('sys/policy'), list(`sys/${namePrefix}probe`)),
    ],
  },
  pki: engine('certificate authority engine', 'pki'),
  'plugin-catalog': {
    name: 'plugin catalog',
    questions: [
      answeredWhereServed(list('sys/plugins/catalog/secret'), list(`sys/${namePrefix}probe/catalog/secret`)),
      // Servers before 0.11 have only one list for all types.
      answeredWhereServed(list('sys/plugins/catalog'), list(`sys/${namePrefix}probe/catalog`)),
      // An empty list may look like a path that is not served, but the catalog by type never does.
      answeredWhereServed(get('sys/plugins/catalog'), get(`sys/${namePrefix}probe/catalog`)),
    ],
  },
  'mfa-legacy': {
    name: 'TOTP methods by name',
    questions: [
      asked(
        get(`sys/mfa/method/totp/${namePrefix}probe`),
        get(`sys/${namePrefix}probe/method/totp/${namePrefix}probe`),
      ),
    ],
    attempt: method('sys/mfa', `sys/${namePrefix}probe`, '{probe}'),
  },
  'mfa-identity': {
    name: 'TOTP methods by id',
    questions: [asked(list('identity/mfa/method/totp'), list(`identity/${namePrefix}probe/method/totp`))],
    attempt: method('identity/mfa', `identity/${namePrefix}probe`, madeUpId),
  },
  cloud: engine('cloud engine', engineTypes.cloud ?? 'cloud'),
}
