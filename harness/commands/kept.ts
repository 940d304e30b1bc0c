/** A cache for data that depend only on the code and take long to compute. In the package, they are files that `npm run
 * build` has written beside the code. In a checkout, they are valid until a file changes that was loaded to compute
 * them. They are displayed, and name the areas that a selection needs: no verdict depends on them. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export type KeptName = 'outline' | 'places' | 'touches' | 'mutants'

const isBuilt = import.meta.url.endsWith('.js')

/** The folder of these files in the package, below the folder of the compiled code. */
export const builtFolder = 'kept'

/** Returns undefined if the data have to be computed. */
export async function findKept<Data>(name: KeptName): Promise<Data | undefined> {
  if (!isBuilt) return (await import('./kept/by-content.ts')).findByContent<Data>(name)
  const file = join(resolve(import.meta.dirname, '../..'), builtFolder, `${name}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Returns data about the whole catalog, computed only if they are not cached. The data must survive JSON. */
export async function kept<Data>(name: KeptName, compute: () => Promise<Data>): Promise<Data> {
  const known = await findKept<Data>(name)
  if (known !== undefined) return known
  const data = await compute()
  if (!isBuilt) (await import('./kept/by-content.ts')).keepByContent(name, data)
  return data
}
