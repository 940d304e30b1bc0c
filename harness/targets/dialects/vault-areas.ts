/** How one sees whether a server of this family has what an area is about. Only an answer that says so is an absence: a
 * denied, late or failing answer shows nothing. */
import type { AreaQuestion, AreaSight, AreaSign, Dialect, Exchange, Reply } from '../../vocabulary/index.ts'
import { del, fieldOf, get, isObject, isSuccess, list, post } from '../../vocabulary/index.ts'

/** What every throw-away object is called by; `clean` finds tokens by it. */
export const namePrefix = 'assay-'

/** Engines whose type the family calls otherwise. */
export const engineTypes: Readonly<Record<string, string>> = { cloud: 'aws' }

export const saysUnserved = /unsupported|not (supported|served|implemented|available)|enterprise|licen[cs]e|no handler/i
const saysUnknownEngine = /unknown|unsupported|no such|not (found|known|supported|available|installed)|does not exist/i

export const errorsOf = (reply: Reply | undefined): readonly string[] | undefined => {
  const errors = reply ? fieldOf(reply, '/errors') : undefined
  return Array.isArray(errors) ? errors.map(String) : undefined
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

const statusOf = (kind: string): AreaSight['questions'] => [
  asked(
    get(`sys/replication/${kind}/status`, { as: 'nobody' }),
    get(`sys/${namePrefix}probe/${kind}/status`, { as: 'nobody' }),
  ),
]

function isEngineMounted(reply: Reply, type: string): boolean {
  const mounts = isSuccess(reply) ? (fieldOf(reply, '/data') ?? reply.json) : undefined
  return isObject(mounts) && Object.values(mounts).some((mount) => isObject(mount) && mount.type === type)
}

const refusalOf = (reply: Reply | undefined, type: string): string | undefined =>
  reply && [400, 404, 422, 501].includes(reply.status)
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
        if (refusal === undefined || !saysUnknownEngine.test(refusal)) return undefined
        return refusal === refusalOf(await stranger(), madeUp) ? 'absent' : undefined
      },
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
      asked(list('sys/plugins/catalog/secret'), list(`sys/${namePrefix}probe/catalog/secret`)),
      // Servers before 0.11 have one list for all types.
      asked(list('sys/plugins/catalog'), list(`sys/${namePrefix}probe/catalog`)),
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
  },
  'mfa-identity': {
    name: 'TOTP methods by id',
    questions: [asked(list('identity/mfa/method/totp'), list(`identity/${namePrefix}probe/method/totp`))],
  },
  cloud: engine('cloud engine', engineTypes.cloud ?? 'cloud'),
}
