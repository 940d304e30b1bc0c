/** What was measured, for later: as JSON, and in the table of README.md. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { suiteCommit } from '../commands/version.ts'
import { parts, wholeBench } from './parts.ts'
import { cellsOf, columns, isMet, markdownTable, type Row } from './table.ts'

const page = join(import.meta.dirname, 'README.md')
const [begin, end] = ['<!-- rows: written by --readme -->\n', '<!-- end of rows -->\n']

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Returns the file. A folder keeps one for each commit. */
export function keep(rows: readonly Row[], path: string): string {
  const commit = suiteCommit() ?? 'unknown'
  const file = isFolder(path) ? join(path, `${commit}.json`) : path
  const machine = { node: process.versions.node, cores: availableParallelism(), processor: cpus()[0]?.model ?? '' }
  const kept = rows.map((row) => ({ ...row, isMet: isMet(row) ?? null }))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    `${JSON.stringify({ commit, date: new Date().toISOString(), ...machine, rows: kept }, null, 2)}\n`,
  )
  return file
}

/** Every row that the benchmark prints, in its order. */
export const known: readonly string[] = [...parts.flatMap((part) => part.rows), wholeBench]

/** The lines of the table that a page holds, cell by cell and without its head. */
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

/** The page with these rows. A row that was not measured now stays, unless the benchmark no longer prints it. */
export function withRows(text: string, rows: readonly Row[], when: string): string {
  if (!text.includes(begin) || !text.includes(end)) throw new Error('README.md has lost the marks around its table')
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

/** Returns the page. */
export function writeTable(rows: readonly Row[]): string {
  const when = `${new Date().toISOString().slice(0, 10)}, ${suiteCommit()?.slice(0, 7) ?? 'unknown'}`
  writeFileSync(page, withRows(readFileSync(page, 'utf8'), rows, when))
  return page
}
