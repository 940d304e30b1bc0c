/** A history is a folder with the compact result of each run. Users commit it, or store it as a CI artifact. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compactText, faultOfCompact } from '../compare/compact-text.ts'
import { readText, replaceFile } from '../safety/files.ts'
import { UsageError } from '../targets/usage-error.ts'
import { type CompactResult, sizeBounds } from '../vocabulary/index.ts'

/** An example is `2026-01-31T09-30-00Z-1a2b3c4d.json`. Sorted by name, the files are in the order of the runs. */
const name = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-z]+\.json$/

/** Reads the results in a folder, oldest first; ignores files with other names. Throws `UsageError` if a file has
 * the name of a result but is not a compact result. */
export const readHistory = (folder: string): readonly CompactResult[] =>
  readdirSync(folder)
    .filter((file) => name.test(file))
    .toSorted()
    .map((file) => readEntry(join(folder, file)))

function readEntry(file: string): CompactResult {
  const most = sizeBounds.resultFile.value
  const text = readText(file, { what: 'a compact result', most, mend: 'remove it from the history' })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not JSON: remove it from the history`)
  }
  const fault = faultOfCompact(json)
  if (fault) throw new UsageError(`${file} is not a compact result (${fault}): remove it from the history`)
  return json as CompactResult
}

/** Writes a result into the folder and returns the path of the new file. */
export function writeHistory(folder: string, result: CompactResult): string {
  const moment = result.run.startedAt.replace(/\.\d+Z$/, 'Z').replaceAll(':', '-')
  const file = join(folder, `${moment}-${result.run.id.replace(/\W/g, '')}.json`)
  replaceFile(file, compactText(result))
  return file
}
