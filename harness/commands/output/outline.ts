/** The outline: what commands show of the catalog without judging anything. It is plain data, so it can be cached. */
import type { Selected } from '../../select/select.ts'
import type { Touch } from '../../targets/touches.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { defined } from '../../vocabulary/defined.ts'
import {
  type Area,
  addressOf,
  type Check,
  type Dialect,
  type Documents,
  type Requirement,
  restingOf,
  type Topic,
} from '../../vocabulary/index.ts'
import { type Catalog, type Filter, loadCatalog, selectIn } from '../catalog.ts'
import { findKept, type KeptName, kept } from '../kept.ts'

export type OutlinedCheck = Pick<Check, 'id' | 'requirement' | 'applies' | 'needs' | 'safety' | 'mutants'> & {
  /** The checks that decide what this one builds on; absent if there are none. */
  readonly restsOn?: readonly string[]
}

export interface OutlinedTopic {
  readonly topic: Pick<Topic, 'id' | 'area' | 'kind' | 'safety'> & { readonly checks: readonly OutlinedCheck[] }
}

export type OutlinedSelection = Selected<OutlinedTopic>

export interface Outline {
  readonly topics: readonly OutlinedTopic[]
  readonly requirements: readonly Requirement[]
  readonly documents: Documents
  /** The paths that the documents state. */
  readonly paths: readonly string[]
}

/** A map whose keys are addresses of checks. */
type ByCheck<Value> = Readonly<Record<string, Value>>

export interface KnownMutant {
  readonly id: string
  readonly area: string
  readonly does: string
}

/** Returns the outline of these areas, or of all areas if none is given. */
export async function loadOutline(areas: readonly Area[] = []): Promise<Outline> {
  if (areas.length === 0) return kept('outline', async () => outlineOf(await loadCatalog()))
  const whole = await findKept<Outline>('outline')
  if (!whole) return outlineOf(await loadCatalog(areas))
  return {
    topics: whole.topics.filter(({ topic }) => areas.includes(topic.area)),
    requirements: whole.requirements.filter(({ area }) => areas.includes(area)),
    documents: whole.documents,
    paths: whole.paths,
  }
}

/** Selects only among the checks of the requested areas. Throws as `selectIn` does. */
export async function selectOutlined(filter: Filter) {
  const outline = await loadOutline(filter.area)
  return { outline, ...selectIn(outline, filter) }
}

const outlineOf = ({ topics, requirements, documents, paths }: Catalog): Outline => ({
  topics: topics.map(({ topic: { id, area, kind, safety, checks } }) => ({
    topic: { id, area, kind, safety, checks: checks.map(outlined) },
  })),
  requirements,
  documents,
  paths,
})

function outlined({ id, requirement, applies, needs, safety, mutants, given = [] }: Check): OutlinedCheck {
  const restsOn = restingOf(given.flatMap((step) => (step.kind === 'action' ? [step] : [])))
  return {
    ...{ id, requirement, mutants },
    ...defined({ applies, needs, safety }),
    ...(restsOn.length > 0 ? { restsOn } : {}),
  }
}

async function byCheck<Value>(
  areas: readonly Area[],
  describe: (topic: Topic, check: Check) => Value | undefined,
): Promise<ByCheck<Value>> {
  const { topics } = await loadCatalog(areas)
  return Object.fromEntries(
    topics.flatMap(({ topic }) =>
      topic.checks.flatMap((check) => {
        const value = describe(topic, check)
        return value === undefined ? [] : [[addressOf(topic, check), value]]
      }),
    ),
  )
}

/** Returns the values for these areas, and possibly for more. */
async function keptByCheck<Value>(
  name: 'places' | 'touches',
  areas: readonly Area[],
  loadDescribe: () => Promise<(topic: Topic, check: Check) => Value | undefined>,
): Promise<ByCheck<Value>> {
  const compute = async () => byCheck(areas, await loadDescribe())
  if (areas.length === 0) return kept(name, compute)
  return (await findKept<ByCheck<Value>>(name)) ?? (await compute())
}

/** Returns the file and line of each check. */
export const loadPlaces = (areas: readonly Area[] = []): Promise<ByCheck<string>> =>
  keptByCheck('places', areas, async () => {
    const { placeOfCall } = await import('../where/sources.ts')
    return (_, check) => placeOfCall(check.madeBy, check.id)
  })

/** The only dialect for which the requests of checks are cached. */
const keptDialect = 'vault'

interface Touches {
  /** Throws `UsageError` for an unknown check, because a plan without it would list too few rights. */
  of(address: string): readonly Touch[]
}

/** Returns what each check may send. */
export async function loadTouches(dialect: Dialect, areas: readonly Area[] = []): Promise<Touches> {
  const touches = await touchesByCheck(dialect, areas)
  return {
    of(address) {
      const own = touches[address]
      if (own) return own
      throw new UsageError(`this installation does not know what ${address} sends: install it again`)
    },
  }
}

async function touchesByCheck(dialect: Dialect, areas: readonly Area[] = []): Promise<ByCheck<readonly Touch[]>> {
  const loadDescribe = async () => {
    const { touchesOf } = await import('../../targets/touches.ts')
    return (topic: Topic, check: Check) => touchesOf(topic, check, dialect)
  }
  if (dialect.id === keptDialect) return keptByCheck('touches', areas, loadDescribe)
  return byCheck(areas, await loadDescribe())
}

/** Returns the mutants of the reference server. */
export const loadMutants = (): Promise<readonly KnownMutant[]> =>
  kept('mutants', async () => {
    const { knownMutants } = await import('../../targets/mock.ts')
    return (await knownMutants()).map(({ id, area, does }) => ({ id, area, does }))
  })

/** Returns the data that `npm run build` writes to files. */
export async function keptData(): Promise<Readonly<Record<KeptName, unknown>>> {
  const { loadDialect } = await import('../../targets/dialects/index.ts')
  return {
    outline: await loadOutline(),
    places: await loadPlaces(),
    touches: await touchesByCheck(loadDialect(keptDialect)),
    mutants: await loadMutants(),
  }
}
