/** A step of `npm run build`: the package brings no bundler along, so it holds the script of the report ready. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { builtScript, pageScript } from './page-script.ts'

writeFileSync(path.join(import.meta.dirname, '../../dist', builtScript), await pageScript())
