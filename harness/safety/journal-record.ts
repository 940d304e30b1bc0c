/** Reads a journal: its good lines are used and the bad ones are reported, whatever the file holds. */
import { lstatSync } from 'node:fs'
import { readText } from './files.ts'
import type { JournalKey } from './journal-key.ts'
import {
  type Change,
  isSigned,
  type JournalHead,
  type Numbered,
  parseLine,
  type Undo,
  type Unnamed,
} from './journal-lines.ts'

export type JournalEntry = { readonly id: number } & (Undo | Unnamed)

export interface JournalRecord {
  readonly head: JournalHead
  /** Everything that is not known to be taken back, in the order it was made. */
  readonly open: readonly JournalEntry[]
  /** Everything that the run intended to make, whether or not it was taken back. */
  readonly all: readonly JournalEntry[]
  /** True if this user's key signed all lines that are used. Otherwise anybody may have written the file. */
  readonly isAuthentic: boolean
  /** Descriptions of lines that are not used. */
  readonly bad: readonly string[]
  /** Descriptions of lines that are known to be missing. What they would have named is unknown. */
  readonly lost: readonly string[]
  /** What is needed to append to this journal. */
  readonly tail: JournalTail
}

export interface JournalTail {
  readonly journal: string
  readonly lastNumber: number
  readonly lastId: number
  /** True if the last line ends with a line break. */
  readonly isEnded: boolean
}

/** In bytes; far more than a run of every check on a slow server writes. */
export const largestJournal = 64 * 1024 * 1024
const mostLines = 1_000_000
const mostReported = 20

interface Read {
  readonly text: string
  /** The line number, counted from 1. */
  readonly at: number
  /** Undefined if the text is not a record of a journal. */
  readonly line: Numbered | undefined
}

/** Reads a journal; throws if the file is not a journal of a run. Without the key, or if the key signed none of its
 * `run` lines, every line that can be parsed is used and the journal is not authentic. */
export function readJournal(file: string, key?: JournalKey): JournalRecord {
  const text = contentOf(file)
  const lines = linesOf(text, file)
  const own = key && ownJournal(lines, key)
  const isAccepted = ({ text: signed, line }: Read) =>
    own === undefined ||
    (line !== undefined &&
      isSigned(signed, line, own, key as JournalKey) &&
      (line.event !== 'run' || line.journal === own))
  const { good, bad } = sorted(lines, isAccepted, own !== undefined)
  const heads = good.flatMap((line) => (line.event === 'run' ? [line] : []))
  const head = heads[0]
  if (!head) throw new Error(`${file} is not a journal of a run: no line of it names the run`)
  const changes = good.flatMap((line) => (line.event === 'run' ? [] : [line]))
  const isNumbered = good.every(({ n }) => n !== undefined)
  return {
    head: { url: head.url, runId: head.runId, ...(head.cluster ? { cluster: head.cluster } : {}) },
    ...entriesOf(changes),
    ...{ isAuthentic: own !== undefined, bad: some(bad), lost: some(isNumbered ? gapsIn(good) : bad) },
    tail: {
      ...{ journal: own ?? head.journal ?? '', isEnded: text === '' || text.endsWith('\n') },
      lastNumber: good.reduce((most, { n = 0 }) => Math.max(most, n), 0),
      lastId: changes.reduce((most, { id }) => Math.max(most, id), 0),
    },
  }
}

/** Splits the lines into those that are used and descriptions of the bad ones. Lines of an own journal are sorted by
 * number. */
function sorted(lines: readonly Read[], isAccepted: (read: Read) => boolean, isOwn: boolean) {
  const good: Numbered[] = []
  const bad: string[] = []
  for (const [index, read] of lines.entries()) {
    const { line, at } = read
    if (line && isAccepted(read)) good.push(line)
    else if (line) bad.push(`line ${at} is not signed as a line of this journal`)
    else if (!isTorn(lines, index)) bad.push(`line ${at} is not a record of a journal`)
  }
  if (!isOwn) return { good, bad }
  const isOrdered = good.every(({ n }, index) => index === 0 || (good[index - 1]?.n ?? 0) <= n)
  return { good: good.toSorted((a, b) => a.n - b.n), bad: isOrdered ? bad : [...bad, 'its lines are out of order'] }
}

function linesOf(text: string, file: string): readonly Read[] {
  const lines: Read[] = []
  let at = 0
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    if (++at > mostLines) throw new Error(`${file} has more lines than any journal (over ${mostLines})`)
    const content = text.slice(from, to)
    if (content !== '') lines.push({ text: content, at, line: parseLine(content) })
    from = to + 1
  }
  return lines
}

const some = (words: readonly string[]): readonly string[] =>
  words.length <= mostReported
    ? words
    : [...words.slice(0, mostReported), `and ${words.length - mostReported} more like these`]

const headStart = '{"n":1,"event":"run",'

/** Returns whether the run ended, or its disk was full, before the first line was complete, so that it made nothing. */
export const isBlank = (file: string): boolean =>
  linesOf(contentOf(file), file).every(
    ({ text, line }) => !line && (headStart.startsWith(text) || text.startsWith(headStart)),
  )

/** Returns what the journal of the current run holds, together with the changes that could not be written into it.
 * Never throws: what cannot be read is `lost`. */
export function journalSoFar(
  file: string | undefined,
  head: JournalHead,
  key: JournalKey | undefined,
  unsaved: readonly Change[],
): JournalRecord {
  const nothing: JournalRecord = {
    ...{ head, open: [], all: [], isAuthentic: false, bad: [], lost: [] },
    tail: { journal: '', lastNumber: 0, lastId: 0, isEnded: true },
  }
  if (file === undefined || !lstatSync(file, { throwIfNoEntry: false })) return withChanges(nothing, unsaved)
  try {
    if (isBlank(file)) return withChanges(nothing, unsaved)
    return withChanges(readJournal(file, key), unsaved)
  } catch (error) {
    return withChanges({ ...nothing, lost: [(error as Error).message] }, unsaved)
  }
}

/** Returns the record with these changes applied. */
export function withChanges(record: JournalRecord, changes: readonly Change[]): JournalRecord {
  const known: Change[] = record.all.map(({ id, ...undo }) => ({ event: 'intend', id, undo }))
  const open = new Set(record.open.map(({ id }) => id))
  const done: Change[] = record.all.filter(({ id }) => !open.has(id)).map(({ id }) => ({ event: 'done', id }))
  return { ...record, ...entriesOf([...known, ...done, ...changes]) }
}

function entriesOf(changes: readonly Change[]): Pick<JournalRecord, 'all' | 'open'> {
  const all = new Map<number, JournalEntry>()
  const done = new Set<number>()
  for (const change of changes) {
    if (change.event === 'done') done.add(change.id)
    else all.set(change.id, { id: change.id, ...change.undo })
  }
  return { all: [...all.values()], open: [...all.values()].filter(({ id }) => !done.has(id)) }
}

/** Returns the id of the journal from its first signed `run` line, or undefined if no such line is signed. */
function ownJournal(lines: readonly Read[], key: JournalKey): string | undefined {
  for (const { text, line } of lines)
    if (line?.event === 'run' && isSigned(text, line, undefined, key)) return line.journal
  return undefined
}

/** Returns whether a line may be incomplete because its process ended while writing it. This is possible at the end and
 * before a `run` line, where the journal was opened again; the request of such a line was never sent. */
const isTorn = (lines: readonly Read[], index: number): boolean => {
  const next = lines[index + 1]
  return next === undefined || next.line?.event === 'run'
}

/** Returns descriptions of the missing numbers. Each number is given once, so a missing one was in a line that is gone
 * or unreadable. */
function gapsIn(good: readonly Numbered[]): string[] {
  const gaps: string[] = []
  let last = 0
  for (const { n } of good) {
    if (n > last + 1)
      gaps.push(n === last + 2 ? `record ${last + 1} is missing` : `records ${last + 1} to ${n - 1} are missing`)
    last = Math.max(last, n)
  }
  return gaps
}

const contentOf = (file: string): string =>
  readText(file, { what: 'a journal', most: largestJournal, mend: 'move it away', own: true, mayBeEmpty: true })
