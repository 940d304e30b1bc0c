/** Writes the data of the catalog into the folder of the compiled code, so that `list` and `plan` do not have to
 * load the suites. It is a step of `npm run build`. The folder is `dist`, or the one in the first argument. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [built = resolve(import.meta.dirname, '../../../dist')] = process.argv.slice(2)
const load = (file: string) => import(pathToFileURL(join(built, 'harness/commands', file)).href)

const { builtFolder }: typeof import('../../commands/kept.ts') = await load('kept.js')
const folder = join(built, builtFolder)
rmSync(folder, { recursive: true, force: true })
const { keptData }: typeof import('../../commands/output/outline.ts') = await load('output/outline.js')
const data = await keptData()
mkdirSync(folder)
for (const [name, value] of Object.entries(data)) writeFileSync(join(folder, `${name}.json`), JSON.stringify(value))
