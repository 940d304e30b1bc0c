/** Finds secrets that were not learnt before, by the names of their fields or by their look. */
import { type Json, sizeBounds } from '../vocabulary/index.ts'

/** Fields whose values are always secrets, with the kind that replaces them. */
const secretFields: Readonly<Record<string, string>> = {
  client_token: 'token',
  token: 'token',
  root_token: 'token',
  wrapping_token: 'token',
  dr_operation_token: 'token',
  encoded_token: 'token',
  encoded_root_token: 'token',
  encrypted_token: 'token',
  private_key: 'private key',
  secret_key: 'secret key',
  secret_access_key: 'secret key',
  access_key: 'access key',
  security_token: 'token',
  session_token: 'token',
  secret_id: 'secret',
  secret: 'secret',
  client_secret: 'secret',
  password: 'password',
  passcode: 'passcode',
  otp: 'one-time password',
  barcode: 'barcode',
  key: 'key',
  recovery_key: 'key share',
}

/** Fields that hold lists of key shares. Every list reply has a field `keys`, so that one counts only next to one of
 * these. */
const shareFields = [
  'keys_base64',
  'unseal_keys_b64',
  'unseal_keys_hex',
  'recovery_keys',
  'recovery_keys_base64',
  'recovery_keys_b64',
]
const mostSecrets = sizeBounds.secretsOfReply.value
const longestSecret = sizeBounds.secretLength.value

export interface SeenSecret {
  readonly value: string
  readonly kind: string
}

/** Returns whether a body has to be withheld as a whole, because it holds more or longer secrets than can be searched
 * for. */
export const isBeyondRedaction = (secrets: readonly SeenSecret[]): boolean =>
  secrets.length > mostSecrets || secrets.some(({ value }) => value.length > longestSecret)

/** Returns the secrets in a JSON value by the names of their fields. Stops after `mostSecrets`. */
export function secretsIn(json: Json | undefined): readonly SeenSecret[] {
  if (typeof json !== 'object' || json === null) return none
  const seen: SeenSecret[] = []
  const stack: object[] = [json]
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (Array.isArray(value)) for (const item of value) pushObject(stack, item)
    else readFields(value as Record<string, unknown>, seen, stack)
    if (seen.length > mostSecrets) return seen
  }
  return seen
}

function pushObject(stack: object[], item: unknown): void {
  if (typeof item === 'object' && item !== null) stack.push(item)
}

/** Adds the secrets in the fields of one object to `seen`, and pushes nested objects onto the stack. */
function readFields(object: Readonly<Record<string, unknown>>, seen: SeenSecret[], stack: object[]): void {
  const isInit = 'root_token' in object || shareFields.some((field) => field in object)
  for (const name of Object.keys(object)) {
    const item = object[name]
    if (typeof item === 'string') readText(name, item, seen)
    else if (isInit && (name === 'keys' || shareFields.includes(name)) && Array.isArray(item)) readShares(item, seen)
    else pushObject(stack, item)
  }
}

function readShares(items: readonly unknown[], seen: SeenSecret[]): void {
  for (const share of items) if (typeof share === 'string') seen.push({ value: share, kind: 'key share' })
}

const kindOfField = (name: string): string | undefined =>
  Object.hasOwn(secretFields, name) ? secretFields[name] : undefined

function readText(name: string, value: string, seen: SeenSecret[]): void {
  const kind = kindOfField(name)
  if (kind !== undefined) seen.push({ value, kind })
  else if (name === 'url' && value.startsWith('otpauth:')) seen.push(...otpauth(value))
}

const none: readonly SeenSecret[] = []

const namedText = /"([a-z_]+)"\s*:\s*"/g

/** Returns the same for a JSON text that is incomplete or too large to be parsed. */
export function secretsInText(text: string): readonly SeenSecret[] {
  const seen: SeenSecret[] = []
  namedText.lastIndex = 0
  for (let match = namedText.exec(text); match && seen.length <= mostSecrets; match = namedText.exec(text)) {
    const kind = kindOfField(match[1] ?? '')
    if (kind === undefined) continue
    const end = endOfText(text, namedText.lastIndex)
    seen.push({ value: unescaped(text.slice(namedText.lastIndex, end)), kind })
    namedText.lastIndex = end
  }
  return seen
}

function endOfText(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') return at
    if (character === '\\') at += 1
  }
  return text.length
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

function otpauth(url: string): SeenSecret[] {
  const secret = /[?&]secret=([^&]+)/.exec(url)?.[1]
  const whole = { value: url, kind: 'one-time password' }
  return secret ? [whole, { value: secret, kind: 'one-time password' }] : [whole]
}

const begin = '-----BEGIN '
const privateHead = /^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/

export interface Shape {
  readonly start: number
  readonly end: number
  readonly label: 'private key' | 'token'
  /** False for a block without an end: it is redacted, but not learnt as a value. */
  readonly isWhole: boolean
}

const tokens = /(?<![\w.-])(?:hv[sbr]\.[A-Za-z0-9_-]{20,}|[sbr]\.[A-Za-z0-9]{24,})(?![\w-])/g

/** Finds private keys. A block without an end extends to the end of the text. */
function privateKeys(text: string): Shape[] {
  const shapes: Shape[] = []
  for (let start = text.indexOf(begin); start >= 0; ) {
    const head = privateHead.exec(text.slice(start, start + 64))
    if (!head) {
      start = text.indexOf(begin, start + begin.length)
      continue
    }
    const foot = head[0].replace('BEGIN', 'END')
    const found = text.indexOf(foot, start)
    const end = found < 0 ? text.length : found + foot.length
    shapes.push({ start, end, label: 'private key', isWhole: found >= 0 })
    start = text.indexOf(begin, end)
  }
  return shapes
}

/** Returns the tokens and private keys of a text, in order and without overlaps. */
export function shapesIn(text: string): Shape[] {
  const keys = privateKeys(text)
  const shapes: Shape[] = []
  let next = 0
  for (const match of text.matchAll(tokens)) {
    const start = match.index
    const end = start + match[0].length
    for (let key = keys[next]; key && key.start < end; key = keys[++next]) shapes.push(key)
    if ((shapes.at(-1)?.end ?? 0) <= start) shapes.push({ start, end, label: 'token', isWhole: true })
  }
  return shapes.concat(keys.slice(next))
}

/** Returns a PEM block with the line breaks that JSON or a URL has escaped. */
export const asWritten = (block: string): string =>
  block.replace(/\\{1,16}r/g, '').replace(/\\{1,16}n|(?:%0[Dd])?%0[Aa]/g, '\n')
