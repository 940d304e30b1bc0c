/** The reports of a run or a merge, without any of an earlier one beside them. */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Links } from '../../reports/formats.ts'
import type { ResultDocument } from '../vocabulary/index.ts'
import type { Format } from './formats.ts'
import type { Terminal } from './terminal.ts'

type Write = typeof import('../../reports/formats.ts').writeReports

/** Returns the paths; the result itself is always among them. A folder that became full or read-only since the run began
 * does not cost the verdict: the reports go to a temporary folder, and where even that fails, none are returned. */
export async function writeAnew(
  document: ResultDocument,
  formats: readonly Format[],
  folder: string,
  terminal: Terminal,
  { links = {}, write }: { readonly links?: Links; readonly write?: Write } = {},
): Promise<readonly string[]> {
  const { writeReports } = await import('../../reports/formats.ts')
  const { removeStale } = await import('../../reports/stale.ts')
  const wanted = [...new Set(['json', ...formats] as const)]
  try {
    const paths = await (write ?? writeReports)(document, wanted, folder, { links })
    const { removed, left } = await removeStale(folder, wanted)
    if (removed.length > 0)
      terminal.say(
        `removed from ${folder} what an earlier run had left: ${removed.join(', ')}; --format makes them anew`,
      )
    for (const file of left) terminal.say(`${file} was there before; it is not a report of this run`)
    return paths
  } catch (error) {
    terminal.say(`WARNING: the reports cannot be written to ${folder} (${systemWords(error)})`)
    warnOfEarlier(folder, terminal)
    return await writeElsewhere(document, wanted, terminal, links, write ?? writeReports)
  }
}

async function writeElsewhere(
  document: ResultDocument,
  formats: readonly Format[],
  terminal: Terminal,
  links: Links,
  write: Write,
): Promise<readonly string[]> {
  try {
    // Made with mode 0700.
    const folder = mkdtempSync(join(tmpdir(), 'assay-report-'))
    const paths = await write(document, formats, folder, { links })
    terminal.say(`WARNING: the reports of this run are in ${folder}`)
    return paths
  } catch (error) {
    terminal.say(`WARNING: nor can they be written below ${tmpdir()} (${systemWords(error)}): they are lost`)
    return []
  }
}

/** Returns why a file cannot be written; throws the error again where it is not one of the file system. */
export function systemWords(error: unknown): string {
  const { code, syscall, path } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) throw error
  return path === undefined ? code : `${code}, ${path}`
}

/** Warns when a run ends without a result of its own and the folder holds an earlier one. */
export function warnOfEarlier(folder: string, terminal: Terminal): void {
  if (existsSync(join(folder, 'result.json'))) terminal.say(`the reports in ${folder} are of an earlier run`)
}
