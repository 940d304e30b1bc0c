/** Functions with which public bugs change requests and replies. */
import {
  type DifferentServer,
  isObject,
  type JsonObject,
  type Pass,
  type WireAnswer,
  type WireSent,
} from '../../harness/vocabulary/index.ts'
import {
  answering,
  isSuccess,
  type Opening,
  objectIn,
  placeOf,
  reading,
  refusal,
  remembering,
  rewritingData,
} from '../differences/bends.ts'

const isWrite = ({ method }: WireSent): boolean => method === 'POST' || method === 'PUT'

/** Returns the fields of a write whose place matches, or undefined. */
export const fieldsAt = (sent: WireSent, place: RegExp): JsonObject | undefined =>
  isWrite(sent) && place.test(placeOf(sent)) ? objectIn(sent.body ?? '{}') : undefined

export const withFields = (sent: WireSent, fields: JsonObject): WireSent => ({ ...sent, body: JSON.stringify(fields) })

/** Makes a server that reads the fields of writes at a place differently. If `change` returns undefined, it refuses
 * the write. */
export const writing = (
  place: RegExp,
  change: (fields: JsonObject, sent: WireSent) => JsonObject | undefined,
): Opening =>
  reading((sent) => {
    const fields = fieldsAt(sent, place)
    if (fields === undefined) return sent
    const changed = change(fields, sent)
    return changed === fields ? sent : changed && withFields(sent, changed)
  })

/** Makes a server that refuses some of the writes at a place. */
export const refusing = (place: RegExp, isMeant: (fields: JsonObject, sent: WireSent) => boolean): Opening =>
  writing(place, (fields, sent) => (isMeant(fields, sent) ? undefined : fields))

/** Makes a server that refuses some requests by this status. */
export const refusingAs =
  (status: number, isMeant: (sent: WireSent) => boolean): Opening =>
  () =>
  async (sent, pass) =>
    isMeant(sent) ? refusal(status) : pass(sent)

/** Makes a server that answers another status than the target where it refuses. */
export const refusedAs = (status: number, isMeant: (sent: WireSent, answer: WireAnswer) => boolean): Opening =>
  answering((answer, sent) => (answer.status >= 400 && isMeant(sent, answer) ? refusal(status) : answer))

export const without = (fields: JsonObject, name: string): JsonObject => {
  if (fields[name] === undefined) return fields
  const { [name]: _, ...others } = fields
  return others
}

/** Returns the entries of a list in either form. */
export function listOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'string' && value !== '' ? value.split(',').map((entry) => entry.trim()) : []
}

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

export const isTrue = (value: unknown): boolean => value === true || value === 'true'

export const dataOf = (json: JsonObject | undefined): JsonObject => (isObject(json?.data) ? json.data : (json ?? {}))

export const done = (status = 204): WireAnswer => ({ status, headers: {}, body: new Uint8Array() })

/** Sends a request of the bug's own, with the token of the request that it answers. */
export const asking = (
  { headers }: WireSent,
  pass: Pass,
  method: string,
  place: string,
  fields?: JsonObject,
): Promise<WireAnswer> =>
  pass({ method, path: `/v1/${place}`, query: {}, headers, ...(fields ? { body: JSON.stringify(fields) } : {}) })

interface Written {
  readonly first: Map<string, JsonObject>
  readonly last: Map<string, JsonObject>
  readonly deleted: Set<string>
}

/** Keeps what a write says, and sends the first one of its place again. */
async function writtenAsAtFirst(
  { first, last }: Written,
  old: JsonObject | undefined,
  fields: JsonObject,
  ...[sent, pass]: Parameters<DifferentServer>
): Promise<WireAnswer> {
  const at = placeOf(sent)
  const answer = await pass(old ? withFields(sent, old) : sent)
  if (!isSuccess(answer)) return answer
  if (old) last.set(at, fields)
  first.set(at, first.get(at) ?? fields)
  return answer
}

/** Uses a resource as it was first written, and shows it as it was written last. */
export const actingAsAtFirst = (
  place: RegExp,
  { onlyOnceDeleted = false, show = (fields: JsonObject) => fields } = {},
): Opening =>
  remembering(
    (): Written => ({ first: new Map(), last: new Map(), deleted: new Set() }),
    (written) => {
      const { first, last, deleted } = written
      const asWritten = rewritingData((data, sent) => {
        const own = sent.method === 'GET' ? last.get(placeOf(sent)) : undefined
        return own ? { ...data, ...show(own) } : data
      })({ now: () => 0, wait: async () => {} })
      const forget = (at: string): void => {
        last.delete(at)
        deleted.add(at)
        if (!onlyOnceDeleted) first.delete(at)
      }
      return async (sent, pass) => {
        const at = placeOf(sent)
        const fields = fieldsAt(sent, place)
        if (sent.method === 'DELETE') forget(at)
        const old = !onlyOnceDeleted || deleted.has(at) ? first.get(at) : undefined
        return fields ? writtenAsAtFirst(written, old, fields, sent, pass) : asWritten(sent, pass)
      }
    },
  )

/** Shows the fields of a resource as they were written, although the server stored others. */
export const storedOtherwise = (place: RegExp, change: (fields: JsonObject) => JsonObject): Opening =>
  remembering(
    () => new Map<string, JsonObject>(),
    (shown) => {
      const asWritten = rewritingData((data, sent) => {
        const own = sent.method === 'GET' ? Object.entries(shown.get(placeOf(sent)) ?? {}) : []
        return own.length === 0 ? data : { ...data, ...Object.fromEntries(own) }
      })({ now: () => 0, wait: async () => {} })
      return async (sent, pass) => {
        const fields = fieldsAt(sent, place)
        if (!fields) return asWritten(sent, pass)
        const changed = change(fields)
        const own = Object.entries(fields).filter(([name, value]) => changed[name] !== value)
        shown.set(placeOf(sent), Object.fromEntries(own))
        return pass(changed === fields ? sent : withFields(sent, changed))
      }
    },
  )
