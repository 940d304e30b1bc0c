/** What can be expected of replies about plugins, without asking for more than the document says. */
import type { Expectation, Json, Matcher, Reply } from '../../harness/vocabulary/index.ts'
import {
  field,
  fieldOf,
  isObject,
  isRefusal,
  isSuccess,
  matcher,
  mismatch,
  StepFailed,
  shown,
} from '../../harness/vocabulary/index.ts'

export const nothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

export const empty = matcher('empty or not shown', nothing)

/** As it was given, or below the folder that it is relative to. */
export const command = matcher('the command', (value, scope) => {
  const wanted = scope.value('command')
  return typeof value === 'string' && (value === wanted || value.endsWith(`/${wanted}`))
})

/** In hexadecimal or in base64. */
export const digest = matcher('the digest', (value, scope) => {
  const wanted = scope.value('sha256').toLowerCase()
  return (
    typeof value === 'string' && [value.toLowerCase(), Buffer.from(value, 'base64').toString('hex')].includes(wanted)
  )
})

const bare = (version: string): string => version.replace(/^v/, '')
export const version = (wanted: string) =>
  matcher(`version ${wanted}`, (value) => typeof value === 'string' && bare(value) === bare(wanted))

const sameList = (value: Json | undefined, wanted: readonly string[]): boolean =>
  Array.isArray(value) && value.length === wanted.length && value.every((item, index) => item === wanted[index])

export const entries = (wanted: readonly string[]) => matcher(wanted.join(', '), (value) => sameList(value, wanted))

/** In any order. Environments can hold secrets, and a server may mask the values: that takes no digits, and every value
 * that is given here is one. */
export const assignments = (wanted: readonly string[]) =>
  matcher(
    `${wanted.join(', ')}, values perhaps masked`,
    (value) =>
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((one) => value.some((item) => item === one || isMasked(item, one))),
  )

const isMasked = (item: unknown, wanted: string): boolean => {
  const name = wanted.slice(0, wanted.indexOf('=') + 1)
  return typeof item === 'string' && item.startsWith(name) && /^\D+$/.test(item.slice(name.length))
}

/** The field is this. Which fields a plugin shows is not documented: without it nothing can be said. */
export function stored(name: string, wanted: Json | Matcher): Expectation {
  const holds = field(name, wanted)
  return {
    ...holds,
    judge(seen, before) {
      if (isSuccess(seen.reply) && (fieldOf(seen.reply, name) ?? null) === null)
        throw new StepFailed(`${seen.reply.asked} does not show \`${name}\``, seen.reply)
      return holds.judge(seen, before)
    },
  }
}

/** The plugin is not returned: a refusal, or a reply without a command. The latter says something only where the same
 * plugin was seen to show one. */
export const absent: Expectation = {
  words: 'no such plugin is returned',
  judge({ reply }) {
    const names = isSuccess(reply) ? stringsUnder(reply.json, 'command') : []
    if (isRefusal(reply) || (isSuccess(reply) && names.length === 0)) return undefined
    return mismatch(reply, 'command', 'no plugin', names.length === 0 ? `status ${reply.status}` : shown(names))
  },
}

function* stringsIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* stringsIn(item as Json)
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) {
      yield key
      yield* stringsIn(item)
    }
}

/** Every text that stands under a key of that name, however deep. */
function stringsUnder(value: Json | undefined, key: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => stringsUnder(item as Json, key))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    name === key ? [...stringsIn(item)] : stringsUnder(item, key),
  )
}

/** The version under which a catalog files the plugin of that name, where it tells one. */
export function versionOf(reply: Reply, name: string): string {
  const entryIn = (value: Json | undefined): string => {
    if (Array.isArray(value)) return value.map((item) => entryIn(item as Json)).find((found) => found !== '') ?? ''
    if (!isObject(value)) return ''
    if (value.name === name && typeof value.version === 'string') return value.version
    return entryIn(Object.values(value))
  }
  return isSuccess(reply) ? entryIn(reply.json) : ''
}

/** The names of a type: what stands under it, and entries that say they are of it. */
function namesOf(value: Json | undefined, type: string): readonly string[] {
  const entriesOf = (part: Json | undefined): readonly string[] => {
    if (Array.isArray(part)) return part.flatMap((item) => entriesOf(item as Json))
    if (!isObject(part)) return []
    if (part.type === type && typeof part.name === 'string') return [part.name]
    return Object.values(part).flatMap(entriesOf)
  }
  return [...stringsUnder(value, type), ...entriesOf(value)]
}

/** An empty list may be a 404. */
const isList = (reply: Reply): boolean => isSuccess(reply) || reply.status === 404

function naming(at: string, name: string, wanted: boolean, see: (reply: Reply) => readonly string[]): Expectation {
  return {
    words: `${at} ${wanted ? 'names' : 'does not name'} \`${name}\``,
    judge({ reply, scope }) {
      const wants = `a list ${wanted ? 'with' : 'without'} ${shown(scope.fill(name))}`
      if (!isList(reply)) return mismatch(reply, 'status', wants, String(reply.status))
      const seen = isSuccess(reply) ? see(reply) : []
      return seen.includes(scope.fill(name)) === wanted ? undefined : mismatch(reply, at, wants, shown(seen))
    },
  }
}

const whole = (reply: Reply): readonly string[] => [...stringsIn(reply.json)]
export const named = (name: string): Expectation => naming('the list', name, true, whole)
export const notNamed = (name: string): Expectation => naming('the list', name, false, whole)

export const filedUnder = (type: string, name: string): Expectation =>
  naming(`the catalog under ${type}`, name, true, (reply) => namesOf(reply.json, type))
export const notFiledUnder = (others: readonly string[], name: string): Expectation =>
  naming(`the catalog under ${others.join(' and ')}`, name, false, (reply) =>
    others.flatMap((type) => namesOf(reply.json, type)),
  )
