/** The script of the HTML report: the modules in `page/`, bundled into one text. The package holds that text ready. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Where the package has the text, seen from its folder `dist`. */
export const builtScript = 'reports/render/page-script.txt'

const isCheckout = import.meta.filename.endsWith('.ts')
const root = path.resolve(import.meta.dirname, '../..')
/** A checkout keeps it from run to run: the bundler takes more time and memory than the rest of the page. */
const cache = path.join(root, 'node_modules/.cache/assay-page-script.json')

let bundled: Promise<string> | undefined

/** Bundles or reads it once in a process. Rejects if a module of the page cannot be bundled. */
export function pageScript(): Promise<string> {
  bundled ??= isCheckout ? kept() : readFile(path.join(import.meta.dirname, path.basename(builtScript)), 'utf8')
  return bundled
}

async function kept(): Promise<string> {
  const sources = await sourcesHash()
  try {
    const earlier = JSON.parse(await readFile(cache, 'utf8')) as { readonly sources: string; readonly script: string }
    if (earlier.sources === sources) return earlier.script
  } catch {
    // There is none yet.
  }
  const script = await bundle()
  await keep(JSON.stringify({ sources, script })).catch(() => {
    // A checkout that cannot be written to goes without.
  })
  return script
}

/** Of the modules beside this one, from which the page takes its own, and of the versions of what bundles them. */
async function sourcesHash(): Promise<string> {
  const folders = [import.meta.dirname, path.join(import.meta.dirname, 'page')]
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((name) => path.join(folder, name))),
  )
  const files = names.flat().filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const hash = createHash('sha256').update(await readFile(path.join(root, 'package.json')))
  for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(file))
  return hash.digest('hex')
}

/** Another process may do the same. */
async function keep(text: string): Promise<void> {
  const draft = `${cache}.${randomBytes(6).toString('hex')}.part`
  await mkdir(path.dirname(cache), { recursive: true })
  await writeFile(draft, text)
  await rename(draft, cache)
}

async function bundle(): Promise<string> {
  const { rolldown } = await import('rolldown')
  const input = path.join(import.meta.dirname, 'page/main.ts')
  await using build = await rolldown({ input, platform: 'browser', logLevel: 'warn' })
  const { output } = await build.generate({ format: 'iife', comments: false })
  const script = output[0].code
  if (/<\/script|<!--/i.test(script)) throw new Error('the script of the report holds a text that would end it')
  return script
}
