/** Bundles the script of the report as a step of `npm run build`, because the package does not depend on the
 * bundler. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { builtScript, pageScript } from './page-script.ts'

writeFileSync(path.join(import.meta.dirname, '../../dist', builtScript), await pageScript())
