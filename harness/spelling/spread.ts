/** Spreads the spellings of requests over the checks, by the seed of the run: each check sends some of its requests so, and
 * all checks together use every spelling at every endpoint that they call often enough. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { shareOf } from '../ground/shares.ts'
import { sentBy } from '../targets/sent-by.ts'
import {
  addressOf,
  type Check,
  type Exchange,
  expectsRefusal,
  isObject,
  type Json,
  type Requirement,
  requirementsOf,
  type SpellingSite,
  type Topic,
} from '../vocabulary/index.ts'
import { jsonOf } from '../wire/reply.ts'
import { circumstancesOver, type Spreading } from './circumstances.ts'
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

const rankOf = (seed: number, text: string): string => createHash('sha1').update(`${seed} ${text}`).digest('hex')

/** What a field may be sent as. A check that decides this sends its lists as they are written. */
const forms: ReadonlySet<string | undefined> = new Set(['array', 'comma', 'map'])

/** A site that a check can use. */
interface Use {
  readonly site: SpellingSite
  /** What is spelled otherwise there: each field, or the request. Code need not send what it may send, so its requests are
   * counted apart. */
  readonly items: readonly string[]
}

interface Able {
  readonly check: string
  readonly deciding: readonly string[]
  readonly uses: readonly Use[]
}

/** Returns what of a request a site spells otherwise: names of fields, or an empty text. */
function changedIn(shape: Spellable, site: SpellingSite): readonly string[] {
  const found = respelled(shape, site)
  if (!found) return []
  if (!site.fields) return ['']
  const [written, changed] = [fieldsOf(shape), fieldsOf(found.request)]
  return site.fields.filter((field) => !isDeepStrictEqual(written[field], changed[field]))
}

function fieldsOf({ body }: Spellable): Readonly<Record<string, Json>> {
  const json = jsonOf(body ?? '')
  return isObject(json) ? json : {}
}

function ableOf(topic: Topic, check: Check, { sites, dialect, requirements }: Spreading): Able {
  const deciding = requirementsOf(check)
  const isOfForm = deciding.some((id) => forms.has(requirements.get(id)?.aspect))
  const decided = new Set(deciding.map((id) => requirements.get(id)?.field))
  const own = sites
    .filter(({ id }) => id.startsWith(`${topic.area}.`))
    .map((site) => (site.spelling === 'written-default' ? without(site, decided) : site))
  const direct = new Set<unknown>([...(check.given ?? []), check.when])
  // A refusal shows nothing of how the target reads a spelling. What prepares shared ground is sent as it is written.
  const shapes = sentBy(shareOf(topic, check, dialect)?.rest ?? check, dialect)
    .filter((exchange) => exchange !== check.when || !expectsRefusal(check))
    .map((exchange) => ({ exchange, shape: shapeOf(exchange, dialect.prefix) }))
    .map(({ exchange, shape }) => ({ shape, written: fieldsOf(shape), isSure: direct.has(exchange) }))
  const uses = own.flatMap((site): readonly Use[] => {
    const met = shapes.flatMap(({ shape, written, isSure }) =>
      changedIn(shape, site).map((field) => ({ field, isSure, isText: typeof written[field] === 'string' })),
    )
    const kind = met.some(({ isSure }) => isSure) ? '' : ' by code'
    const items = [...new Set(met.map(({ field }) => `${site.id} ${field}${kind}`))]
    const keepsForm = site.spelling === 'blanks' && met.every(({ isText }) => isText)
    const isBarred = isOfForm && site.fields !== undefined && !keepsForm && !deciding.includes(site.row)
    return items.length === 0 || isBarred ? [] : [{ site, items }]
  })
  return { check: addressOf(topic, check), deciding, uses }
}

/** A check that decides what a field does without being given sends it as it is written: a default that is written out
 * would hide another one. */
const without = (site: SpellingSite, decided: ReadonlySet<string | undefined>): SpellingSite => ({
  ...site,
  fields: (site.fields ?? []).filter((field) => !decided.has(field)),
})

/** At most so many checks use one spelling of one thing in one run. More would only be judged again as well, except that
 * each check that writes out defaults shows another field beside them. */
const mostUses = 16
/** So few may be all that can. */
const fewUses = 3

/** Counts how many checks can use an item, and how many do. */
class Counts {
  readonly #able = new Map<string, number>()
  readonly #used = new Map<string, number>()

  constructor(all: readonly Able[]) {
    for (const item of all.flatMap(({ uses }) => uses.flatMap(({ items }) => items))) add(this.#able, item)
  }

  use({ items }: Use): void {
    for (const item of items) add(this.#used, item)
  }

  /** Returns how often the item of a use was used that was used least, and how many checks can use it. Undefined if all
   * were used often enough, or by half of the checks: the others send it as it is written. */
  least({ site: { spelling }, items }: Use): { readonly used: number; readonly able: number } | undefined {
    const [least] = items
      .map((item) => ({ used: this.#used.get(item) ?? 0, able: this.#able.get(item) ?? 0 }))
      .filter(
        ({ used, able }) => (used < mostUses || spelling === 'written-default') && used < Math.max(fewUses, able / 2),
      )
      .toSorted((one, other) => one.used - other.used || one.able - other.able)
    return least
  }
}

const add = (counts: Map<string, number>, item: string): void => void counts.set(item, (counts.get(item) ?? 0) + 1)

/** Chooses for each endpoint that a check calls the spelling that the fewest checks use so far, and of those the one that
 * the fewest can use. A check that decides the requirement of a spelling uses it always, and no other. */
export function spreadOver(
  checks: readonly { readonly topic: Topic; readonly check: Check }[],
  { requirements, ...more }: Omit<Spreading, 'requirements'> & { readonly requirements: readonly Requirement[] },
  seed: number,
): Spread {
  if (more.sites.length === 0) return {}
  const spreading = { ...more, requirements: new Map(requirements.map((one) => [one.id, one])) }
  const all = checks.map(({ topic, check }) => ableOf(topic, check, spreading))
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
    const byEndpoint = Map.groupBy(uses, ({ site: { method, path } }) => `${method} ${path}`)
    return [...byEndpoint.values()].flatMap((among) => chosenIn(check, among))
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
  return Object.fromEntries(
    Object.entries(circumstances).map(([check, some]) => [check, [...(spread.get(check) ?? []), ...some]]),
  )
}
