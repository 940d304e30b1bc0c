/** Finds the journals in an output folder, and describes what `assay clean` would send for each. */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { JournalKey } from '../../safety/journal-key.ts'
import { isBlank, type JournalRecord, readJournal } from '../../safety/journal-record.ts'
import { acceptFor, type UndoTemplate } from '../../safety/undo-shapes.ts'
import { counted } from '../output/wording.ts'

export const journalFile = (folder: string, runId: string): string => join(folder, `journal-${runId}.jsonl`)

export const journalsIn = (folder: string): string[] =>
  globSync('journal-*.jsonl', { cwd: folder })
    .sort()
    .map((file) => join(folder, file))

export interface FoundJournal {
  readonly file: string
  readonly record: JournalRecord
}

export interface Journals {
  readonly found: readonly FoundJournal[]
  /** Messages about files that are named like journals but are not journals. */
  readonly unreadable: readonly string[]
  /** Journals of runs that were killed before they wrote a line. */
  readonly empty: readonly string[]
}

export function journalsOf(folder: string, key: JournalKey | undefined): Journals {
  const found: FoundJournal[] = []
  const unreadable: string[] = []
  const empty: string[] = []
  for (const file of journalsIn(folder)) {
    try {
      if (isBlank(file)) empty.push(file)
      else found.push({ file, record: readJournal(file, key) })
    } catch (error) {
      unreadable.push(error instanceof Error ? error.message : String(error))
    }
  }
  return { found, unreadable, empty }
}

const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

/** Describes in lines what a journal contains and which requests it would cause. */
export function described({ file, record }: FoundJournal, templates: readonly UndoTemplate[]): string[] {
  const { head, open, isAuthentic, bad, lost } = record
  const accept = acceptFor(templates, head.runId)
  const signature = isAuthentic ? 'signed by this user' : 'NOT signed by this user: anyone may have written it'
  return [
    `${shortened(basename(file))}: run ${head.runId} against ${shortened(head.url)}, ${counted(open.length, 'object')}; ${signature}`,
    ...[...bad, ...lost.filter((words) => !bad.includes(words))].map((words) => `  ${words}`),
    ...open.toReversed().map((entry) => {
      if (!('path' in entry))
        return `  anything named after the run, because the reply to ${shortened(entry.words)} never arrived`
      const { method, path, query, body, restoration } = entry
      const asked = `${method} ${path}${query ? `?${new URLSearchParams(query)}` : ''}${body === undefined ? '' : ` ${body}`}`
      const accepted = accept(entry)
      if ('refused' in accepted) return `  never sent: ${shortened(asked)}: ${accepted.refused}`
      return `  ${shortened(asked)}${restoration === undefined ? '' : ` (${shortened(restoration)} on ${shortened(entry.cluster)})`}`
    }),
  ]
}
