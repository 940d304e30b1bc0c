/** What a read shows of what was written. Which fields it shows is not documented; what it shows has to be right. */
import { isDeepStrictEqual } from 'node:util'
import { meaningOf } from '../../fixtures/cloud/policies.ts'
import type { Exchange, Expectation, Json, JsonObject, Reply } from '../../harness/vocabulary/index.ts'
import {
  fieldOf,
  filled,
  isObject,
  isSuccess,
  keysOf,
  mismatch,
  StepFailed,
  shown,
  statusSeen,
} from '../../harness/vocabulary/index.ts'
import { secondsIn } from './then.ts'

const entries = (value: Json): readonly string[] => {
  if (isObject(value)) return Object.entries(value).map(([key, item]) => `${key}=${String(item)}`)
  return [value].flat().flatMap((item) => String(item).split(','))
}

/** However a value is written, it comes to the same. */
function comesTo(name: string, value: Json): Json {
  if (/ttl$|^lease|^rotation_period$/.test(name)) return secondsIn(value) ?? value
  if (/^policy_document$|^policy$/.test(name)) return meaningOf(String(value)) ?? value
  if (/_endpoint$/.test(name)) return URL.parse(String(value))?.href ?? value
  if (/(arns|groups|tags)$|^credential_type$/.test(name)) return entries(value).toSorted()
  return String(value)
}

/** Throws where a read shows none of the fields by which it could be told from any other reply. */
export function assertTelling(reply: Reply, names: readonly string[]): void {
  const isShown = (name: string): boolean => (fieldOf(reply, name) ?? null) !== null
  if (!names.some(isShown)) throw new StepFailed(`${reply.asked} shows none of ${names.join(', ')}`, reply)
}

/** A read is a success that shows something, and no field of it has another value than the one that was written. */
export const showsAsWritten = (body: JsonObject): Expectation => ({
  words: 'what is shown of each field is what was written',
  judge({ reply, scope }) {
    if (!isSuccess(reply)) return mismatch(reply, 'status', 'a success (2xx)', statusSeen(reply))
    assertTelling(reply, Object.keys(body))
    for (const [name, given] of Object.entries(body)) {
      const saw = fieldOf(reply, name)
      const wanted = filled(given, scope)
      if (saw === undefined || saw === null) continue
      if (!isDeepStrictEqual(comesTo(name, saw), comesTo(name, wanted)))
        return mismatch(reply, name, shown(wanted), shown(saw))
    }
    return undefined
  },
})

/** What another exchange shows is not the same: a server that says one thing of everything shows nothing of either. */
export const unlike = (other: Exchange): Expectation => ({
  words: `${other.method} \`${other.path}\` shows something else`,
  touches: [other],
  async judge({ reply, scope }) {
    const beside = await scope.send(other)
    const substance = ({ json }: Reply): Json | undefined => (isObject(json) ? (json.data ?? json) : json)
    return isDeepStrictEqual(substance(beside), substance(reply))
      ? mismatch(beside, 'reply', 'another object', 'the same reply')
      : undefined
  },
})

/** The list names these, in any order, and nothing else. */
export const namesExactly = (...names: readonly string[]): Expectation => ({
  words: `the list names ${names.join(' and ')} and nothing else`,
  judge({ reply }) {
    const keys = keysOf(reply)?.map((key) => key.replace(/\/$/, ''))
    if (!keys) return mismatch(reply, 'keys', 'a list of names', statusSeen(reply))
    return isDeepStrictEqual(keys.toSorted(), names.toSorted())
      ? undefined
      : mismatch(reply, 'keys', names.join(' and '), shown(keys))
  },
})
