import { type Capability, capabilities } from '../contracts.ts'
import { parseDuration } from '../http/duration.ts'
import { Cursor } from './cursor.ts'
import { type Entry, kindWords, plain, type Value } from './document.ts'
import { parseHcl } from './hcl.ts'
import { parseJson } from './json.ts'

/** Maps a parameter name in lower case, or `*`, to the values of the rule. An empty list means any value. */
export type ParameterValues = ReadonlyMap<string, readonly unknown[]>

/** What a policy says about one path. */
export interface PathRule {
  /** The path without a leading slash: `secret/app`, `secret/*`, `secret/+/config`. */
  readonly path: string
  readonly capabilities: readonly Capability[]
  readonly allowedParameters?: ParameterValues
  readonly deniedParameters?: ParameterValues
  /** The names are in lower case. */
  readonly requiredParameters?: readonly string[]
  /** In seconds. */
  readonly minWrappingTtl?: number
  /** In seconds. */
  readonly maxWrappingTtl?: number
  /** The names of MFA methods, all of which a request must satisfy. */
  readonly secondFactors?: readonly string[]
}

export interface AclPolicy {
  readonly name?: string
  readonly rules: readonly PathRule[]
}

/** The capabilities that the older setting `policy = "…"` grants. */
const legacyWords: Readonly<Record<string, readonly Capability[]>> = {
  deny: ['deny'],
  read: ['read', 'list'],
  write: ['create', 'read', 'update', 'patch', 'delete', 'list'],
  sudo: ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo'],
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
type Reader = (rule: Writable<PathRule>, entry: Entry, cursor: Cursor) => void

const settings: Readonly<Record<string, Reader>> = {
  capabilities: (rule, entry, cursor) => {
    const words = strings(entry, cursor).map((item) => {
      const word = capabilities.find((known) => known === item.value)
      return word ?? cursor.fail(`unknown capability "${item.value}"; known are ${capabilities.join(', ')}`, item.at)
    })
    rule.capabilities = [...rule.capabilities, ...words]
  },
  policy: (rule, entry, cursor) => {
    const word = string(entry, cursor)
    const known = Object.keys(legacyWords).join(', ')
    const words =
      (Object.hasOwn(legacyWords, word) ? legacyWords[word] : undefined) ??
      cursor.fail(`unknown policy "${word}"; known are ${known}`, entry.value.at)
    rule.capabilities = [...rule.capabilities, ...words]
  },
  comment: (_rule, entry, cursor) => void string(entry, cursor),
  allowed_parameters: (rule, entry, cursor) => {
    rule.allowedParameters = parameters(entry, cursor)
  },
  denied_parameters: (rule, entry, cursor) => {
    rule.deniedParameters = parameters(entry, cursor)
  },
  required_parameters: (rule, entry, cursor) => {
    rule.requiredParameters = strings(entry, cursor).map((item) => item.value.toLowerCase())
  },
  mfa_methods: (rule, entry, cursor) => {
    rule.secondFactors = strings(entry, cursor).map((item) => item.value)
  },
  min_wrapping_ttl: (rule, entry, cursor) => {
    rule.minWrappingTtl = duration(entry, cursor)
  },
  max_wrapping_ttl: (rule, entry, cursor) => {
    rule.maxWrappingTtl = duration(entry, cursor)
  },
}

/** Parses an ACL policy in HCL or JSON. Throws only `PolicySyntaxError`, which has line and column. */
export function parsePolicy(text: string): AclPolicy {
  const cursor = new Cursor(text)
  cursor.skipBlanks()
  const isJson = cursor.next === '{' || cursor.next === '['
  const entries = isJson
    ? blocks(parseJson(cursor), cursor, 'an ACL policy').flatMap((block) => block.entries)
    : parseHcl(cursor)
  const rules: PathRule[] = []
  let name: string | undefined
  for (const entry of entries) {
    if (entry.key === 'name') name = string(entry, cursor)
    else if (entry.key === 'path') rules.push(...paths(entry, cursor))
    else cursor.fail(`unknown key "${entry.key}"; an ACL policy has "path" and "name"`, entry.at)
  }
  return name === undefined ? { rules } : { name, rules }
}

const paths = (entry: Entry, cursor: Cursor): readonly PathRule[] =>
  blocks(entry.value, cursor, '"path"')
    .flatMap((labels) => labels.entries)
    .flatMap((label) => blocks(label.value, cursor, `path "${label.key}"`).map((block) => rule(label, block, cursor)))

function rule(label: Entry, block: Value & { readonly kind: 'object' }, cursor: Cursor): PathRule {
  const path = label.key.startsWith('/') ? label.key.slice(1) : label.key
  if (path.includes('+*')) cursor.fail(`path "${label.key}": "+*" is not a wildcard; write "+/*" or "*"`, label.at)
  const rule: Writable<PathRule> = { path, capabilities: [] }
  const seen = new Set<string>()
  for (const entry of block.entries) {
    const read = Object.hasOwn(settings, entry.key) ? settings[entry.key] : undefined
    const where = `path "${label.key}"`
    if (!read)
      cursor.fail(`${where}: unknown key "${entry.key}"; known are ${Object.keys(settings).join(', ')}`, entry.at)
    if (seen.has(entry.key)) cursor.fail(`${where}: "${entry.key}" is given twice`, entry.at)
    seen.add(entry.key)
    read(rule, entry, cursor)
  }
  const { minWrappingTtl = 0, maxWrappingTtl = 0 } = rule
  if (maxWrappingTtl > 0 && maxWrappingTtl < minWrappingTtl) {
    cursor.fail(`path "${label.key}": max_wrapping_ttl is less than min_wrapping_ttl`, label.at)
  }
  return rule
}

/** Accepts one block or a list of blocks, which mean the same. */
function blocks(value: Value, cursor: Cursor, where: string): readonly (Value & { readonly kind: 'object' })[] {
  if (value.kind === 'object') return [value]
  if (value.kind === 'list') return value.items.flatMap((item) => blocks(item, cursor, where))
  return cursor.fail(`${where} must be a block, not ${kindWords[value.kind]}`, value.at)
}

function string(entry: Entry, cursor: Cursor): string {
  if (entry.value.kind === 'string') return entry.value.value
  return cursor.fail(`"${entry.key}" must be a string, not ${kindWords[entry.value.kind]}`, entry.value.at)
}

function list(entry: Entry, cursor: Cursor): readonly Value[] {
  if (entry.value.kind === 'list') return entry.value.items
  return cursor.fail(`"${entry.key}" must be a list, not ${kindWords[entry.value.kind]}`, entry.value.at)
}

function strings(entry: Entry, cursor: Cursor): readonly (Value & { readonly kind: 'string' })[] {
  return list(entry, cursor).map((item) => {
    if (item.kind === 'string') return item
    return cursor.fail(`"${entry.key}" must be a list of strings; this is ${kindWords[item.kind]}`, item.at)
  })
}

const parameters = (entry: Entry, cursor: Cursor): ParameterValues =>
  new Map(
    blocks(entry.value, cursor, `"${entry.key}"`)
      .flatMap((block) => block.entries)
      .map((each) => [each.key.toLowerCase(), list(each, cursor).map(plain)]),
  )

function duration(entry: Entry, cursor: Cursor): number {
  const { value } = entry
  const seconds = value.kind === 'number' || value.kind === 'string' ? parseDuration(value.value) : undefined
  if (seconds !== undefined && seconds >= 0) return seconds
  return cursor.fail(`"${entry.key}" must be seconds or a duration such as "90s" or "1h30m"`, value.at)
}
