import { writeFileSync } from 'node:fs'
import type { ReferenceServer } from '../targets/mock.ts'
import { UsageError } from '../targets/usage-error.ts'

/** A profile by which `assay run` knows of a reference server what it is not shown: shapes, plugin files, the clock. The
 * token stays out of it. */
export const profileOf = (server: ReferenceServer): object => ({
  url: server.url,
  name: 'reference server',
  declared: { forms: server.forms },
  ...(server.controlUrl ? { control: server.controlUrl } : {}),
  ...(server.pluginFolder ? { pluginFiles: server.pluginFolder.files } : {}),
})

/** JSON is YAML, too. Throws `UsageError` where the file cannot be written. */
export function writeProfile(server: ReferenceServer, file: string): void {
  try {
    writeFileSync(file, `${JSON.stringify(profileOf(server), null, 2)}\n`)
  } catch (error) {
    throw new UsageError(
      `--write-profile ${file} cannot be written (${(error as NodeJS.ErrnoException).code}): mend the path`,
    )
  }
}
