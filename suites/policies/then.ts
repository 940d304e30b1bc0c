/** What can be expected of replies about policies, without asking for more than the document says. */
import { isDeepStrictEqual } from 'node:util'
import type { Exchange, Expectation, Json, Reply, Scope, Witness } from '../../harness/vocabulary/index.ts'
import {
  fieldOf,
  isObject,
  isRefusal,
  isSuccess,
  matcher,
  mismatch,
  readable,
  refused,
  shown,
  unchanged,
} from '../../harness/vocabulary/index.ts'
import { ownPrefixFrom } from '../given.ts'
import { type Kind, levels } from './given.ts'

/** Every topic on policies has this name. */
const ownPrefix = (scope: Scope): string => ownPrefixFrom(scope, 'policy')

const bare = (text: string): string => text.replaceAll(/\s+/g, '')

/** The text that was written. White space, and whether it comes back in base64, are the server's business. */
export const document = (name: string) =>
  matcher(`the text \`${name}\``, (value, scope) => {
    if (typeof value !== 'string') return false
    const wanted = bare(scope.value(name))
    return bare(value) === wanted || bare(Buffer.from(value, 'base64').toString()) === wanted
  })

const path = (text: string): string => text.trim().replace(/^\//, '')

const pathsIn = (value: Json | undefined): readonly string[] =>
  (typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : []).map(path).sort()

/** Exactly these paths in any order, as an array or a comma-separated string. */
export const paths = (wanted: readonly string[]) =>
  matcher(`the path${wanted.length > 1 ? 's' : ''} ${wanted.join(' and ')}`, (value, scope) => {
    const want = wanted.map((one) => path(scope.fill(one)))
    return pathsIn(value).join('\n') === want.sort().join('\n')
  })

/** The policy is not returned: a refusal, or a reply without a text. */
export const absent: Expectation = {
  words: 'no such policy is returned',
  judge({ reply }) {
    const text = isSuccess(reply) ? fieldOf(reply, 'policy') : undefined
    if (isRefusal(reply) || (isSuccess(reply) && (text === undefined || text === null || text === ''))) return undefined
    return mismatch(reply, 'policy', 'no policy', text === undefined ? `status ${reply.status}` : shown(text))
  },
}

const isVoid = (value: Json | undefined): boolean => value === undefined || value === null

/** What a reading shows of the policy: the fields that the document names. Whatever else a server adds, such as ids and
 * counters, may differ from one reading to the next. Null where no policy is shown. */
function policyIn(reply: Reply): Json {
  if (!isSuccess(reply)) return null
  const [policy, level, where] = ['policy', 'enforcement_level', 'paths'].map((name) => fieldOf(reply, name))
  if ([policy, level, where].every(isVoid)) return null
  return { policy: policy ?? null, enforcement_level: level ?? null, paths: pathsIn(where) }
}

/** What a reading shows of the policy. Where the endpoint itself may be missing, `anyRefusal` says that nothing is there. */
export const policyShown = (reading: Exchange, anyRefusal = false): Witness => ({
  kind: 'witness',
  words: `${reading.method} \`${reading.path}\` shows the policy`,
  touches: [reading],
  steady: true,
  async look(scope) {
    const reply = await scope.send(reading)
    return { asked: reply.asked, state: policyIn(anyRefusal ? reply : readable(reply)) }
  },
})

/** What the reading shows of the policy is the same after `when` as it was before. */
export const kept = (reading: Exchange): Expectation => unchanged(policyShown(reading))

/** Refused, and the reading shows the same policy as before. */
export const refusedAndKept = (reading: Exchange): Expectation => refused(policyShown(reading))

/** If the policy is there at all, its level is one of the three. */
export const levelOfTheList: Expectation = {
  words: 'no level but the three is stored',
  judge({ reply }) {
    const level = isSuccess(reply) ? fieldOf(reply, 'enforcement_level') : undefined
    if (level === undefined || level === null || levels.some((one) => one === level)) return undefined
    return mismatch(reply, 'enforcement_level', levels.join(', '), shown(level))
  },
}

function* textsIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item as Json)
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) {
      yield key
      yield* textsIn(item)
    }
}

/** An empty list may be a 404. */
const isList = (reply: Reply): boolean => isSuccess(reply) || reply.status === 404

/** Names of this check in a list, each once for each time that it stands there. A name stands as it is, or with something
 * behind it that can be no part of a name. Only the list of EGPs has a field that the document names; elsewhere names may
 * stand anywhere in the reply. */
function ownNamesIn(kind: Kind, reply: Reply, prefix: string): readonly string[] | undefined {
  if (!isSuccess(reply)) return []
  const keys = fieldOf(reply, 'keys')
  if (kind === 'egp' && keys === undefined) return undefined
  return [...textsIn(Array.isArray(keys) ? (keys as Json) : kind === 'egp' ? keys : reply.json)]
    .filter((text) => text.startsWith(prefix))
    .map((text) => /^[\w.-]+/.exec(text)?.[0] ?? text)
    .sort()
}

/** Of all policies that this check could have made, the list names exactly these. What others made is not looked at. */
export const listsOwn = (kind: Kind, names: readonly string[]): Expectation => ({
  words: `of its own policies the list names ${names.map((name) => `\`${name}\``).join(' and ') || 'none'}`,
  judge({ reply, scope }) {
    const wanted = names.map((name) => scope.fill(name)).sort()
    const wants = wanted.length === 0 ? `no name that begins with ${ownPrefix(scope)}` : wanted.join(', ')
    if (!isList(reply)) return mismatch(reply, 'status', `a list with ${wants}`, String(reply.status))
    const seen = ownNamesIn(kind, reply, ownPrefix(scope))
    if (seen && isDeepStrictEqual([...new Set(seen)], wanted)) return undefined
    return mismatch(reply, 'keys', wants, seen ? shown(seen) : 'no list')
  },
})

const entryOf = (reply: Reply, scope: Scope, name: string): Json | undefined => {
  const map = isSuccess(reply) ? fieldOf(reply, 'name_path_map') : undefined
  return isObject(map) && Object.hasOwn(map, scope.fill(name)) ? map[scope.fill(name)] : undefined
}

/** `name_path_map` gives these (exact) paths for a name, in whatever form, and no other path of this check. */
export const mapped = (name: string, wanted: readonly string[]): Expectation => ({
  words: `\`name_path_map\` maps \`${name}\` to ${wanted.join(' and ')}`,
  judge({ reply, scope }) {
    const entry = entryOf(reply, scope, name)
    const want = wanted.map((one) => scope.fill(one)).sort()
    const seen = [...textsIn(entry)].flatMap(pathsIn).filter((text) => text.includes(`/${ownPrefix(scope)}`))
    if (isDeepStrictEqual([...new Set(seen)].sort(), want)) return undefined
    return mismatch(reply, `name_path_map of ${scope.fill(name)}`, want.join(', '), shown(entry))
  },
})

export const notMapped = (name: string): Expectation => ({
  words: `\`name_path_map\` does not have \`${name}\``,
  judge({ reply, scope }) {
    const entry = entryOf(reply, scope, name)
    if (!isList(reply)) return mismatch(reply, 'status', 'a list', String(reply.status))
    return entry === undefined ? undefined : mismatch(reply, 'name_path_map', `no ${scope.fill(name)}`, shown(entry))
  },
})

/** The entries of an exact path and of a glob of the same prefix differ, however the glob status is told. */
export const mappedApart = (exact: string, glob: string): Expectation => ({
  words: `\`name_path_map\` tells the exact path of \`${exact}\` from the glob of \`${glob}\``,
  judge({ reply, scope }) {
    const [one, other] = [entryOf(reply, scope, exact), entryOf(reply, scope, glob)]
    if (one !== undefined && other !== undefined && JSON.stringify(one) !== JSON.stringify(other)) return undefined
    return mismatch(reply, 'name_path_map', 'two entries that differ', `${shown(one)} and ${shown(other)}`)
  },
})
