/** Sends requests in spellings that the documents make equal to the usual ones (readings of the documents, 76). Each check
 * sends some of its requests so, chosen by the seed of the run, and all checks together use every spelling at every
 * endpoint that they call often enough. */
import { createHash } from 'node:crypto'
import { isAt, type Sent, segmentOf, withSegment } from '../faults/site.ts'
import { sentBy } from '../targets/touches.ts'
import {
  addressOf,
  type Check,
  type Dialect,
  type Exchange,
  isObject,
  type Json,
  type Requirement,
  requirementsOf,
  type Spelling,
  type SpellingSite,
  type Topic,
} from '../vocabulary/index.ts'
import { jsonOf } from '../wire/reply.ts'

/** The sites at which each check spells its requests otherwise, by the address of the check. */
export type Spread = Readonly<Record<string, readonly SpellingSite[]>>

type Spellable = Sent & { readonly body?: string | undefined }

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
    if (absent.length === 0) return undefined
    const written = Object.fromEntries(absent.map((field) => [field, values[field] ?? null]))
    return {
      request: { ...request, body: JSON.stringify({ ...json, ...written }) },
      words: 'with the defaults of all fields that it leaves out',
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

  'escaped-name'(request, site) {
    const [, name = ''] = /:(\w+)\??$/.exec(site.path) ?? []
    const value = segmentOf(request, site, name)
    const at = lastLetterIn(value ?? '')
    if (value === undefined || value.includes('%') || at < 0) return undefined
    const code = value.charCodeAt(at).toString(16).toUpperCase()
    const escaped = `${value.slice(0, at)}%${code}${value.slice(at + 1)}`
    return { request: withSegment(request, site, name, escaped), words: 'with a percent-escaped letter in its path' }
  },
}

/** Returns the request in the spelling of the site, or undefined if it cannot be spelled so. */
export const respelled: Respell = (request, site, isFirst) =>
  isAt(request, site) ? respell[site.spelling](request, site, isFirst) : undefined

const shown = 'assay-0-0-x'
const pem = '-----BEGIN X-----\nAA==\n-----END X-----\n'
/** Values of fields that are known only when a check runs. */
const samples: Readonly<Record<string, string>> = {
  ...{ csr: pem, certificate: pem, pem_bundle: pem },
  serial_number: '17:2a',
}

/** Returns an exchange as it would be sent, with some value for each name. */
function shapeOf({ method, path, query, body: written }: Exchange, prefix: string): Spellable {
  const filled = (text: string): string => text.replaceAll(/\{[A-Za-z][\w-]*\}/g, shown)
  const body = isObject(written)
    ? Object.fromEntries(
        Object.entries(written).map(([name, value]) => [
          name,
          /^\{/.test(String(value)) ? (samples[name] ?? value) : value,
        ]),
      )
    : written
  return {
    method,
    path: `${prefix}/${filled(path)}`,
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { body: filled(JSON.stringify(body)) }),
  }
}

interface Spreading {
  readonly sites: readonly SpellingSite[]
  readonly dialect: Dialect
  readonly requirements: ReadonlyMap<string, Requirement>
}

const rankOf = (seed: number, text: string): string => createHash('sha1').update(`${seed} ${text}`).digest('hex')

/** What a field may be sent as. A check that decides this sends its lists as they are written. */
const forms: ReadonlySet<string | undefined> = new Set(['array', 'comma', 'map'])

interface Able {
  readonly check: string
  readonly deciding: readonly string[]
  /** The sites of each endpoint that the check calls. */
  readonly byEndpoint: readonly (readonly SpellingSite[])[]
}

/** Returns whether the judged request should be refused. It is sent exactly as written: a refusal shows nothing of how the
 * target reads a spelling. */
export const expectsRefusal = ({ control, then }: Pick<Check, 'control' | 'then'>): boolean =>
  control !== undefined || then.some(({ refuses }) => refuses)

function ableOf(topic: Topic, check: Check, { sites, dialect, requirements }: Spreading): Able {
  const deciding = requirementsOf(check)
  const isOfForm = deciding.some((id) => forms.has(requirements.get(id)?.aspect))
  const own = sites.filter(
    ({ id, row, fields }) => id.startsWith(`${topic.area}.`) && (!fields || !isOfForm || deciding.includes(row)),
  )
  const shapes = sentBy(check, dialect)
    .filter((exchange) => exchange !== check.when || !expectsRefusal(check))
    .map((exchange) => shapeOf(exchange, dialect.prefix))
  const able = own.filter((site) => shapes.some((shape) => respelled(shape, site)))
  const byEndpoint = Map.groupBy(able, ({ method, path }) => `${method} ${path}`)
  return { check: addressOf(topic, check), deciding, byEndpoint: [...byEndpoint.values()] }
}

/** So many checks use one spelling at one endpoint in one run. More would only be judged again as well. */
const mostUses = 16

/** Chooses for each endpoint that a check calls the spelling that the fewest checks use so far. A check that decides the
 * requirement of a spelling uses it always, and no other. */
export function spreadOver(
  checks: readonly { readonly topic: Topic; readonly check: Check }[],
  { requirements, ...more }: Omit<Spreading, 'requirements'> & { readonly requirements: readonly Requirement[] },
  seed: number,
): Spread {
  if (more.sites.length === 0) return {}
  const spreading = { ...more, requirements: new Map(requirements.map((one) => [one.id, one])) }
  const uses = new Map<string, number>()
  const able = checks
    .map(({ topic, check }) => ableOf(topic, check, spreading))
    .filter(({ byEndpoint }) => byEndpoint.length > 0)
    .map((one) => ({ ...one, rank: rankOf(seed, one.check) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
  /** How many checks can use a site. What few can use comes first. */
  const scarcity = new Map<string, number>()
  for (const { id } of able.flatMap(({ byEndpoint }) => byEndpoint.flat()))
    scarcity.set(id, (scarcity.get(id) ?? 0) + 1)
  const chosenIn = (check: string, among: readonly SpellingSite[]): readonly SpellingSite[] => {
    const [first] = among
      .map((site) => ({
        ...{ site, used: uses.get(site.id) ?? 0, able: scarcity.get(site.id) ?? 0 },
        rank: rankOf(seed, `${check} ${site.id}`),
      }))
      .filter(({ used }) => used < mostUses)
      .toSorted((one, other) => one.used - other.used || one.able - other.able || (one.rank < other.rank ? -1 : 1))
    if (first) uses.set(first.site.id, first.used + 1)
    return first ? [first.site] : []
  }
  const spread = able.map(({ check, deciding, byEndpoint }) => {
    const own = byEndpoint.map((among) => among.filter(({ row }) => deciding.includes(row)))
    const forced = own.find((among) => among.length > 0)
    return [check, forced ? forced.slice(0, 1) : byEndpoint.flatMap((among) => chosenIn(check, among))] as const
  })
  return Object.fromEntries(spread)
}

/** The spellings of a run, without those that the target was already seen not to know. */
export class Spellings {
  readonly #spread: Spread
  readonly #unknown = new Set<string>()

  constructor(spread: Spread = {}) {
    this.#spread = spread
  }

  of(check: string): readonly SpellingSite[] {
    return (this.#spread[check] ?? []).filter(({ id }) => !this.#unknown.has(id))
  }

  /** Remembers that the target does not know a spelling, so that it is told once. */
  isUnknown({ id }: SpellingSite): void {
    this.#unknown.add(id)
  }
}
