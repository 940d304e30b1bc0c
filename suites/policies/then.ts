/** Expectations about replies with policies that require no more than the document says. */
import { isDeepStrictEqual } from 'node:util'
import type { Exchange, Expectation, Json, Matcher, Reply, Scope, Witness } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  field,
  fieldOf,
  isObject,
  isSuccess,
  judgementOf,
  lists,
  matcher,
  mismatch,
  absent as nothingOf,
  notSuccess,
  readable,
  refused,
  requestOf,
  shown,
  together,
  unchanged,
} from '../../harness/vocabulary/index.ts'
import { ownPrefixFrom } from '../given.ts'
import { expectation } from '../records.ts'
import { isWord, theWord } from '../word.ts'
import { levels } from './given.ts'

/** Every topic about policies has a throw-away name `policy`. */
const ownPrefix = (scope: Scope): string => ownPrefixFrom(scope, 'policy')

/** Returns the words of a text in sorted order, without comments. */
export const wordsIn = (text: string): string =>
  (text.replaceAll(/^[^\S\r\n]*#.*$/gm, '').match(/[\w./*+-]+/g) ?? []).toSorted().join(' ')

/** Accepts the text that was written. A server may change white space, line ends, the kind of quotes, commas and
 * comments, and may return base64. */
export const document = (name: string) =>
  matcher(`the text \`${name}\``, (value, scope) => {
    if (typeof value !== 'string') return false
    const wanted = wordsIn(scope.value(name))
    return wordsIn(value) === wanted || wordsIn(Buffer.from(value, 'base64').toString()) === wanted
  })

const beyondAscii = (text: string): string => (text.match(/[^\p{ASCII}]/gu) ?? []).join('')

/** Accepts the text only if its characters beyond ASCII are unchanged. If they are in comments, the text may be
 * returned without any, because a server may drop comments. */
export const spelled = (name: string, place: 'comments' | 'paths' = 'comments') =>
  matcher(`the text \`${name}\` as it was spelled`, (value, scope) => {
    if (typeof value !== 'string' || !document(name).matches(value, scope)) return false
    const text = wordsIn(value) === wordsIn(scope.value(name)) ? value : Buffer.from(value, 'base64').toString()
    const [seen, wanted] = [beyondAscii(text), beyondAscii(scope.value(name))]
    return seen === wanted || (place === 'comments' && seen === '')
  })

export const path = (text: string): string => text.trim().replace(/^\//, '')

/** An entry may be an object with the path and other members, such as whether the path is a glob. */
const entryPath = (entry: Json): string => path(String(isObject(entry) ? (entry.path ?? '') : entry))

export const pathsIn = (value: Json | undefined): readonly string[] =>
  (typeof value === 'string' ? value.split(',') : Array.isArray(value) ? (value as readonly Json[]) : [])
    .map(entryPath)
    .sort()

/** Accepts exactly these paths in any order, as an array or a comma-separated string. */
export const paths = (wanted: readonly string[]) =>
  matcher(`the path${wanted.length > 1 ? 's' : ''} ${wanted.join(' and ')}`, (value, scope) => {
    const want = wanted.map((one) => path(scope.fill(one)))
    return pathsIn(value).join('\n') === want.sort().join('\n')
  })

export const absent = nothingOf('policy', ['policy', 'enforcement_level', 'paths'])

const isVoid = (value: Json | undefined): boolean => value === undefined || value === null

/** Returns the documented fields of the policy in a read, or null if no policy is shown. Fields that a server adds,
 * such as ids and counters, may differ from one read to the next. */
function policyIn(reply: Reply): Json {
  if (!isSuccess(reply)) return null
  const [policy, level, where] = ['policy', 'enforcement_level', 'paths'].map((name) => fieldOf(reply, name))
  if ([policy, level, where].every(isVoid)) return null
  return { policy: policy ?? null, enforcement_level: level ?? null, paths: pathsIn(where) }
}

/** Makes the witness that shows what a read reports about the policy. If the endpoint itself may be missing,
 * `anyRefusal` counts every refusal as "no policy". */
export const policyShown = (reading: Exchange, anyRefusal = false): Witness => ({
  kind: 'witness',
  words: `${reading.method} \`${reading.path}\` shows the policy`,
  touches: [reading],
  steady: true,
  async look(scope) {
    const reply = await scope.send(reading)
    return { ...requestOf(reply), state: policyIn(anyRefusal ? reply : readable(reply)) }
  },
})

/** Expects that the read shows the same policy after `when` as before. */
export const kept = (reading: Exchange): Expectation => unchanged(policyShown(reading))

/** Expects that the request is refused, that the read shows the same policy as before, and that the
 * list, if there is one, names it or not as before. */
export const refusedAndKept = (reading: Exchange, listing?: Exchange): Expectation =>
  refused(policyShown(reading), ...(listing ? [lists(listing, '{policy}')] : []))

/** Values of a closed list may be returned in another case. */
export const level = (wanted: string) => theWord(wanted, `the level ${wanted}`)

/** Expects the policy with the text `name`, and this value of the field if the field is shown (reading 54). */
export function returned(name: string, fieldName: 'enforcement_level' | 'paths', wanted: Matcher): Expectation {
  const [text, holds] = [field('policy', document(name)), field(fieldName, wanted)]
  return {
    words: `${text.words}, and ${holds.words}, or not shown`,
    judge: (seen) => together(text, ...(isVoid(fieldOf(seen.reply, fieldName)) ? [] : [holds])).judge(seen, []),
  }
}

/** Expects this value of the field. If a policy is returned without the field, the expectation does not apply. */
export function showing(fieldName: 'enforcement_level' | 'paths', wanted: Matcher): Expectation {
  const holds = field(fieldName, wanted)
  return {
    ...holds,
    judge(seen, before) {
      assertShown(seen.reply, fieldName)
      return holds.judge(seen, before)
    },
  }
}

function assertShown(reply: Reply, fieldName: string): void {
  if (policyIn(reply) !== null && isVoid(fieldOf(reply, fieldName)))
    throw DoesNotApply.shown(reply, `${reply.asked} does not show \`${fieldName}\``)
}

/** Expects that the level of the policy, if the policy exists, is one of the three. */
export const levelOfTheList = expectation('no level other than the three is stored', ({ reply }) => {
  assertShown(reply, 'enforcement_level')
  const seen = isSuccess(reply) ? fieldOf(reply, 'enforcement_level') : undefined
  if (isVoid(seen) || levels.some((one) => isWord(seen, one))) return undefined
  return mismatch(reply, 'enforcement_level', levels.map((one) => shown(one)).join(' or '), shown(seen))
})

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

/** Returns the names of this check in a list, once per occurrence. In a list, a name may be followed by characters that
 * cannot be part of a name. If a list has no `keys`, names may be in any field of the reply. */
function ownNamesIn(reply: Reply, prefix: string): readonly string[] {
  if (!isSuccess(reply)) return []
  const keys = fieldOf(reply, 'keys')
  return [...textsIn(keys === undefined ? reply.json : keys)]
    .filter((text) => text.startsWith(prefix))
    .map((text) => /^[\w.-]+/.exec(text)?.[0] ?? text)
    .sort()
}

/** Expects that the list names exactly these of all policies that this check could have created. Other policies are
 * ignored. */
export const listsOwn = (names: readonly string[]) =>
  expectation(
    `of its own policies the list names ${names.map((name) => `\`${name}\``).join(' and ') || 'none'}`,
    ({ reply, scope }) => {
      const wanted = names.map((name) => scope.fill(name)).sort()
      if (!isList(reply)) return notSuccess(reply)
      const seen = ownNamesIn(reply, ownPrefix(scope))
      return isDeepStrictEqual([...new Set(seen)], wanted)
        ? undefined
        : mismatch(reply, 'keys', shown(wanted), shown(seen))
    },
  )

/** Expects that the list has a field `keys` that contains the name. */
export const hasKeys = (name: string) =>
  expectation(`\`keys\` contains the name \`${name}\``, ({ reply, scope }) => {
    const keys = isSuccess(reply) ? fieldOf(reply, 'keys') : undefined
    const isThere = !isVoid(keys) && ownNamesIn(reply, ownPrefix(scope)).includes(scope.fill(name))
    return isThere
      ? undefined
      : mismatch(reply, 'keys', `a list with ${shown(scope.fill(name))}`, isVoid(keys) ? 'none' : shown(keys))
  })

export const entryOf = (reply: Reply, scope: Scope, name: string): Json | undefined => {
  const map = isSuccess(reply) ? fieldOf(reply, 'name_path_map') : undefined
  return isObject(map) && Object.hasOwn(map, scope.fill(name)) ? map[scope.fill(name)] : undefined
}

/** Expects that `name_path_map` has these (exact) paths for a name, in any format, and no other path of this check. */
export const mapped = (name: string, wanted: readonly string[]) =>
  expectation(`\`name_path_map\` maps \`${name}\` to ${wanted.join(' and ')}`, ({ reply, scope }) => {
    const entry = entryOf(reply, scope, name)
    const want = wanted.map((one) => scope.fill(one)).sort()
    const seen = [...textsIn(entry)].flatMap(pathsIn).filter((text) => text.includes(`/${ownPrefix(scope)}`))
    if (isDeepStrictEqual([...new Set(seen)].sort(), want)) return undefined
    return mismatch(reply, `name_path_map of ${scope.fill(name)}`, shown(want), shown(entry ?? []))
  })

/** Expects that `name_path_map` has an entry for each name. The documents do not say how the map shows the single path `*`,
 * which could be an empty path that is marked as a glob. */
export const mapsEach = (names: readonly string[]) =>
  expectation(
    `\`name_path_map\` has paths for ${names.map((name) => `\`${name}\``).join(' and ')}`,
    ({ reply, scope }) => {
      const empty = names.filter((name) => {
        const entry = entryOf(reply, scope, name)
        return isVoid(entry) || ['""', '[]', '{}'].includes(JSON.stringify(entry))
      })
      return judgementOf(
        ...empty.map((name) => {
          const saw = entryOf(reply, scope, name) ?? 'none'
          return mismatch(reply, `name_path_map of ${scope.fill(name)}`, 'its paths', shown(saw))
        }),
      )
    },
  )

export const notMapped = (name: string) =>
  expectation(`\`name_path_map\` does not have \`${name}\``, ({ reply, scope }) => {
    const entry = entryOf(reply, scope, name)
    if (!isList(reply)) return notSuccess(reply)
    return entry === undefined ? undefined : mismatch(reply, 'name_path_map', `no ${scope.fill(name)}`, shown(entry))
  })

/** Expects that the entries of an exact path and of a glob with the same prefix differ, whatever marks the glob. */
export const mappedApart = (exact: string, glob: string) =>
  expectation(
    `\`name_path_map\` shows a difference between the exact path of \`${exact}\` and the glob of \`${glob}\``,
    ({ reply, scope }) => {
      const [one, other] = [entryOf(reply, scope, exact), entryOf(reply, scope, glob)]
      if (one !== undefined && other !== undefined && JSON.stringify(one) !== JSON.stringify(other)) return undefined
      return mismatch(reply, 'name_path_map', 'two entries that differ', `${shown(one)} and ${shown(other)}`)
    },
  )
