/** Expectations about replies with TOTP methods that require no more than the document says. */
import type { Exchange, Expectation, Json, Matcher, Reply, Scope } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  field,
  fieldOf,
  isDenied,
  isObject,
  isRefusal,
  isSuccess,
  keysOf,
  mismatch,
  notRefusal,
  notSuccess,
  requestWords,
  shown,
  stepRefused,
} from '../../harness/vocabulary/index.ts'
import { expectation } from '../records.ts'
import { isWord } from '../word.ts'

const isShown = (reply: Reply, name: string): boolean => (fieldOf(reply, name) ?? null) !== null

/** Judges the expectation unless the value of the field is out of bounds. The documents give no bounds for sizes and
 * numbers, so a server may refuse the value if it accepts the same request with the default. */
export const unlessOutOfBounds = (
  name: string,
  withDefault: { readonly touches: readonly Exchange[]; send(scope: Scope): Promise<Reply> },
  expectation: Expectation,
): Expectation => ({
  ...expectation,
  touches: [...(expectation.touches ?? []), ...withDefault.touches],
  async judge(seen, before) {
    if (isRefusal(seen.reply) && isSuccess(await withDefault.send(seen.scope)))
      throw DoesNotApply.refused(
        seen.reply,
        `${seen.reply.asked} is refused with this \`${name}\`, and no statement gives its bounds`,
      )
    return expectation.judge(seen, before)
  },
})

/** Expects this value of the field. The documents do not say which fields of a method a reply shows; without the field,
 * the expectation does not apply. */
export function stored(name: string, wanted: Json | Matcher): Expectation {
  const holds = field(name, wanted)
  return {
    ...holds,
    judge(seen, before) {
      if (isSuccess(seen.reply) && !isShown(seen.reply, name)) throw notShown(seen.reply, name)
      return holds.judge(seen, before)
    },
  }
}

/** Expects that the method exists, and that the field has this value if it is shown. If it is not shown, a read of a
 * missing method must be refused: otherwise nothing shows that this method exists. */
export function storedIfShown(name: string, wanted: Json | Matcher, missing: Exchange): Expectation {
  const holds = field(name, wanted)
  return {
    words: `${holds.words}, or not shown`,
    touches: [missing],
    async judge(seen, before) {
      if (!isSuccess(seen.reply) || isShown(seen.reply, name)) return holds.judge(seen, before)
      const none = await seen.scope.send(missing)
      if (!isRefusal(none)) throw notShown(seen.reply, `${name}, and ${none.asked} answered ${none.status} as well`)
      return undefined
    },
  }
}

/** Expects that the field has one of these values. If the read does not show the field, only a refusal proves that no
 * other value was stored. */
export const holdsNoneBut = (reading: Exchange, name: string, values: readonly (string | number)[]): Expectation => ({
  words: `\`${name}\` is ${values.join(' or ')}`,
  touches: [reading],
  async judge({ reply, scope }) {
    const read = await scope.send(reading)
    const saw = isSuccess(read) ? (fieldOf(read, name) ?? null) : null
    if (saw === null && isSuccess(reply)) throw notShown(read, name)
    if (saw === null || values.some((value) => isWord(String(saw), String(value)))) return undefined
    return mismatch(read, name, values.join(' or '), saw)
  },
})

/** Expects that the method was returned before and no longer is: a refusal, or a reply without the issuer. */
export const gone = (reading: Exchange): Expectation => ({
  words: `${requestWords(reading)} returns no such method`,
  touches: [reading],
  async before(scope) {
    const reply = await scope.send(reading)
    if (!isSuccess(reply)) throw stepRefused(reply)
    return isShown(reply, 'issuer')
  },
  async judge({ scope }, wasShown) {
    const reply = await scope.send(reading)
    if (isRefusal(reply)) return undefined
    if (!isSuccess(reply)) return notRefusal(reply)
    if (isShown(reply, 'issuer')) return mismatch(reply, 'issuer', 'none', fieldOf(reply, 'issuer'))
    if (wasShown !== true) throw notShown(reply, 'issuer, as before')
    return undefined
  },
})

/** Expects that no method is returned: a refusal, or a reply without an issuer. */
export const noMethod: Expectation = {
  words: 'no method is returned',
  judge: ({ reply }) =>
    isSuccess(reply) && isShown(reply, 'issuer')
      ? mismatch(reply, 'issuer', 'none', fieldOf(reply, 'issuer'))
      : undefined,
}

/** Ids are unique, so an id may be in any field of the list. The case of a UUID does not matter (RFC 9562, 4). An empty
 * list may be a 404. */
function listing(method: string, wanted: boolean): Expectation {
  const listIn = (reply: Reply): Json | undefined => {
    const keys = fieldOf(reply, 'keys')
    return Array.isArray(keys) ? (keys as Json) : reply.json
  }
  const names = (value: Json | undefined, id: string): boolean => {
    if (typeof value === 'string') return isWord(value, id)
    if (Array.isArray(value)) return value.some((item) => names(item as Json, id))
    return isObject(value) && Object.entries(value).some(([key, item]) => isWord(key, id) || names(item, id))
  }
  return expectation(`the list ${wanted ? 'names' : 'does not name'} \`${method}\``, ({ reply, scope }) => {
    const id = scope.value(method)
    const wants = `a list ${wanted ? 'with' : 'without'} ${shown(id)}`
    if (!isSuccess(reply) && reply.status !== 404) return notSuccess(reply)
    const found = isSuccess(reply) && names(listIn(reply), id)
    return found === wanted ? undefined : mismatch(reply, 'keys', wants, shown(fieldOf(reply, 'keys')))
  })
}
export const listed = (method: string): Expectation => listing(method, true)
/** The greatest number of methods that are read, because a target may have many. */
const mostRead = 40

/** Expects that every listed id can be read. Other clients may delete methods meanwhile; a second list then lacks them.
 * A denied read proves nothing. */
export const everyListedIsThere = (listing: Exchange): Expectation => ({
  words: 'every method that the list names can be read',
  touches: [memberOf(listing, '{method}')],
  async judge({ reply, scope }) {
    const ids = (keysOf(reply, 'id') ?? []).slice(-mostRead)
    const own = await scope.send(memberOf(listing, '{method}'))
    if (isSuccess(own) && isEmpty(own)) throw notShown(own, 'method')
    for (const id of ids) {
      const found = await unread(scope, listing, id)
      if (!found) continue
      // No statement says that the methods of the namespaces above can be read as well.
      if (scope.provided('namespace') !== undefined)
        throw DoesNotApply.shown(reply, `the list names ${id}, which may be a method of a namespace above`)
      return mismatch(reply, 'keys', 'methods that are there', `${id}, which ${found.status} answers`)
    }
    return undefined
  },
})

/** Returns the reply to the read of a listed method that is not there. */
async function unread(scope: Scope, listing: Exchange, id: string): Promise<Reply | undefined> {
  const read = await scope.send(memberOf(listing, id))
  if (mayBeThere(read)) return undefined
  const again = keysOf(await scope.send(listing), 'id')
  return again?.includes(id) ? read : undefined
}

const mayBeThere = (read: Reply): boolean => isDenied(read) || (isSuccess(read) && !isEmpty(read))

const memberOf = (listing: Exchange, id: string): Exchange => ({
  ...listing,
  method: 'GET',
  path: `${listing.path}/${id}`,
})

const isEmpty = ({ json }: Reply): boolean => !isObject(json) || (Object.hasOwn(json, 'data') && json.data === null)

export const notListed = (method: string): Expectation => listing(method, false)

/** Expects that the request succeeds, and that the new id of the method is a UUID other than that of the other
 * method. */
export const isUuid = (method: string, other: string) =>
  expectation(`the id of \`${method}\` is a UUID of its own`, ({ reply, scope }) => {
    if (!isSuccess(reply)) return notSuccess(reply)
    if (!scope.has('methodsMadeOn'))
      throw DoesNotApply.shown(reply, 'the target accepts ids of methods, and shows none of its own')
    const id = scope.value(method)
    if (id === scope.value(other)) return mismatch(reply, 'id', 'an id of its own', 'that of another method')
    return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id) ? undefined : mismatch(reply, 'id', 'a UUID', shown(id))
  })

/** Makes the error for a success that shows no field, secret or QR code. The documents do not define these replies, so
 * the check does not apply. */
export const notShown = (reply: Reply, what: string): Error =>
  DoesNotApply.shown(reply, `${reply.asked} answered ${reply.status} and showed no ${what}`)
