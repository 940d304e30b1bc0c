/** Chooses which checks have a frame: objects that they made before read afterwards as they did. A request that changes
 * what it does not name contradicts the row by which that is read. */
import { isDeepStrictEqual } from 'node:util'
import {
  askedBy,
  type Check,
  type Conditions,
  type Exchange,
  expectsRefusal,
  type Framed,
  fieldOf,
  get,
  isObject,
  isSuccess,
  type Json,
  type JsonObject,
  mismatch,
  shown,
  type Topic,
} from '../harness/vocabulary/index.ts'

/** Says what can be read of the objects that a kind of requests writes. */
export interface Frame {
  /** Matches these requests, as `POST {mount}/path`. The object is read by GET of the same path. */
  readonly written: RegExp
  /** The path, on the mount, of other writes that may change it. */
  readonly changedBy?: string
  /** The requirement that an object contradicts which is gone. */
  readonly gone: string
  /** The requirement that an object of this body contradicts in which a field has changed. Undefined if there is none. */
  changed(field: string, body: JsonObject): string | undefined
}

/** So many checks have the same frame around the same request. */
const checksForEach = 2

/** Puts frames around the first checks that send a request after they have written something else. A check that expects a
 * refusal looks itself at what must not change. */
export function withFrames(topics: readonly Topic[], frames: readonly Frame[] = []): readonly Topic[] {
  if (frames.length === 0) return topics
  const counts = new Map<string, number>()
  const isNext = (key: string): boolean => {
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return count < checksForEach
  }
  return topics.map((topic) => ({
    ...topic,
    checks: topic.checks.map((check) => {
      const frame = around(check, frames).flatMap(({ key, framed }) => (isNext(key) ? [framed] : []))
      return frame.length === 0 ? check : { ...check, frame }
    }),
  }))
}

const isRead = ({ method }: Exchange): boolean => method === 'GET' || method === 'LIST'

/** Returns a request without the name of its object, which differs from check to check. */
const shapeOf = (exchange: Exchange): string =>
  askedBy(exchange).replace(/(?<=\/(?!config|root|intermediate|crl)[\w-]+\/)[^/]+$/, ':name')

function around(check: Check, frames: readonly Frame[]): readonly { readonly key: string; readonly framed: Framed }[] {
  const { given = [], when, then, lock } = check
  if (lock === 'clusters' || expectsRefusal(check)) return []
  const judged = [...(when.kind === 'exchange' ? [when] : when.touches), ...then.flatMap(({ touches = [] }) => touches)]
  const sent = judged.filter((one) => !isRead(one))
  if (sent.length === 0) return []
  const writes = given.filter((step): step is Exchange => step.kind === 'exchange' && step.cluster === undefined)
  // The last one to a path counts.
  return [...new Map(writes.map((write) => [write.path, write])).values()].flatMap((write) => {
    const { path, body } = write
    const frame = frames.find(({ written }) => written.test(askedBy(write)))
    const other = frame?.changedBy && `/${frame.changedBy}`
    const isNamed = (one: Exchange): boolean => one.path === path || (other !== undefined && one.path.endsWith(other))
    if (!frame || !isObject(body) || sent.some(isNamed)) return []
    const shapes = new Set(sent.map(shapeOf))
    return [{ key: [shapeOf(write), ...shapes].join(' '), framed: framedBy(frame, path, body) }]
  })
}

function framedBy({ gone, changed }: Frame, path: string, body: JsonObject): Framed {
  const { version } = body
  const fields = Object.keys(body).flatMap((field) => {
    const row = changed(field, body)
    return row === undefined ? [] : [[field, row] as const]
  })
  return {
    read: get(path, typeof version === 'string' ? { query: { version } } : {}),
    gone,
    changed: Object.fromEntries(fields),
  }
}

/** Whatever a check reads of an object that was written once shows what was written, where it shows the field at all. Returns
 * the condition that says so; `comesTo` makes equal what means the same. After another write that may change the object, a
 * difference could be due to either. */
export const readsAsWritten = (
  frames: readonly Frame[],
  requirements: readonly string[],
  comesTo: (field: string, value: Json) => Json,
): Conditions => ({
  requirements,
  flawsIn({ reply, scope }) {
    const [, path = '', mount = ''] = /^GET (([^/]+)\/[^?]+)$/.exec(reply.asked) ?? []
    const frame = frames.find(({ written }) => written.test(`POST {mount}${path.slice(mount.length)}`))
    const [body, ...others] = scope.served(path)
    if (!frame || !body || others.length > 0 || !isSuccess(reply)) return []
    if (frame.changedBy !== undefined && scope.served(`${mount}/${frame.changedBy}`).length > 0) return []
    return Object.entries(body).flatMap(([field, wanted]) => {
      const saw = fieldOf(reply, field) ?? null
      const isSame = saw === null || isDeepStrictEqual(comesTo(field, saw), comesTo(field, wanted))
      const requirement = frame.changed(field, body)
      return isSame || requirement === undefined
        ? []
        : [{ ...mismatch(reply, field, shown(wanted), shown(saw)), requirement }]
    })
  },
})

/** Holds each reply to all of these conditions. */
export const allConditions = (...all: readonly Conditions[]): Conditions => ({
  requirements: all.flatMap(({ requirements }) => requirements),
  flawsIn: async (seen) => (await Promise.all(all.map((one) => one.flawsIn(seen)))).flat(),
})
