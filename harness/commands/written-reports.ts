/** The reports of a run or a merge, without any of an earlier one beside them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../targets/usage-error.ts'
import type { ResultDocument } from '../vocabulary/index.ts'
import type { Format } from './formats.ts'
import { printOutcome } from './summary.ts'
import type { Terminal } from './terminal.ts'

interface Place {
  readonly folder: string
  /** How the outcome is printed. */
  readonly json: boolean
  readonly terminal: Terminal
}

/** Returns the paths; the result itself is always among them. */
export async function writeAnew(
  document: ResultDocument,
  formats: readonly Format[],
  { folder, json, terminal }: Place,
): Promise<readonly string[]> {
  const { removeStale, writeReports } = await import('../../reports/formats.ts')
  const wanted = [...new Set(['json', ...formats] as const)]
  const { removed, left } = await removeStale(folder, wanted)
  if (removed.length > 0)
    terminal.say(`removed from ${folder} what an earlier run had left: ${removed.join(', ')}; --format makes them anew`)
  for (const file of left) terminal.say(`${file} was there before and is no report of this run`)
  try {
    return await writeReports(document, wanted, folder)
  } catch (error) {
    const { code, syscall, path } = error as NodeJS.ErrnoException & { path?: string }
    if (code === undefined || syscall === undefined) throw error
    // What was found took its time: whoever sees this at the end of a run is told of it all the same.
    printOutcome(document, [], json, terminal)
    throw new UsageError(
      `the reports cannot be written to ${folder} (${code}${path ? `, ${path}` : ''}): make room there, and run again`,
    )
  }
}

/** For a run that ends without a result. */
export function warnOfEarlier(folder: string, terminal: Terminal): void {
  if (existsSync(join(folder, 'result.json'))) terminal.say(`the reports in ${folder} are of an earlier run`)
}
