/** Steps of `npm pack`: `place` gives the pages the links that they have in the package, and `restore` takes the pages of the
 * checkout back. Should packing be killed in between, `restore` does it later. */
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { withLinksOfPackage } from './page-links.ts'

const root = resolve(import.meta.dirname, '../..')
const kept = join(root, '.assay/pages')

/** What npm packs: it takes the first four without being asked. */
function packedFiles(): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly files: readonly string[]
  }
  const left = files.filter((one) => one.startsWith('!')).map((one) => one.slice(1))
  const taken = files.filter((one) => !one.startsWith('!')).flatMap((one) => [one, `${one}/**`])
  const all = globSync(['package.json', 'README.md', 'LICENSE', ...taken], { cwd: root })
  return all.filter((file) => !left.some((folder) => file === folder || file.startsWith(`${folder}/`)))
}

function restore(): void {
  if (!existsSync(kept)) return
  cpSync(kept, root, { recursive: true })
  rmSync(kept, { recursive: true })
}

function place(): void {
  const packed = packedFiles()
  for (const page of packed.filter((file) => file.endsWith('.md') && !file.startsWith('dist/'))) {
    const text = readFileSync(join(root, page), 'utf8')
    cpSync(join(root, page), join(kept, page))
    writeFileSync(join(root, page), withLinksOfPackage(page, text, packed))
  }
}

restore()
if (process.argv[2] === 'place') place()
