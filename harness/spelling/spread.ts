/** Spreads the spellings of requests over the checks, by the seed of the run: each check sends some of its requests so, and
 * all checks together use every spelling at every endpoint that they call often enough. */
import { createHash } from 'node:crypto'
import { sentBy } from '../targets/touches.ts'
import {
  addressOf,
  type Check,
  type Dialect,
  type Exchange,
  expectsRefusal,
  isObject,
  type Requirement,
  requirementsOf,
  type SpellingSite,
  type Topic,
} from '../vocabulary/index.ts'
import { respelled, type Spellable, type Spread } from './spellings.ts'

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

function ableOf(topic: Topic, check: Check, { sites, dialect, requirements }: Spreading): Able {
  const deciding = requirementsOf(check)
  const isOfForm = deciding.some((id) => forms.has(requirements.get(id)?.aspect))
  const own = sites.filter(
    ({ id, row, fields }) => id.startsWith(`${topic.area}.`) && (!fields || !isOfForm || deciding.includes(row)),
  )
  // A refusal shows nothing of how the target reads a spelling.
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
