/** Writes the reports of a run or a merge, and removes those of an earlier one. */
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Links } from '../../../reports/formats.ts'
import type { ResultDocument } from '../../vocabulary/index.ts'
import type { Format } from './formats.ts'
import type { Terminal } from './terminal.ts'

type Write = typeof import('../../../reports/formats.ts').writeReports

interface Writing {
  readonly links?: Links
  readonly write?: Write
  /** Called with the name of each report that is written. */
  readonly written?: (file: string) => void
  /** Called before a format that takes long. */
  readonly slowBegins?: (formats: readonly Format[]) => void
}

/** Allure comes last, because its report takes longer than all others together. */
const slow: ReadonlySet<Format> = new Set(['allure'])

/** Returns the paths; the result itself is always among them, and it is written first, because all other reports can be
 * made of it. If the folder became full or read-only during the run,
 * the run keeps its verdict: the reports go to a temporary folder, or, if that fails too, none are returned. */
export async function writeAnew(
  document: ResultDocument,
  formats: readonly Format[],
  folder: string,
  terminal: Terminal,
  { links = {}, write, written = () => {}, slowBegins = () => {} }: Writing = {},
): Promise<readonly string[]> {
  const { writeReports } = await import('../../../reports/formats.ts')
  const { removeStale } = await import('../../../reports/stale.ts')
  const all = new Set<Format>(['json', ...formats])
  const others = [...all].filter((format) => format !== 'json' && !slow.has(format))
  const parts = [['json' as const], others, [...all].filter((format) => slow.has(format))]
  const wanted = parts.flat()
  const [paths, failed]: [string[], Format[]] = [[], [...wanted]]
  try {
    for (const some of parts.filter(({ length }) => length > 0)) {
      if (some.some((format) => slow.has(format))) slowBegins(some)
      paths.push(...(await (write ?? writeReports)(document, some, folder, { links, written })))
      failed.splice(0, some.length)
    }
    const { removed, left } = await removeStale(folder, wanted)
    if (removed.length > 0)
      terminal.say(
        `removed reports of an earlier run from ${folder}: ${removed.join(', ')}; --format writes them again`,
      )
    for (const file of left) terminal.say(`${file} existed before; it is not a report of this run`)
    return paths
  } catch (error) {
    terminal.say(`WARNING: the reports cannot be written to ${folder} (${systemWords(error)})`)
    return [...paths, ...(await writeElsewhere(document, failed, terminal, links, write ?? writeReports))]
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
    // Creates the folder with mode 0700.
    const folder = mkdtempSync(join(tmpdir(), 'assay-report-'))
    const paths = await write(document, formats, folder, { links })
    terminal.say(`WARNING: the reports of this run are in ${folder}`)
    return paths
  } catch (error) {
    terminal.say(
      `WARNING: the reports cannot be written below ${tmpdir()} either (${systemWords(error)}): they are lost`,
    )
    return []
  }
}

/** Returns why a file cannot be written; rethrows an error that does not come from the file system. */
export function systemWords(error: unknown): string {
  const { code, syscall, path } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) throw error
  return path === undefined ? code : `${code}, ${path}`
}

/** Does something that writes a result into the folder. If it ends without one, warns of an earlier one there. A wrong
 * command line says only what is wrong with it. */
export async function tellingEarlier<Outcome>(
  folder: string,
  terminal: Pick<Terminal, 'say'>,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  const writtenAt = () => statSync(join(folder, 'result.json'), { throwIfNoEntry: false })?.mtimeMs
  const before = writtenAt()
  const outcome = await act()
  if (before !== undefined && writtenAt() === before) terminal.say(`the reports in ${folder} are from an earlier run`)
  return outcome
}
