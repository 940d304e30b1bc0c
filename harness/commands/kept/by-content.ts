/** Caches data of a checkout with a digest of every file that was loaded to compute them. A different set of files can
 * only be loaded after one of these files has changed. The cache is in `node_modules`, where anyone who can write can
 * change the code anyway. */
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadedFiles } from '../../own-modules.ts'
import { packageRoot } from '../version.ts'

export interface Checkout {
  readonly root: string
  /** Absolute paths. Empty if the loaded files are not known; then nothing is cached. */
  readonly files: () => readonly string[]
  /** Milliseconds since the epoch. The version of a file that was loaded is unknown if the file changed after this
   * moment. */
  readonly since: number
  /** The digests of files that were read, because a command may look up several data that depend on the same files. */
  readonly digests: Map<string, string>
}

const own: Checkout = {
  root: packageRoot,
  files: () => loadedFiles().map((url) => fileURLToPath(url)),
  since: performance.timeOrigin,
  digests: new Map(),
}

interface Entry {
  readonly digest: string
  /** Paths relative to the root, so that a copy of the checkout checks its own files. */
  readonly files: readonly string[]
  readonly data: unknown
}

const folderOf = (root: string): string => join(root, 'node_modules/.cache/assay')

function digestOf({ root, digests }: Checkout, files: readonly string[]): string {
  const lines = files.map((name) => {
    const file = join(root, name)
    const digest = digests.get(file) ?? hash('sha256', readFileSync(file))
    digests.set(file, digest)
    return `${name} ${digest}`
  })
  return hash('sha256', [process.version, ...lines].join('\n'))
}

export function findByContent<Data>(name: string, checkout: Checkout = own): Data | undefined {
  if (checkout.files().length === 0) return undefined
  try {
    const entry: Entry = JSON.parse(readFileSync(join(folderOf(checkout.root), `${name}.json`), 'utf8'))
    return entry.files.length > 0 && entry.digest === digestOf(checkout, entry.files) ? (entry.data as Data) : undefined
  } catch {
    // The entry is missing or incomplete, or a file is gone: in each case the data are computed again.
    return undefined
  }
}

export function keepByContent(name: string, data: unknown, checkout: Checkout = own): void {
  const { root, since } = checkout
  const loaded = checkout.files()
  try {
    if (loaded.length === 0 || loaded.some((file) => statSync(file).mtimeMs >= since)) return
    const names = loaded.map((file) => relative(root, file)).sort()
    const entry: Entry = { digest: digestOf(checkout, names), files: names, data }
    mkdirSync(folderOf(root), { recursive: true })
    const place = join(folderOf(root), `${name}.json`)
    writeFileSync(`${place}.${process.pid}`, JSON.stringify(entry))
    renameSync(`${place}.${process.pid}`, place)
  } catch {
    // If the folder cannot be written to, the data are just computed again next time.
  }
}
