/** Data that follow from the code alone, and take long to compute, are kept. In the package they are files that
 * `npm run build` wrote beside the code. In a checkout they are valid for as long as no file changes that was loaded to
 * compute them. They only show what there is: no verdict is made from them. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export type KeptName = 'outline' | 'places' | 'touches' | 'mutants'

const isBuilt = import.meta.url.endsWith('.js')

/** The package has its files in this folder, below that of the compiled code. */
export const builtFolder = 'kept'

/** Returns undefined where the data have to be computed. */
export async function findKept<Data>(name: KeptName): Promise<Data | undefined> {
  if (!isBuilt) return (await import('./kept/by-content.ts')).findByContent<Data>(name)
  const file = join(resolve(import.meta.dirname, '../..'), builtFolder, `${name}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Computes data of the whole catalog, unless they are kept. The data hold only what JSON can. */
export async function kept<Data>(name: KeptName, compute: () => Promise<Data>): Promise<Data> {
  const known = await findKept<Data>(name)
  if (known !== undefined) return known
  const data = await compute()
  if (!isBuilt) (await import('./kept/by-content.ts')).keepByContent(name, data)
  return data
}
