/** Stores rows as JSON, and in the table of README.md. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { suiteCommit } from '../../commands/version.ts'
import { parts, wholeBench } from './parts.ts'
import { cellsOf, columns, isMet, markdownTable, type Row } from './table.ts'

const page = join(import.meta.dirname, 'README.md')
const [begin, end] = ['<!-- rows: written by --readme -->\n', '<!-- end of rows -->\n']

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Writes the rows into a file, and returns its path. If `path` is a folder, the file in it is named after the
 * commit. */
export function keep(rows: readonly Row[], path: string): string {
  const commit = suiteCommit() ?? 'unknown'
  const file = isFolder(path) ? join(path, `${commit}.json`) : path
  const machine = { node: process.versions.node, cores: availableParallelism(), processor: cpus()[0]?.model ?? '' }
  const stored = rows.map((row) => ({ ...row, isMet: isMet(row) ?? null }))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    `${JSON.stringify({ commit, date: new Date().toISOString(), ...machine, rows: stored }, null, 2)}\n`,
  )
  return file
}

/** The names of all rows that the benchmark prints, in order. */
export const known: readonly string[] = [...parts.flatMap((part) => part.rows), wholeBench]

/** Returns the rows of the table in a page as cells, without its head. */
export function tableIn(text: string): readonly (readonly string[])[] {
  const table = text.slice(text.indexOf(begin) + begin.length, text.indexOf(end))
  const lines = table.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(1).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  )
}

/** Returns the page with these rows in its table. Rows that were not measured now are kept, unless the benchmark no
 * longer has them. */
export function withRows(text: string, rows: readonly Row[], when: string): string {
  if (!text.includes(begin) || !text.includes(end))
    throw new Error(`README.md lacks the comments around its table: add "${begin.trim()}" and "${end.trim()}"`)
  const lines = new Map(tableIn(text).map((cells) => [cells[0], cells]))
  for (const row of rows) if (row.ratio !== undefined) lines.set(row.what, [...cellsOf(row), when])
  const table = [
    [...columns, 'when'],
    ...known.flatMap((what) => [lines.get(what) ?? []].filter(({ length }) => length)),
  ]
  const [before] = text.split(begin)
  const [, after] = text.split(end)
  return `${before}${begin}\n${markdownTable(table)}\n\n${end}${after}`
}

/** Writes the rows into README.md, and returns its path. */
export function writeTable(rows: readonly Row[]): string {
  const when = `${new Date().toISOString().slice(0, 10)}, ${suiteCommit()?.slice(0, 7) ?? 'unknown'}`
  writeFileSync(page, withRows(readFileSync(page, 'utf8'), rows, when))
  return page
}
