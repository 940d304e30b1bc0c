/** Provides the script of the HTML report: the modules in `html/page/`, bundled into one text. The package contains that
 * text already bundled. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The path of the bundled text in the package, relative to its folder `dist`. */
export const builtScript = 'reports/render/page-script.txt'

const isCheckout = import.meta.filename.endsWith('.ts')
const root = path.resolve(import.meta.dirname, '../..')
/** In a checkout, the file that caches the text between runs: bundling takes more time and memory than the rest of the
 * page. */
const cache = path.join(root, 'node_modules/.cache/assay-page-script.json')

let bundled: Promise<string> | undefined

/** Returns the script, which is bundled or read once in a process. Rejects if a module of the page cannot be
 * bundled. */
export function pageScript(): Promise<string> {
  bundled ??= isCheckout ? cached() : readFile(path.join(import.meta.dirname, path.basename(builtScript)), 'utf8')
  return bundled
}

async function cached(): Promise<string> {
  const sources = await sourcesHash()
  try {
    const earlier = JSON.parse(await readFile(cache, 'utf8')) as { readonly sources: string; readonly script: string }
    if (earlier.sources === sources) return earlier.script
  } catch {
    // There is no cached script yet, or it cannot be read.
  }
  const script = await bundle()
  await writeCache(JSON.stringify({ sources, script })).catch(() => {
    // A checkout that cannot be written to works without a cache.
  })
  return script
}

/** Hashes the modules in this folder and in those of the page, and `package.json`, which pins the version of the bundler. */
async function sourcesHash(): Promise<string> {
  const folders = ['.', 'html', 'html/page'].map((folder) => path.join(import.meta.dirname, folder))
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((name) => path.join(folder, name))),
  )
  const files = names.flat().filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const hash = createHash('sha256').update(await readFile(path.join(root, 'package.json')))
  for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(file))
  return hash.digest('hex')
}

/** Writes the cache. The draft is renamed, because another process may write it at the same time. */
async function writeCache(text: string): Promise<void> {
  const draft = `${cache}.${randomBytes(6).toString('hex')}.part`
  await mkdir(path.dirname(cache), { recursive: true })
  await writeFile(draft, text)
  await rename(draft, cache)
}

async function bundle(): Promise<string> {
  const { rolldown } = await import('rolldown')
  const input = path.join(import.meta.dirname, 'html/page/main.ts')
  await using build = await rolldown({ input, platform: 'browser', logLevel: 'warn' })
  const { output } = await build.generate({ format: 'iife', comments: false })
  const script = output[0].code
  if (/<\/script|<!--/i.test(script))
    throw new Error('the script of the report contains `</script` or `<!--`, which would end it early in the page')
  return script
}
