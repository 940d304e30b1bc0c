/** Spreads the spellings of requests over the checks, by the seed of the run: each check sends some of its requests so, and
 * all checks together use every spelling at every endpoint that they call often enough. */
import { generateKeyPairSync, hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isAt } from '../faults/site.ts'
import { shareOf } from '../ground/shares.ts'
import { sentBy } from '../targets/sent-by.ts'
import {
  addressOf,
  askedBy,
  type Exchange,
  expectsRefusal,
  isObject,
  type Json,
  type Requirement,
  requirementsOf,
  type Spelling,
  type SpellingSite,
  type Varied,
} from '../vocabulary/index.ts'
import { jsonOf } from '../wire/reply.ts'
import type { Chosen, Spreading } from './chosen.ts'
import { circumstancesOver } from './circumstances.ts'
import { respelled, type Spellable, type Spread } from './spellings.ts'

const shown = 'assay-0-0-x'
const pem = '-----BEGIN X-----\nAA==\n-----END X-----\n'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
/** Values of fields that are known only when a check runs. */
const samples: Readonly<Record<string, string>> = {
  ...{ csr: pem, certificate: pem, pem_bundle: String(privateKey.export({ type: 'sec1', format: 'pem' })) },
  serial_number: '17:2a',
}

/** Returns an exchange as it would be sent, with some value for each name. */
function shapeOf({ method, path, query, body: written, as = 'operator' }: Exchange, prefix: string): Spellable {
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
    ...(as === 'operator' ? {} : { as }),
    ...(body === undefined ? {} : { body: filled(JSON.stringify(body)) }),
  }
}

const rankOf = (seed: number, text: string): string => hash('sha1', `${seed} ${text}`)
/** Of fewer fields, all defaults are written out, as few checks show them. */
const manyFields = 5
/** Half of all ranks are less. */
const half = '8'

/** What a field may be sent as. A check that decides this sends its lists as they are written. */
const forms: ReadonlySet<string | undefined> = new Set(['array', 'comma', 'map'])

/** A site that a check can use. */
interface Use {
  readonly site: SpellingSite
  /** What is spelled otherwise there: each field, or the request. Code need not send what it may send, so its requests are
   * counted apart. */
  readonly items: readonly string[]
  /** Those of them whose field the check decides: it looks at what the field does. */
  readonly decided: readonly string[]
}

interface Able {
  readonly check: string
  readonly deciding: readonly string[]
  readonly uses: readonly Use[]
}

/** A site, with the field that it spells otherwise in a request. An empty text stands for the request itself. */
interface Met {
  readonly site: SpellingSite
  readonly field: string
  readonly isText: boolean
}

/** Finds what can be spelled otherwise in requests to an area. Many checks send equal ones, so it remembers them. */
class Finder {
  readonly #order: ReadonlyMap<SpellingSite, number>
  readonly #byEndpoint: readonly (readonly SpellingSite[])[]
  readonly #known = new Map<string, readonly Met[]>()

  constructor(area: string, sites: readonly SpellingSite[]) {
    const own = sites.filter(({ id }) => id.startsWith(`${area}.`))
    this.#order = new Map(own.map((site, at) => [site, at]))
    this.#byEndpoint = [...Map.groupBy(own, ({ method, path, except }) => `${method} ${path} ${except}`).values()]
  }

  inOrder(sites: Iterable<SpellingSite>): readonly SpellingSite[] {
    const placeOf = (site: SpellingSite): number => this.#order.get(site) ?? 0
    return [...sites].toSorted((one, other) => placeOf(one) - placeOf(other))
  }

  metIn(shape: Spellable): readonly Met[] {
    const key = `${shape.method} ${shape.path} ${JSON.stringify(shape.query)} ${shape.body} ${shape.as}`
    const known = this.#known.get(key)
    if (known) return known
    const written = fieldsOf(shape)
    const met = this.#byEndpoint
      .filter(([site]) => site && isAt(shape, site))
      .flat()
      .flatMap((site) =>
        changedIn(shape, written, site).map((field) => ({ site, field, isText: isText(written[field]) })),
      )
    this.#known.set(key, met)
    return met
  }
}

const isText = (value: Json | undefined): boolean => typeof value === 'string'

/** Returns what of a request a site spells otherwise: names of fields, or an empty text. */
function changedIn(shape: Spellable, written: Readonly<Record<string, Json>>, site: SpellingSite): readonly string[] {
  const found = respelled(shape, site)
  if (!found) return []
  if (!site.fields) return ['']
  const changed = fieldsOf(found.request)
  return site.fields.filter((field) => !isDeepStrictEqual(written[field], changed[field]))
}

function fieldsOf({ body }: Spellable): Readonly<Record<string, Json>> {
  const json = jsonOf(body ?? '')
  return isObject(json) ? json : {}
}

function ableOf({ topic, check }: Chosen, { dialect, requirements }: Spreading, finder: Finder, seed: number): Able {
  const deciding = requirementsOf(check)
  const isOfForm = deciding.some((id) => forms.has(requirements.get(id)?.aspect))
  const decided = new Set(deciding.map((id) => requirements.get(id)?.field))
  const decides = ({ method, path }: SpellingSite, field: string): boolean =>
    deciding.some((id) => {
      const about = requirements.get(id)
      return about?.field === field && about.requests?.includes(`${method} ${path}`)
    })
  /** A default that is written out would hide what the check decides that a field does without being given. Only some of the
   * others are, so that each is written out beside fields that are left out. */
  const isWritten = ({ id, fields = [] }: SpellingSite, field: string): boolean =>
    !decided.has(field) &&
    (fields.length < manyFields || rankOf(seed, `${addressOf(topic, check)} ${id} ${field}`) < half)
  const direct = new Set<unknown>([...(check.given ?? []), check.when])
  // A refusal shows nothing of how the target reads a spelling. What prepares shared ground is sent as it is written.
  const met = sentBy(shareOf(topic, check, dialect)?.rest ?? check, dialect)
    .filter((exchange) => exchange !== check.when || !expectsRefusal(check))
    .flatMap((exchange) =>
      finder.metIn(shapeOf(exchange, dialect.prefix)).map((one) => ({ ...one, isSure: direct.has(exchange) })),
    )
    .filter(({ site, field }) => site.spelling !== 'written-default' || isWritten(site, field))
  const bySite = Map.groupBy(met, ({ site }) => site)
  const uses = finder.inOrder(bySite.keys()).flatMap((site): readonly Use[] => {
    const some = bySite.get(site) ?? []
    const kind = some.some(({ isSure }) => isSure) ? '' : ' by code'
    const itemsOf = (of: readonly Met[]) => [...new Set(of.map(({ field }) => `${site.id} ${field}${kind}`))]
    const keepsForm = site.spelling === 'blanks' && some.every((one) => one.isText)
    const isBarred = isOfForm && site.fields !== undefined && !keepsForm && !deciding.includes(site.row)
    // A check that decides who needs no token compares what both get.
    if (isBarred || (site.spelling === 'no-token' && deciding.includes(site.row))) return []
    const items = { items: itemsOf(some), decided: itemsOf(some.filter(({ field }) => decides(site, field))) }
    const written = (site.fields ?? []).filter((field) => isWritten(site, field))
    return [{ site: site.spelling === 'written-default' ? { ...site, fields: written } : site, ...items }]
  })
  return { check: addressOf(topic, check), deciding, uses }
}

/** At most so many checks use one spelling of one thing in one run. More would only be judged again as well, except that
 * each check that writes out defaults shows another field beside them, and that each may ask in another state. */
const mostUses = 16
/** These are beside whatever else of a request is spelled otherwise. */
const apart: ReadonlySet<Spelling> = new Set(['written-default', 'no-token'])
/** So few may be all that can. So many of those that decide what a field does send it otherwise before any other does. */
const fewUses = 3

/** Counts how many checks can use an item, and how many do. */
class Counts {
  readonly #able = new Map<string, number>()
  readonly #used = new Map<string, number>()
  readonly #decided = new Map<string, number>()

  constructor(all: readonly Able[]) {
    for (const item of all.flatMap(({ uses }) => uses.flatMap(({ items }) => items))) add(this.#able, item)
  }

  use({ items, decided }: Use): void {
    for (const item of items) add(this.#used, item)
    for (const item of decided) add(this.#decided, item)
  }

  /** Returns how often the item of a use was used that was used least, and how many checks can use it. Less than nothing
   * if too few of the checks that decide what the item does use it so far, and this is one of them. Undefined if all were
   * used often enough, or by half of the checks: the others send it as it is written. */
  least({ site: { spelling }, items, decided }: Use): Least | undefined {
    const wanted = Math.min(...decided.map((item) => this.#decided.get(item) ?? 0))
    if (wanted < fewUses) return { used: wanted - fewUses, able: 0 }
    const [least] = items
      .map((item) => ({ used: this.#used.get(item) ?? 0, able: this.#able.get(item) ?? 0 }))
      .filter(({ used, able }) => (used < mostUses || apart.has(spelling)) && used < Math.max(fewUses, able / 2))
      .toSorted((one, other) => one.used - other.used || one.able - other.able)
    return least
  }
}

interface Least {
  readonly used: number
  readonly able: number
}

const add = (counts: Map<string, number>, item: string): void => void counts.set(item, (counts.get(item) ?? 0) + 1)

/** Chooses for each endpoint that a check calls the spelling that the fewest checks use so far, and of those the one that
 * the fewest can use. A check that decides the requirement of a spelling uses it always, and no other. */
export function spreadOver(
  checks: readonly Chosen[],
  { requirements, ...more }: Omit<Spreading, 'requirements'> & { readonly requirements: readonly Requirement[] },
  seed: number,
): Spread {
  if (more.sites.length === 0) return {}
  const spreading = { ...more, requirements: new Map(requirements.map((one) => [one.id, one])) }
  const finders = new Map<string, Finder>()
  const finderOf = (area: string): Finder => {
    const finder = finders.get(area) ?? new Finder(area, more.sites)
    finders.set(area, finder)
    return finder
  }
  const all = checks.map((one) => ableOf(one, spreading, finderOf(one.topic.area), seed))
  const counts = new Counts(all)
  const chosenIn = (check: string, among: readonly Use[]): readonly Use[] => {
    const [first] = among
      .flatMap((use) => {
        const least = counts.least(use)
        return least ? [{ use, ...least, rank: rankOf(seed, `${check} ${use.site.id}`) }] : []
      })
      .toSorted((one, other) => one.used - other.used || one.able - other.able || (one.rank < other.rank ? -1 : 1))
    return first ? [first.use] : []
  }
  const chosenBy = ({ check, deciding, uses }: Able): readonly Use[] => {
    const forced = uses.filter(({ site }) => deciding.includes(site.row))
    if (forced.length > 0) return forced.slice(0, 1)
    const groups = Map.groupBy(
      uses,
      ({ site: { method, path, spelling } }) => `${method} ${path} ${apart.has(spelling) ? spelling : ''}`,
    )
    return [...groups.values()].flatMap((among) => chosenIn(check, among))
  }
  const inOrder = all
    .map((able) => ({ able, rank: rankOf(seed, able.check) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
  const spread = new Map(
    inOrder.flatMap(({ able }) => {
      const chosen = chosenBy(able)
      for (const use of chosen) counts.use(use)
      return chosen.length === 0 ? [] : [[able.check, chosen.map(({ site }) => site)] as const]
    }),
  )
  const circumstances = circumstancesOver(checks, spreading, seed)
  const chosenOf = new Map(checks.map((one) => [addressOf(one.topic, one.check), one]))
  return Object.fromEntries(
    Object.entries(circumstances).map(([check, some]) => {
      const sites = spread.get(check) ?? []
      const one = chosenOf.get(check)
      return [check, [...sites, ...(one ? besideBodiless(some, sites, one, spreading) : some)]]
    }),
  )
}

/** Leaves out further fields of requests that are to be sent without a body. */
function besideBodiless(
  varied: readonly Varied[],
  sites: readonly SpellingSite[],
  { topic, check }: Chosen,
  { dialect }: Spreading,
): readonly Varied[] {
  const bodiless = sites.filter(({ spelling }) => spelling === 'no-body')
  if (bodiless.length === 0) return varied
  const sent = sentBy(shareOf(topic, check, dialect)?.rest ?? check, dialect).filter((exchange) =>
    bodiless.some((site) => isAt(shapeOf(exchange, dialect.prefix), site)),
  )
  return varied.filter(
    (one) => !('companions' in one && one.companions.some(({ to }) => sent.some((each) => to.test(askedBy(each))))),
  )
}
