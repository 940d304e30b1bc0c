/** Steps of `npm pack`: `place` saves the pages of the checkout and changes their links to those of the package;
 * `restore` brings the saved pages back. If packing is killed in between, the next `restore` does that. */
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { withLinksOfPackage } from './page-links.ts'

const root = resolve(import.meta.dirname, '../../..')
const saved = join(root, '.assay/pages')

/** Returns the files that npm packs. It always includes package.json, the README and the license. */
function packedFiles(): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly files: readonly string[]
  }
  const excluded = files.filter((one) => one.startsWith('!')).map((one) => one.slice(1))
  const included = files.filter((one) => !one.startsWith('!')).flatMap((one) => [one, `${one}/**`])
  const all = globSync(['package.json', 'README.md', 'LICENSE', ...included], { cwd: root })
  return all.filter((file) => !excluded.some((folder) => file === folder || file.startsWith(`${folder}/`)))
}

function restore(): void {
  if (!existsSync(saved)) return
  cpSync(saved, root, { recursive: true })
  rmSync(saved, { recursive: true })
}

function placePackageLinks(): void {
  const packed = packedFiles()
  for (const page of packed.filter((file) => file.endsWith('.md') && !file.startsWith('dist/'))) {
    const text = readFileSync(join(root, page), 'utf8')
    cpSync(join(root, page), join(saved, page))
    writeFileSync(join(root, page), withLinksOfPackage(page, text, packed))
  }
}

restore()
if (process.argv[2] === 'place') placePackageLinks()
