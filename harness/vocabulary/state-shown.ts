/** The state that a reply shows, and in what two looks at it differ. */
import { isDeepStrictEqual } from 'node:util'
import type { Json, Reply } from './exchange.ts'
import { fieldOf, isObject, isSuccess } from './reply.ts'

/** Named fields that a reply shows. A success that shows none of them is the same as a refusal: nothing is there
 * (readings 55). */
export function fieldsOf(reply: Reply, names: readonly string[]): Json {
  if (!isSuccess(reply)) return { present: false }
  const found = names.map((name) => [name, fieldOf(reply, name) ?? null] as const)
  return found.every(([, value]) => value === null) ? { present: false } : Object.fromEntries(found)
}

/** The part of a reply that carries state: the data of an envelope, else the body. */
export function substanceOf(reply: Reply): Json {
  if (!isSuccess(reply)) return { present: false }
  if (!isObject(reply.json)) return { present: true, body: reply.text }
  return { present: true, body: Object.hasOwn(reply.json, 'data') ? (reply.json.data ?? null) : reply.json }
}

export function differences(one: Json | undefined, other: Json | undefined, at = ''): ReadonlySet<string> {
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)])
    return new Set([...keys].flatMap((key) => [...differences(one[key], other[key], `${at}/${key}`)]))
  }
  return new Set(isDeepStrictEqual(one, other) ? [] : [at])
}

export function without(value: Json, pointers: ReadonlySet<string>, at = ''): Json {
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key]) => !pointers.has(`${at}/${key}`))
  return Object.fromEntries(kept.map(([key, item]) => [key, without(item, pointers, `${at}/${key}`)]))
}
