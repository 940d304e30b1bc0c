/** Reading a journal: whatever else the file holds, its good lines are used and the others are named. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
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
  /** What is not known to be taken back, in the order it was made. */
  readonly open: readonly JournalEntry[]
  /** Everything that was intended. */
  readonly all: readonly JournalEntry[]
  /** This is true if this user's own key signed what is used of it. Else anybody may have written the file. */
  readonly isAuthentic: boolean
  /** Lines that are not used, in words. */
  readonly bad: readonly string[]
  /** Lines that are known to be missing, in words: what they named is not known. */
  readonly lost: readonly string[]
  /** For going on with it. */
  readonly tail: JournalTail
}

export interface JournalTail {
  readonly journal: string
  readonly lastNumber: number
  readonly lastId: number
  /** The last line has its end. */
  readonly isEnded: boolean
}

/** More than a run of every check on a slow server writes, by far. */
export const largestJournal = 64 * 1024 * 1024
const mostLines = 1_000_000
const mostTold = 20

interface Read {
  readonly text: string
  /** From 1. */
  readonly at: number
  /** Undefined where the text is not a record of any journal. */
  readonly line: Numbered | undefined
}

/** Throws where the file is not a journal of a run. Without the key, or where the key signed no head of it, every line that
 * can be read is used, and the journal is not authentic. */
export function readJournal(file: string, key?: JournalKey): JournalRecord {
  const text = contentOf(file)
  const lines = linesOf(text, file)
  const own = key && ownJournal(lines, key)
  const isOurs = ({ text: signed, line }: Read) =>
    own === undefined ||
    (line !== undefined &&
      isSigned(signed, line, own, key as JournalKey) &&
      (line.event !== 'run' || line.journal === own))
  const { good, bad } = sorted(lines, isOurs, own !== undefined)
  const heads = good.flatMap((line) => (line.event === 'run' ? [line] : []))
  const head = heads[0]
  if (!head) throw new Error(`${file} is not a journal of a run: it does not say which`)
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

/** Tells the lines that are used from the others, which are given in words. Lines of an own journal are numbered. */
function sorted(lines: readonly Read[], isOurs: (read: Read) => boolean, isOwn: boolean) {
  const good: Numbered[] = []
  const bad: string[] = []
  for (const [index, read] of lines.entries()) {
    const { line, at } = read
    if (line && isOurs(read)) good.push(line)
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
    const one = text.slice(from, to)
    if (one !== '') lines.push({ text: one, at, line: parseLine(one) })
    from = to + 1
  }
  return lines
}

const some = (words: readonly string[]): readonly string[] =>
  words.length <= mostTold ? words : [...words.slice(0, mostTold), `and ${words.length - mostTold} more like these`]

const headStart = '{"n":1,"event":"run",'

/** Tells whether a run ended, or its disk was full, before the first line was whole: then it made nothing. */
export const isBlank = (file: string): boolean =>
  linesOf(contentOf(file), file).every(
    ({ text, line }) => !line && (headStart.startsWith(text) || text.startsWith(headStart)),
  )

/** What the journal of a run that goes on says, and what could not be written into it any more. Never throws: what cannot
 * be read is `lost`. */
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

/** Returns what is known once these changes came to what a journal says. */
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

/** The id of the journal, as its first signed head says it; undefined where no head is signed. */
function ownJournal(lines: readonly Read[], key: JournalKey): string | undefined {
  for (const { text, line } of lines)
    if (line?.event === 'run' && isSigned(text, line, undefined, key)) return line.journal
  return undefined
}

/** A line can be torn where a process ended while writing it, so nothing was sent for it: at the end, or where the
 * journal was opened again. */
const isTorn = (lines: readonly Read[], index: number): boolean => {
  const next = lines[index + 1]
  return next === undefined || next.line?.event === 'run'
}

/** Every number is given once, so one that is missing stood in a line that is gone or cannot be read. */
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

/** A link, a pipe or a device may have been put in the place of a journal. */
function contentOf(file: string): string {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  let descriptor: number
  try {
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      code === 'ELOOP' ? `${file} is a symbolic link, not a journal` : `${file} cannot be read (${code ?? error})`,
    )
  }
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw new Error(`${file} is not a regular file`)
    if (stat.size > largestJournal)
      throw new Error(`${file} is larger than any journal (${stat.size} bytes; at most ${largestJournal})`)
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}
