import { createHash, randomBytes } from 'node:crypto'
import { closeSync, constants, lstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { StepFailed } from '../vocabulary/index.ts'
import type { JournalKey } from './journal-key.ts'
import { type Change, type JournalHead, type Line, lineText, type Undo, type Unnamed } from './journal-lines.ts'
import { type JournalTail, readJournal } from './journal-record.ts'

/** What a target reports may be anything, a secret too, and stays out of the journal. */
export const digestOf = (reported: string): string => createHash('sha256').update(reported).digest('hex').slice(0, 16)

/** Nothing is made that could not be found again. What is already made is taken back all the same. */
export class JournalUnwritable extends StepFailed<'journal-unwritable'> {
  constructor(file: string, why: string) {
    super('journal-unwritable', { file, why })
  }
}

export interface Journal {
  /** Written before the exchange that makes the object is sent. Throws `JournalUnwritable`. */
  intend(undo: Undo | Unnamed): number
  /** These two never throw because of the disk: what could not be written is in `unsaved`. */
  resolve(id: number, undo: Undo): void
  done(id: number): void
  /** Returns what was to be written since the last call and could not be. */
  unsaved(): readonly Change[]
  close(): void
}

export interface JournalOptions {
  /** Signs every line; without it the journal is not authentic. */
  readonly key?: JournalKey | undefined
  /** Refuses a text that holds a secret. */
  readonly guard?: (text: string) => boolean
  /** Opens the file for appending; throws as the operating system does. */
  readonly open?: (file: string) => Appending
}

export interface Appending {
  append(text: string): void
  close(): void
}

/** Appends JSON lines, each handed to the operating system before the call returns: they outlive the process, however
 * it ends. Holds no secret: the caller gives none, and `guard` refuses a line that has one. Never throws itself: where
 * nothing can be written, the first `intend` says so. */
export function openJournal(file: string, head: JournalHead, options: JournalOptions = {}): Journal {
  const { key, guard = () => true } = options
  let writer: Writer | undefined
  let isHeaded = false
  let lastId = 0
  let waiting: Change[] = []

  function opened(): Writer {
    if (!writer) {
      const before = earlier(file, key)
      writer = startWriting(file, before, options)
      lastId = Math.max(lastId, before?.lastId ?? 0)
    }
    if (!isHeaded)
      writer.write({ event: 'run', journal: writer.journal, ...headOf(head), startedAt: new Date().toISOString() })
    isHeaded = true
    return writer
  }

  /** What could not be written before goes first. */
  function write(change: () => Change): Change {
    const to = opened()
    while (waiting[0]) {
      to.write(waiting[0])
      waiting.shift()
    }
    const made = change()
    to.write(made)
    return made
  }

  function note(change: Change): void {
    try {
      write(() => change)
    } catch {
      waiting.push(change)
    }
  }

  try {
    opened()
  } catch {
    // Tried again, and reported, when there is something to write.
  }
  return {
    intend(undo) {
      assertNoSecret(undo, guard)
      try {
        const { id } = write(() => ({ event: 'intend', id: lastId + 1, undo }))
        lastId = id
        return id
      } catch (error) {
        throw new JournalUnwritable(file, (error as NodeJS.ErrnoException).code ?? (error as Error).message)
      }
    },
    resolve(id, undo) {
      assertNoSecret(undo, guard)
      note({ event: 'resolve', id, undo })
    },
    done: (id) => note({ event: 'done', id }),
    unsaved() {
      const given = waiting
      waiting = []
      return given
    },
    close() {
      writer?.close()
      writer = undefined
    },
  }
}

function assertNoSecret(undo: Undo | Unnamed, guard: (text: string) => boolean): void {
  if (!guard(JSON.stringify(undo)))
    throw new Error('an undo names a secret: name the object by its accessor or path instead')
}

/** The same journal for one of several sessions, each of which knows secrets of its own. */
export const guarded = (journal: Journal, guard: (text: string) => boolean): Journal => ({
  ...journal,
  intend(undo) {
    assertNoSecret(undo, guard)
    return journal.intend(undo)
  },
  resolve(id, undo) {
    assertNoSecret(undo, guard)
    journal.resolve(id, undo)
  },
})

/** A journal for runs that keep none: a reference server of one's own that is thrown away afterwards. */
export const noJournal: Journal = {
  intend: () => 0,
  resolve: () => {},
  done: () => {},
  unsaved: () => [],
  close: () => {},
}

const headOf = ({ url, runId, cluster }: JournalHead): JournalHead => ({
  ...{ url, runId },
  ...(cluster ? { cluster } : {}),
})

/** Undefined where nothing was written yet. Nothing of ours is written into a file that we did not begin. */
function earlier(file: string, key: JournalKey | undefined): JournalTail | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })?.size) return undefined
  const { isAuthentic, tail } = readJournal(file, key)
  if (key && !isAuthentic) throw new Error('it was not begun by this user')
  return tail
}

interface Writer {
  readonly journal: string
  write(line: Line): void
  close(): void
}

function startWriting(
  file: string,
  before: JournalTail | undefined,
  { key, open = openForAppending }: JournalOptions,
): Writer {
  mkdirSync(dirname(file), { recursive: true })
  const appending = open(file)
  const journal = before?.journal || randomBytes(16).toString('hex')
  let n = before?.lastNumber ?? 0
  // A torn line stays readable as one: the next record begins on a line of its own.
  let isEnded = before?.isEnded ?? true
  return {
    journal,
    write(line) {
      const text = `${isEnded ? '' : '\n'}${lineText({ n: n + 1, ...line }, journal, key)}\n`
      isEnded = false
      appending.append(text)
      isEnded = true
      n += 1
    },
    close: () => appending.close(),
  }
}

function openForAppending(file: string): Appending {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const descriptor = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  return {
    append(text) {
      // A disk that fills up takes a part first, and says so at the next call.
      for (let bytes = Buffer.from(text); bytes.length > 0; ) bytes = bytes.subarray(writeSync(descriptor, bytes))
    },
    close: () => closeSync(descriptor),
  }
}
