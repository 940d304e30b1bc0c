/** Reads the table of what published products do otherwise than the documents say, and finds the entry of a cause. */
import { join } from 'node:path'
import { readYaml } from '../../profile/yaml-file.ts'
import type { Cause } from '../../vocabulary/index.ts'

export const folder = join(import.meta.dirname, '../../../reports/published')

export interface Deviation {
  readonly id: string
  /** Names of products, such as `vault` or `vault-1.7`. Absent if the words fit every product. */
  readonly of?: readonly string[]
  /** The statements that are contradicted. */
  readonly statements: readonly string[]
  /** A sentence that says what the product does. */
  readonly does: string
  /** Who would notice first. */
  readonly to: 'operators' | 'clients' | 'auditors'
  /** A sentence that says for whom the difference matters, and when. */
  readonly matters: string
  /** A `bug` is reported to the project of the product. `disputable` says why the product may be right. */
  readonly sort: 'bug' | 'design' | 'disputable'
  readonly dispute?: string
}

export const readDeviations = (): readonly Deviation[] =>
  readYaml(join(folder, 'deviations.yaml'), {}).value as readonly Deviation[]

/** Returns the entry for the first statement of a cause that has one at a product, such as `openbao-2.6`. The entry for
 * the version precedes the one for the product, and that precedes the one for all. */
export function deviationOf(
  { requirements = [] }: Pick<Cause, 'requirements'>,
  product: string,
  table: readonly Deviation[],
): Deviation | undefined {
  const [name] = product.split('-')
  const isFor = ({ of }: Deviation, wanted: string | undefined): boolean =>
    wanted === undefined ? of === undefined : of?.includes(wanted) === true
  return requirements
    .flatMap((one) => [product, name, undefined].map((wanted) => [one, wanted] as const))
    .map(([one, wanted]) => table.find((entry) => entry.statements.includes(one) && isFor(entry, wanted)))
    .find((entry) => entry !== undefined)
}
