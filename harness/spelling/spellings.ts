/** Writes requests in spellings that the documents make equal to the usual ones (readings of the documents, 76). */
import { createPrivateKey } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isAt, type Sent, segmentOf, withSegment } from '../faults/site.ts'
import { isObject, type Json, type Spelling, type SpellingSite, type Varied } from '../vocabulary/index.ts'
import { jsonOf } from '../wire/reply.ts'

/** What each check is judged with that makes no difference on a correct server, by the address of the check. */
export type Spread = Readonly<Record<string, readonly Varied[]>>

/** `as`: who sends it, if it is not the operator. */
export type Spellable = Sent & { readonly body?: string | undefined; readonly as?: string }

/** A request in another spelling. */
export interface Respelled<Request extends Spellable = Spellable> {
  readonly request: Request
  /** Completes "sent …". */
  readonly words: string
}

/** `isFirst`: nothing was written to the path before. */
type Respell = <Request extends Spellable>(
  request: Request,
  site: SpellingSite,
  isFirst?: boolean,
) => Respelled<Request> | undefined

const entriesIn = (value: Json | undefined): readonly Json[] => {
  if (typeof value === 'string') return value.includes(',') ? value.split(',') : []
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

/** Returns whether an entry says the same with a blank before it. */
const isBare = (entry: Json): entry is string =>
  typeof entry === 'string' && entry !== '' && entry === entry.trim() && !entry.includes(',')

/** Returns the index of the last letter or digit. */
const lastLetterIn = (text: string): number => [...text].findLastIndex((sign) => /[A-Za-z0-9]/.test(sign))

const isPem = (value: Json | undefined): value is string =>
  typeof value === 'string' && /^-----BEGIN [^-]+-----\n/.test(value)

/** Returns the private key that has the form of its own algorithm. */
const traditionalKeyIn = (value: Json | undefined): string | undefined =>
  /-----BEGIN (EC|RSA) PRIVATE KEY-----\n[^-]{1,10000}-----END \1 PRIVATE KEY-----\n/.exec(String(value))?.[0]

/** Returns the block that OpenSSL writes before an EC key on P-256. */
function parametersOf(value: string): string {
  const key = traditionalKeyIn(value)
  const isP256 = key && createPrivateKey(key).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  return isP256 ? '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n' : ''
}

/** Spells each of the fields of a site otherwise. */
const ofFields =
  (words: string, change: (value: Json | undefined) => Json | undefined): Respell =>
  (request, { fields = [] }) => {
    const json = jsonOf(request.body ?? '')
    if (!isObject(json)) return undefined
    const changed = fields.flatMap((field) => {
      const value = change(json[field])
      return value === undefined ? [] : [[field, value] as const]
    })
    if (changed.length === 0) return undefined
    const body = JSON.stringify({ ...json, ...Object.fromEntries(changed) })
    return { request: { ...request, body }, words }
  }

const respell: Readonly<Record<Spelling, Respell>> = {
  'no-body'(request) {
    if (request.method !== 'POST') return undefined
    if (request.body === undefined) return { request: { ...request, body: '{}' }, words: 'with an empty object' }
    const json = jsonOf(request.body)
    if (!isObject(json) || Object.keys(json).length > 0) return undefined
    return { request: { ...request, body: undefined }, words: 'without a body' }
  },

  blanks: ofFields('with lists as text, with a blank after each comma', (value) => {
    const entries = entriesIn(value)
    return entries.length > 1 && entries.every(isBare) ? entries.join(', ') : undefined
  }),

  'other-form': ofFields('with lists in their other form', (value) => {
    const entries = entriesIn(value)
    if (entries.length === 0 || !entries.every(isBare)) return undefined
    return typeof value === 'string' ? entries : entries.join(',')
  }),

  'written-default'(request, { fields = [], values = {} }, isFirst = true) {
    const json = jsonOf(request.body ?? '')
    // An update may keep what is left out.
    if (!isObject(json) || !isFirst) return undefined
    const absent = fields.filter((field) => json[field] === undefined)
    const usual = new Set(fields.filter((field) => field in values && isDeepStrictEqual(json[field], values[field])))
    if (absent.length + usual.size === 0) return undefined
    const others = Object.entries(json).filter(([field]) => !usual.has(field))
    const written = Object.fromEntries(absent.map((field) => [field, values[field] ?? null]))
    return {
      request: { ...request, body: JSON.stringify({ ...Object.fromEntries(others), ...written }) },
      words:
        absent.length === 0
          ? 'without the fields that have their defaults'
          : `with the defaults of all fields that it leaves out${usual.size > 0 ? ', and without those that have their defaults' : ''}`,
    }
  },

  duration: ofFields('with durations in a smaller unit', (value) => {
    const [, count, unit] = /^(\d+)([hm])$/.exec(String(value)) ?? []
    return count === undefined ? undefined : `${Number(count) * 60}${unit === 'h' ? 'm' : 's'}`
  }),

  serial: ofFields('with other separators in the serial number', (value) => {
    const text = String(value)
    if (!/^[\da-f]{2}([:-][\da-f]{2})+$/i.test(text)) return undefined
    return text.includes(':') ? text.replaceAll(':', '-') : text.replaceAll('-', ':')
  }),

  base64: ofFields('with the policy in base64', (value) =>
    typeof value === 'string' && /[^A-Za-z0-9+/=]/.test(value) ? Buffer.from(value).toString('base64') : undefined,
  ),

  'pem-space': ofFields('with empty lines around its PEM blocks', (value) =>
    isPem(value) ? `\n${value.trimEnd().replaceAll('-----\n-----', '-----\n\n-----')}\n  \n\n` : undefined,
  ),

  'pem-crlf': ofFields('with CR LF in its PEM blocks', (value) =>
    isPem(value) && !value.includes('\r') ? value.replaceAll('\n', '\r\n') : undefined,
  ),

  'pem-text': ofFields('with text before its PEM blocks, and with the parameters of an EC key', (value) =>
    isPem(value) ? `# written by a program\n${parametersOf(value)}${value}` : undefined,
  ),

  'pem-pkcs8': ofFields('with its private key as PKCS #8', (value) => {
    const key = traditionalKeyIn(value)
    return key && String(value).replace(key, String(createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' })))
  }),

  'escaped-name'(request, site) {
    const [, name = ''] = /:(\w+)\??$/.exec(site.path) ?? []
    const value = segmentOf(request, site, name)
    const at = lastLetterIn(value ?? '')
    if (value === undefined || value.includes('%') || at < 0) return undefined
    const code = value.charCodeAt(at).toString(16).toUpperCase()
    const escaped = `${value.slice(0, at)}%${code}${value.slice(at + 1)}`
    return { request: withSegment(request, site, name, escaped), words: 'with a percent-escaped letter in its path' }
  },

  'no-token': (request) =>
    request.as === undefined ? { request: { ...request, as: 'nobody' }, words: 'without a token' } : undefined,
}

/** Returns the request in the spelling of the site, or undefined if it cannot be spelled so. */
export const respelled: Respell = (request, site, isFirst) =>
  isAt(request, site) ? respell[site.spelling](request, site, isFirst) : undefined

/** Of fields that requests have besides, one may make a difference and another not. */
const keyOf = (one: Varied): string =>
  'companions' in one
    ? one.companions.map(({ to, field, beside }) => `${to} ${field} ${JSON.stringify(beside)}`).join()
    : one.id

/** At most so often has a difference to show once more because others did not show again. */
const mostDoubts = 3

/** What the checks of a run are judged with, without what was already seen to make a difference on the target. */
export class Spellings {
  readonly #spread: Spread
  readonly #unknown = new Set<string>()
  #doubts = 0

  constructor(spread: Spread = {}) {
    this.#spread = spread
  }

  of(check: string): readonly Varied[] {
    return (this.#spread[check] ?? []).filter((one) => this.isOpen(one))
  }

  /** Returns whether some check of the run is judged in this spelling or circumstance. */
  has(id: string): boolean {
    return !this.#unknown.has(id) && Object.values(this.#spread).some((varied) => varied.some((one) => one.id === id))
  }

  isOpen(one: Varied): boolean {
    return !this.#unknown.has(keyOf(one))
  }

  /** A target that is wrong now and then has to show a difference so many times more. */
  get doubts(): number {
    return this.#doubts
  }

  /** Remembers that a difference did not show again. */
  doubt(): void {
    this.#doubts = Math.min(this.#doubts + 1, mostDoubts)
  }

  /** Remembers that something makes a difference on the target, so that it is told once. */
  isUnknown(one: Varied): void {
    this.#unknown.add(keyOf(one))
  }
}
