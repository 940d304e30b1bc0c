/** The catalog: the topics and the register, loaded on first use and by area, so that no command waits for more than it
 * needs. */
import { didYouMean } from '../select/nearest.ts'
import { isAbove, safetyOf } from '../select/safety-class.ts'
import { type Selectable, type Selected, select, type TopicFile } from '../select/select.ts'
import { UsageError } from '../targets/usage-error.ts'
import {
  type Area,
  advised,
  type Check,
  type Documents,
  type LeftOut,
  type Level,
  type ListSite,
  type Requirement,
  type SafetyClass,
  type SpellingSite,
  type Topic,
} from '../vocabulary/index.ts'

export interface Catalog {
  readonly topics: readonly TopicFile[]
  readonly requirements: readonly Requirement[]
  /** Lists in requests that a target may want as an array or as a string. */
  readonly lists: readonly ListSite[]
  /** Lists the sites at which requests can be spelled otherwise and mean the same. */
  readonly spellings: readonly SpellingSite[]
  readonly documents: Documents
  /** The paths that the documents state: `{pki}/roles/:name`. */
  readonly paths: readonly string[]
}

export interface Filter {
  readonly area?: readonly Area[]
  readonly check?: readonly string[]
  readonly level: Level
}

/** In the order in which reports show the areas. */
const suites: Readonly<Record<Area, () => Promise<{ readonly default: Omit<Catalog, 'documents'> }>>> = {
  policies: () => import('../../suites/areas/policies.ts'),
  pki: () => import('../../suites/areas/pki.ts'),
  'plugin-catalog': () => import('../../suites/areas/plugin-catalog.ts'),
  'mfa-legacy': () => import('../../suites/areas/mfa-legacy.ts'),
  'mfa-identity': () => import('../../suites/areas/mfa-identity.ts'),
  cloud: () => import('../../suites/areas/cloud.ts'),
  'dr-replication': () => import('../../suites/areas/dr-replication.ts'),
  'performance-replication': () => import('../../suites/areas/performance-replication.ts'),
}

/** Returns the catalog of these areas, or of all areas if none is given. */
export async function loadCatalog(areas: readonly Area[] = []): Promise<Catalog> {
  const { documents } = await import('../../suites/requirements/documents.ts')
  if (areas.length === 0) {
    const { lists, paths, requirements, spellings, topics } = await import('../../suites/index.ts')
    return { documents, lists, paths, requirements, spellings, topics }
  }
  const wanted = (Object.keys(suites) as Area[]).filter((area) => areas.includes(area))
  const loaded = await Promise.all(wanted.map(async (area) => (await suites[area]()).default))
  return {
    documents,
    topics: loaded.flatMap(({ topics }) => topics),
    requirements: loaded.flatMap(({ requirements }) => requirements),
    lists: loaded.flatMap(({ lists }) => lists),
    spellings: loaded.flatMap(({ spellings }) => spellings),
    paths: [...new Set(loaded.flatMap(({ paths }) => paths))],
  }
}

/** Selects checks in a catalog or in its outline. Throws `UsageError` with the most similar names if a filter matches
 * nothing. */
export function selectIn<One extends Selectable>(
  { topics, requirements }: { readonly topics: readonly One[]; readonly requirements: readonly Requirement[] },
  { area = [], check = [], level }: Filter,
): { readonly selected: readonly Selected<One>[]; readonly leftOut: readonly LeftOut[] } {
  const { checks, unmatched, leftOut } = select(topics, requirements, { areas: area, checks: check, level })
  if (unmatched.length > 0)
    throw new UsageError(unmatched.map(({ word, nearest }) => unmatchedMessage(word, nearest, area)).join('\n'))
  if (checks.length === 0) throw new UsageError(`no checks match the selection; "${advised.checks()}" shows all checks`)
  return { selected: checks, leftOut }
}

/** Returns the checks that a ceiling admits. */
export const withinCeiling = <
  One extends { readonly topic: Pick<Topic, 'safety'>; readonly check: Pick<Check, 'safety'> },
>(
  selected: readonly One[],
  ceiling: SafetyClass,
): readonly One[] => selected.filter(({ topic, check }) => !isAbove(safetyOf(topic, check), ceiling))

function unmatchedMessage(word: string, near: readonly string[], chosen: readonly Area[]): string {
  const own = (Object.keys(suites) as Area[]).find((area) => area === word.replace(/^!/, '').split('/')[0])
  if (own === undefined || chosen.length === 0 || chosen.includes(own))
    return `"${word}" matches no check${didYouMean(near, `: see "${advised.checks()}"`)}`
  return `"${word}" matches only checks of ${own}, which --area ${chosen.join(',')} leaves out: add --area ${own}, or leave --area out`
}

/** Returns the addresses that a glob matches, or similar addresses if it matches none. */
export function matchGlob(
  { topics, requirements }: { readonly topics: readonly Selectable[]; readonly requirements: readonly Requirement[] },
  glob: string,
): { addresses: readonly string[]; near: readonly string[] } {
  const { checks, unmatched } = select(topics, requirements, { areas: [], checks: [glob], level: 'info' })
  return { addresses: checks.map(({ address }) => address), near: unmatched.flatMap(({ nearest }) => nearest) }
}
