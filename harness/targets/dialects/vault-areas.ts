/** These questions show whether a server of this family has what an area is about. Only an answer that says so is an
 * absence: a denied or late answer, or a failure that does not say what is missing, shows nothing. */
import type { AreaQuestion, AreaSight, AreaSign, Dialect, Exchange, Reply } from '../../vocabulary/index.ts'
import { del, fieldOf, get, isObject, isSuccess, list, post } from '../../vocabulary/index.ts'

/** Every throw-away object is called by this; `clean` finds tokens by it. */
export const namePrefix = 'assay-'

/** Engines whose type the family calls otherwise. */
export const engineTypes: Readonly<Record<string, string>> = { cloud: 'aws' }

export const saysUnserved = /unsupported|not (supported|served|implemented|available)|enterprise|licen[cs]e|no handler/i
const saysUnknownEngine = /unknown|unsupported|no such|not (found|known|supported|available|installed)|does not exist/i

/** A failing server has many words; these are about what was to be mounted. */
const saysNoEngine = /\b(backend|engine|plugin)s? .*(does not exist|unsupported|not (found|known|supported))/i

/** Most servers of this family list their errors; some tell one. */
export const errorsOf = (reply: Reply | undefined): readonly string[] | undefined => {
  const [errors, error] = reply ? [fieldOf(reply, '/errors'), fieldOf(reply, '/error')] : []
  if (Array.isArray(errors)) return errors.map(String)
  return typeof error === 'string' ? [error] : undefined
}

/** A path that is not served is refused with a text that says so. */
const isUnserved = (reply: Reply): boolean =>
  [400, 404, 501].includes(reply.status) && saysUnserved.test(errorsOf(reply)?.join(' ') ?? '')

/** An object that is not there is a 404 without a cause. */
const isEmpty404 = (reply: Reply | undefined): boolean => reply?.status === 404 && errorsOf(reply)?.length === 0

/** A success is an answer of the area only where it holds something. */
const showsContent = (reply: Reply): boolean => isSuccess(reply) && isObject(reply.json)

const pathSign = async (reply: Reply, stranger: () => Promise<Reply | undefined>): Promise<AreaSign> => {
  if (showsContent(reply)) return fieldOf(reply, 'mode') === 'unsupported' ? 'absent' : 'served'
  if (isUnserved(reply)) return 'absent'
  // Some servers answer so to every path, whether it is served or not.
  return isEmpty404(reply) && !isEmpty404(await stranger()) ? 'served' : undefined
}

const asked = (exchange: Exchange, stranger: Exchange): AreaQuestion => ({ exchange, stranger, shows: pathSign })

/** What says that a path is not served, whatever its text. */
const unservedStatuses: ReadonlySet<number> = new Set([404, 405, 501])

const isSameRefusal = (reply: Reply, other: Reply | undefined): boolean =>
  unservedStatuses.has(reply.status) && reply.status === other?.status && reply.text === other.text

/** A request that every server with the area answers in a way of its own: where it is refused just as the same request
 * to a made-up path is, the area is absent. */
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

/** A type that no server has. */
const madeUp = `${namePrefix}no-such-engine`

/** An engine that is mounted is there, and one that is not is tried: it is absent where mounting it is refused just as
 * mounting a made-up type is. The list of the plugin catalog is not asked: servers do not agree on what it names, and it
 * would need a token with sudo there. */
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

/** An id that no method has. */
const madeUpId = '7a55a7e5-0000-4000-8000-000000000000'

/** Defining a method is tried where reading one, or an empty list, looks like a path that is not served. */
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
      // The older path; servers before 0.9 have this one only.
      asked(list('sys/policy'), list(`sys/${namePrefix}probe`)),
    ],
  },
  pki: engine('certificate authority engine', 'pki'),
  'plugin-catalog': {
    name: 'plugin catalog',
    questions: [
      answeredWhereServed(list('sys/plugins/catalog/secret'), list(`sys/${namePrefix}probe/catalog/secret`)),
      // Servers before 0.11 have one list for all types.
      answeredWhereServed(list('sys/plugins/catalog'), list(`sys/${namePrefix}probe/catalog`)),
      // An empty list may look like a path that is not served; the catalog by type does not.
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
