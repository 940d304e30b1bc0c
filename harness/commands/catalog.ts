/** The catalog holds what there is to run: the topics and the register, loaded on first need so that `--help` stays
 * instant. */
import { isAbove, safetyOf } from '../run/applicability.ts'
import { didYouMean } from '../select/nearest.ts'
import { type SelectedCheck, select, type TopicFile } from '../select/select.ts'
import { UsageError } from '../targets/usage-error.ts'
import type { Area, Documents, LeftOut, Level, ListSite, Requirement, SafetyClass } from '../vocabulary/index.ts'

export interface Catalog {
  readonly topics: readonly TopicFile[]
  readonly requirements: readonly Requirement[]
  /** Lists in requests whose form the documents leave to the target. */
  readonly lists: readonly ListSite[]
  readonly documents: Documents
  /** Those that the documents state: `{pki}/roles/:name`. */
  readonly paths: readonly string[]
}

export interface CatalogSelection {
  readonly catalog: Catalog
  /** The checks in the order of the documents; never empty. */
  readonly selected: readonly SelectedCheck[]
  /** The filter leaves these checks out. */
  readonly leftOut: readonly LeftOut[]
  /** Areas asked for by name. */
  readonly asked: readonly Area[]
}

interface Filter {
  readonly area?: readonly Area[]
  readonly check?: readonly string[]
  readonly level: Level
}

export async function loadCatalog(): Promise<Catalog> {
  const { documents, lists, paths, requirements, topics } = await import('../../suites/index.ts')
  return { documents, lists, paths, requirements, topics }
}

/** Throws `UsageError`, with the nearest names, where a filter matches nothing. */
export async function selectChecks({ area = [], check = [], level }: Filter): Promise<CatalogSelection> {
  const catalog = await loadCatalog()
  const { checks, unmatched, leftOut } = select(catalog.topics, catalog.requirements, {
    areas: area,
    checks: check,
    level,
  })
  if (unmatched.length > 0) throw new UsageError(unmatched.map(({ word, nearest }) => missed(word, nearest)).join('\n'))
  if (checks.length === 0) throw new UsageError('no checks match the selection: see "assay list" for what there is')
  return { catalog, selected: checks, leftOut, asked: [...new Set(area)] }
}

/** Those that a ceiling admits. */
export const withinCeiling = (selected: readonly SelectedCheck[], ceiling: SafetyClass): readonly SelectedCheck[] =>
  selected.filter(({ topic, check }) => !isAbove(safetyOf(topic, check), ceiling))

const missed = (word: string, near: readonly string[]): string =>
  `"${word}" matches no check${didYouMean(near, ': see "assay list"')}`

/** The addresses that a glob means, or what is near where there are none. */
export function matchGlob(catalog: Catalog, glob: string): { addresses: readonly string[]; near: readonly string[] } {
  const { checks, unmatched } = select(catalog.topics, catalog.requirements, {
    areas: [],
    checks: [glob],
    level: 'info',
  })
  return { addresses: checks.map(({ address }) => address), near: unmatched.flatMap(({ nearest }) => nearest) }
}
