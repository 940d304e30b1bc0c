/** Reduces replies to facts that are the same each time: values that differ from server to server or from start to
 * start, such as ids, times and keys, become their kind in angle brackets. */
import { X509Certificate } from 'node:crypto'

/** The fields of a reply by their path, such as `data.keys`, with their values as JSON text. */
export type Facts = Readonly<Record<string, string>>

/** A number as it is written in the reply. */
class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Parses JSON, and keeps the text of numbers: a JavaScript number would lose digits. */
export function parseReply(text: string): unknown {
  const keepNumbers = (_: string, value: unknown, context: { readonly source?: string }): unknown =>
    typeof value === 'number' ? new NumberText(context.source ?? '') : value
  return JSON.parse(text, keepNumbers as (key: string, value: unknown) => unknown)
}

function certificateShape(pem: string): string {
  const { subject, subjectAltName, ca, keyUsage, validFrom, validTo } = new X509Certificate(pem)
  // Certificates are often dated back by half a minute.
  const minutes = Math.floor((Date.parse(validTo) - Date.parse(validFrom) + 10_000) / 60_000)
  const sorted = subjectAltName?.split(', ').toSorted().join(', ')
  const names = [subject?.replaceAll('\n', ', '), sorted].filter(Boolean).join('; ')
  return `<certificate ${names}${ca ? '; CA' : ''}; ${minutes} min; ${(keyUsage ?? []).join(' ')}>`
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g
const pemShape = (block: string, label: string): string =>
  label === 'CERTIFICATE' ? certificateShape(block) : `<${label.toLowerCase()}>`

/** Each kind of value that varies, in the order in which they are tried. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b(?:[0-9a-f]{2}:){7,}[0-9a-f]{2}\b/g, '<hex with colons>'],
  [/\b(?:[0-9a-f]{2}-){7,}[0-9a-f]{2}\b/g, '<hex with hyphens>'],
  [/\b(?!0001)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\b(?:s|b|r|hvs|hvb|sbr)\.[\w-]{20,}(?:\.\w+)?/g, '<token>'],
  [/\b(\w+)_[0-9a-f]{8}\b/g, '$1_<id>'],
  [/\bhmac-sha256:[0-9a-f]{64}\b/g, '<hmac>'],
  [/^[A-Za-z0-9]{24}$/g, '<id>'],
  [/\bvault-cluster-[0-9a-f]{8}\b/g, '<cluster name>'],
  [/^[A-Za-z0-9+/\n]{100,}={0,2}$/g, '<base64>'],
  [/\b127\.0\.0\.1:\d+/g, '<address>'],
  [/secret=[A-Z2-7]+/g, 'secret=<base32>'],
]

function textShape(text: string): string {
  const withoutPem = text.trim().replaceAll(pemBlock, pemShape)
  return kinds.reduce((shape, [pattern, kind]) => shape.replaceAll(pattern, kind), withoutPem)
}

/** Namespaces have ids of a few letters. */
const isShortId = (text: string, path: string): boolean => path === 'data.id' && /^[A-Za-z0-9]{5,6}$/.test(text)

/** A lifetime may have lost some seconds since it was granted. */
const lifetimes = /(^|\.)(ttl|expire_ttl|lease_duration|secret_id_ttl)$/

function numberShape(text: string, path: string): string {
  const value = Number(text)
  if (value > 1.6e9 && value < 2.6e9 && Number.isInteger(value)) return '<unix time>'
  return lifetimes.test(path) && value > 100 ? String(Math.ceil(value / 10) * 10) : text
}

/** Returns the text of a value that has no parts; undefined for lists and objects. */
function leafText(value: unknown, path: string): string | undefined {
  if (value instanceof NumberText) return numberShape(value.text, path)
  if (typeof value === 'string') return JSON.stringify(isShortId(value, path) ? '<id>' : textShape(value))
  return typeof value === 'object' && value !== null ? undefined : JSON.stringify(value)
}

function* factsIn(value: unknown, path: string): Generator<readonly [string, string]> {
  const leaf = leafText(value, path)
  if (leaf !== undefined) yield [path, leaf]
  else if (Array.isArray(value) && !value.some(isWhole)) {
    const items = value.map((item) => leafText(item, path))
    // Real servers list some things in the order of their ids, which are random.
    yield [path, `[${(path === 'data.keys' ? items.toSorted() : items).join(',')}]`]
  } else {
    const parts = Object.entries(value as object)
    if (parts.length === 0) yield [path, '{}']
    for (const [key, item] of parts) yield* factsIn(item, `${path}.${textShape(key)}`)
  }
}

const isWhole = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof NumberText)

/** Says only whether there are texts: what they say is for people. */
const texts = (value: unknown): string => (Array.isArray(value) ? 'list' : 'no list')

/** Members of the envelope in replies that have no lease, auth or wrapped data. */
const empty: Readonly<Record<string, string>> = { lease_id: '""', renewable: 'false', lease_duration: '0' }

function* factsOfMember(name: string, value: unknown): Generator<readonly [string, string]> {
  if (name === 'errors' || name === 'warnings') yield [name, texts(value)]
  else for (const fact of factsIn(value, name)) if (empty[name] !== fact[1]) yield fact
}

function* factsOfEnvelope(envelope: Readonly<Record<string, unknown>>): Generator<readonly [string, string]> {
  const data = envelope.data ?? {}
  // Older endpoints show the fields of their data at the top level as well.
  const isTold = (name: string): boolean => name === 'request_id' || (name !== 'data' && Object.hasOwn(data, name))
  for (const [name, value] of Object.entries(envelope))
    if (value !== null && !isTold(name)) yield* factsOfMember(name, value)
}

export interface RawReply {
  readonly status: number
  readonly contentType: string
  readonly location: string | undefined
  readonly body: Buffer
}

export function factsOf({ status, contentType, location, body }: RawReply): Facts {
  const facts: Record<string, string> = { status: String(status) }
  if (location !== undefined) facts.location = location.replace(/^https?:\/\/[^/]+/, '')
  if (body.length === 0) return facts
  try {
    const value = parseReply(body.toString('utf8'))
    if (!isWhole(value)) throw new SyntaxError('not an object')
    return { ...facts, ...Object.fromEntries(factsOfEnvelope(value as Readonly<Record<string, unknown>>)) }
  } catch {
    const text = body.toString('latin1')
    const shape = text.includes('-----BEGIN') ? textShape(text) : `<${contentType.split(';')[0]}>`
    return { ...facts, body: shape }
  }
}
