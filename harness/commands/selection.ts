/** Selects checks and loads only the areas that have some, since the suites of all areas take a second to load. */
import type { SelectedCheck } from '../select/select.ts'
import { UsageError } from '../targets/usage-error.ts'
import { type Area, addressOf, type LeftOut } from '../vocabulary/index.ts'
import { type Catalog, type Filter, loadCatalog, selectIn } from './catalog.ts'
import { loadOutline, type Outline } from './output/outline.ts'

export interface CatalogSelection {
  /** All requirements, and the paths of all areas. Topics and sites are those of the areas with selected checks. */
  readonly catalog: Catalog
  /** All checks of all areas. */
  readonly outline: Outline
  /** The selected checks in the order of the documents; never empty. */
  readonly selected: readonly SelectedCheck[]
  /** The checks that the filter excludes. */
  readonly leftOut: readonly LeftOut[]
  /** The areas that were requested by name. */
  readonly asked: readonly Area[]
}

/** Throws `UsageError` with the most similar names if a filter matches nothing. */
export async function selectChecks(filter: Filter): Promise<CatalogSelection> {
  const asked = [...new Set(filter.area)]
  if (asked.length === 0 && (filter.check ?? []).length === 0) {
    const catalog = await loadCatalog()
    return { catalog, outline: catalog, ...selectIn(catalog, filter), asked }
  }
  const outline = await loadOutline()
  const { selected, leftOut } = selectIn(outline, filter)
  const loaded = await loadCatalog([...new Set(selected.map(({ topic }) => topic.area))])
  const byAddress = new Map(
    loaded.topics.flatMap((one) => one.topic.checks.map((check) => [addressOf(one.topic, check), { ...one, check }])),
  )
  return {
    catalog: { ...loaded, requirements: outline.requirements, paths: outline.paths },
    outline,
    selected: selected.map(({ address, level }) => {
      const one = byAddress.get(address)
      if (!one) throw new UsageError(`this installation has no check ${address}, which it lists: install it again`)
      return { ...one, address, level }
    }),
    leftOut,
    asked,
  }
}
