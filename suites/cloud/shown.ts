/** Expectations of what a read shows of a written object. The documents do not say which fields it shows, but the
 * values that it shows must be right. */
import { isDeepStrictEqual } from 'node:util'
import { meaningOf } from '../../fixtures/cloud/policies.ts'
import type { Exchange, Expectation, Json, JsonObject, Matcher, Reply, Scope } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  field,
  fieldOf,
  filled,
  isObject,
  isSuccess,
  judgementOf,
  keysOf,
  mismatch,
  mismatchesIn,
  next,
  notSuccess,
  requestWords,
  restsOn,
  shown,
} from '../../harness/vocabulary/index.ts'
import { secondsIn } from '../numbers.ts'
import { expectation } from '../records.ts'
import { isWord } from '../word.ts'

/** Tags may be shown as a map, or as the provider writes them, in objects with a key and a value. */
const entries = (value: Json): readonly string[] => {
  if (isObject(value)) return Object.entries(value).map(([key, item]) => `${key}=${String(item)}`)
  return ([value].flat() as readonly Json[]).flatMap((item) => tagIn(item) ?? String(item).split(','))
}

function tagIn(item: Json): string | undefined {
  if (!isObject(item)) return undefined
  const named = (wanted: string) => Object.entries(item).find(([name]) => isWord(name, wanted))?.[1]
  const [key, value] = [named('key'), named('value')]
  return key === undefined || value === undefined ? undefined : `${String(key)}=${String(value)}`
}

const textOf = (value: Json): string => (isObject(value) ? JSON.stringify(value) : String(value))

/** Normalizes the value of a field, so that spellings with the same meaning are equal. */
export function comesTo(name: string, value: Json): Json {
  if (/ttl$|^lease|^rotation_period$/.test(name)) return secondsIn(value) ?? value
  // A document is JSON, and may be shown as text or as an object.
  if (/^policy_document$|^policy$/.test(name)) return meaningOf(textOf(value)) ?? value
  if (/_endpoint$/.test(name)) return URL.parse(String(value))?.href ?? value
  if (/(arns|groups|tags)$/.test(name)) return entries(value).toSorted()
  // Words of a list compare without regard to case (reading 64).
  if (name === 'credential_type') return entries(value).map((word) => word.toLowerCase())
  return String(value)
}

/** Throws `DoesNotApply` if a read shows none of the judged fields: no document says that they are returned. */
export function assertTelling(reply: Reply, names: readonly string[]): void {
  if (names.some((name) => isShown(reply, name))) return
  throw DoesNotApply.shown(reply, `${reply.asked} shows none of ${names.join(', ')}`)
}
const isShown = (reply: Reply, name: string): boolean => (fieldOf(reply, name) ?? null) !== null

/** Throws `DoesNotApply` if the reply shows neither the configured key nor the configured region: then its other fields
 * prove nothing. */
export function assertShowsRoot(reply: Reply, scope: Scope): void {
  const text = shown(reply.json, 1e6)
  if (text.includes(scope.value('accessKey')) || text.includes('eu-north-1')) return
  throw DoesNotApply.shown(reply, `${reply.asked} shows neither the access key nor the region that was written`)
}

/** The read succeeds and shows at least one of these fields, and each shown field has the value that was written. */
export const showsAsWritten = (body: JsonObject) =>
  expectation('each shown field has the value that was written', ({ reply, scope }) => {
    if (!isSuccess(reply)) return notSuccess(reply)
    assertTelling(reply, Object.keys(body))
    return judgementOf(
      ...Object.entries(body).map(([name, given]) => {
        const saw = fieldOf(reply, name)
        const wanted = filled(given, scope)
        const isSame = saw === undefined || saw === null || isDeepStrictEqual(comesTo(name, saw), comesTo(name, wanted))
        return isSame ? undefined : mismatch(reply, name, shown(wanted), shown(saw))
      }),
    )
  })

/** Each field that the read showed before `when` is still shown, and has the value that was written. */
export const stillAsWritten = (read: Exchange, body: JsonObject): Expectation =>
  next(read, {
    words: 'each field that was shown is still shown, and has the value that was written',
    before: async (scope) => {
      const reply = await scope.send(read)
      return Object.keys(body).filter((name) => isShown(reply, name))
    },
    judge(seen, before) {
      const { reply, scope } = seen
      if (!isSuccess(reply)) return notSuccess(reply)
      const lost = (before as readonly string[]).filter((name) => !isShown(reply, name))
      if (lost.length === 0) return showsAsWritten(body).judge(seen, before)
      return judgementOf(...lost.map((name) => mismatch(reply, name, shown(filled(body[name] ?? '', scope)), 'none')))
    },
  })

/** The read shows one object and the other exchange another, each as it was written. They must differ in a field that
 * is shown, because a server that returns the same for everything proves nothing. */
export const eachAsWritten = (body: JsonObject, other: Exchange, otherBody: JsonObject, see: string): Expectation => ({
  words: `what is shown of each field is what was written, and ${requestWords(other)} shows what was written there`,
  touches: [other],
  async judge(seen, before) {
    const beside = await seen.scope.send(other)
    for (const reply of [seen.reply, beside]) if (!isSuccess(reply)) throw restsOn(notSuccess(reply), see, reply)
    const wrong = judgementOf(
      await showsAsWritten(body).judge(seen, before),
      await showsAsWritten(otherBody).judge({ ...seen, reply: beside }, before),
    )
    if (wrong) return wrong
    const differ = Object.keys({ ...body, ...otherBody }).filter(
      (name) => !isDeepStrictEqual(body[name], otherBody[name]) && (isShown(seen.reply, name) || isShown(beside, name)),
    )
    if (differ.length === 0)
      throw DoesNotApply.shown(
        seen.reply,
        `${seen.reply.asked} and ${beside.asked} show nothing in which what was written differs`,
      )
    return undefined
  },
})

/** Both reads show what was written, although the first object was there when the second was written. A flaw that the
 * first shows before that is not one of objects that stand apart: the check `see` judges it. */
export const apartAsWritten = (
  [read, body]: readonly [Exchange, JsonObject],
  [other, otherBody]: readonly [Exchange, JsonObject],
  see: string,
): Expectation =>
  next(read, {
    ...eachAsWritten(body, other, otherBody, see),
    before: async (scope) => {
      const reply = await scope.send(read)
      const [found] = mismatchesIn(await showsAsWritten(body).judge({ reply, scope }, undefined))
      if (found) throw restsOn(found, see, reply)
    },
  })

/** If the field is shown, it has this value (reading 54). The check `see` judges that the object can be read at all. */
export const ifShown = (name: string, wanted: Json | Matcher, see: string): Expectation => {
  const given = field(name, wanted)
  return {
    ...given,
    words: `${given.words}, if it is shown`,
    judge(seen, before) {
      const { reply } = seen
      if (!isSuccess(reply)) throw restsOn(notSuccess(reply), see, reply)
      assertTelling(reply, [name])
      return given.judge(seen, before)
    },
  }
}

/** All names in part of a reply: entries of a list of strings or objects, or the fields of an object. */
function namesAt(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) {
    const items = value.map((item) => (isObject(item) ? (textsOf(item)[0] ?? '') : String(item)))
    return items
  }
  return isObject(value) ? Object.keys(value) : []
}
const textsOf = (value: JsonObject): readonly string[] =>
  [value.name, value.key, value.id, ...Object.values(value)].filter((item) => typeof item === 'string')

function* partsOf(value: Json | undefined): Generator<Json> {
  if (value === undefined) return
  yield value
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  for (const item of inner) yield* partsOf(item as Json)
}

/** Returns the names in a list reply. No document describes the reply, so the list that contains the name `known` is
 * searched for anywhere in it. Returns undefined for a refusal other than 404. */
function namesListed(reply: Reply, known: string): readonly string[] | undefined {
  if (reply.status === 404) return []
  if (!isSuccess(reply)) return undefined
  const bare = (part: Json) => namesAt(part).map((name) => name.replace(/\/$/, ''))
  return [...partsOf(reply.json)].map(bare).find((names) => names.includes(known)) ?? keysOf(reply) ?? []
}

const listing = (words: string, known: string, isRight: (names: readonly string[]) => boolean) =>
  expectation(`the list ${words}`, ({ reply }) => {
    const names = namesListed(reply, known)
    if (!names) return notSuccess(reply)
    return isRight(names) ? undefined : mismatch(reply, 'names', words, shown(names))
  })

export const names = (one: string): Expectation => listing(`names ${one}`, one, (all) => all.includes(one))

/** `other` exists, and shows where the names are in the reply. */
export const namesNot = (one: string, other: string): Expectation =>
  listing(`names ${other} and not ${one}`, other, (all) => all.includes(other) && !all.includes(one))

/** The list names these, in any order, and nothing else. */
export const namesExactly = (...wanted: readonly [string, ...string[]]): Expectation =>
  listing(`names ${wanted.join(' and ')} and nothing else`, wanted[0], (all) =>
    isDeepStrictEqual(all.toSorted(), wanted.toSorted()),
  )

export const namesEach = (wanted: readonly string[]) =>
  expectation(`the list names each of ${wanted.length} names`, ({ reply }) => {
    const found = namesListed(reply, wanted[0] ?? '')
    if (!found) return notSuccess(reply)
    const lost = wanted.filter((name) => !found.includes(name))
    return lost.length === 0 ? undefined : mismatch(reply, 'names', lost.join(', '), `${found.length} other names`)
  })
