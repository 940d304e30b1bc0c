/** The reports of a run or a merge, without any of an earlier one beside them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ResultDocument } from '../vocabulary/index.ts'
import type { Format } from './formats.ts'
import type { Terminal } from './terminal.ts'

/** Returns the paths; the result itself is always among them. */
export async function writeAnew(
  document: ResultDocument,
  formats: readonly Format[],
  folder: string,
  terminal: Terminal,
): Promise<readonly string[]> {
  const { removeStale, writeReports } = await import('../../reports/formats.ts')
  const wanted = [...new Set(['json', ...formats] as const)]
  const { removed, left } = await removeStale(folder, wanted)
  if (removed.length > 0)
    terminal.say(`removed from ${folder} what an earlier run had left: ${removed.join(', ')}; --format makes them anew`)
  for (const file of left) terminal.say(`${file} was there before and is no report of this run`)
  return writeReports(document, wanted, folder)
}

/** For a run that ends without a result. */
export function warnOfEarlier(folder: string, terminal: Terminal): void {
  if (existsSync(join(folder, 'result.json'))) terminal.say(`the reports in ${folder} are of an earlier run`)
}
