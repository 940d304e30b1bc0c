import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { StepFailed } from '../vocabulary/index.ts'
import { type Appending, openForAppending } from './files.ts'
import type { JournalKey } from './journal-key.ts'
import { type Change, type JournalHead, type Line, lineText, type Undo, type Unnamed } from './journal-lines.ts'
import { type JournalTail, readJournal } from './journal-record.ts'

/** Returns a digest of a text that a target reported. The text itself may be a secret, and stays out of the journal. */
export const digestOf = (reported: string): string => createHash('sha256').update(reported).digest('hex').slice(0, 16)

/** Thrown if the journal cannot be written: the run makes nothing that it could not find again, and still takes back
 * what it made. */
export class JournalUnwritable extends StepFailed<'journal-unwritable'> {
  constructor(file: string, why: string) {
    super('journal-unwritable', { file, why })
  }
}

export interface Journal {
  /** Writes an undo before the request that makes the object is sent, and returns its id. Throws
   * `JournalUnwritable`. */
  intend(undo: Undo | Unnamed): number
  /** Names the object of an entry. Like `done`, it never throws because of the disk: what could not be written is in
   * `unsaved`. */
  resolve(id: number, undo: Undo): void
  done(id: number): void
  /** Returns the changes that could not be written since the last call. */
  unsaved(): readonly Change[]
  close(): void
}

export interface JournalOptions {
  /** Signs every line. Without a key the journal is not authentic. */
  readonly key?: JournalKey | undefined
  /** Returns false for a text that contains a secret; such an undo is not written. */
  readonly guard?: (text: string) => boolean
  /** Opens the file for appending. Throws the error of the operating system. */
  readonly open?: (file: string) => Appending
}

/** Opens a journal that appends JSON lines. Each is handed to the operating system before the call returns, so that it
 * outlives the process, however that ends. Callers pass no secrets, and `guard` refuses a line that contains one.
 * Opening never throws: if nothing can be written, the first `intend` throws. */
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

  /** Writes a change after the earlier ones that could not be written. */
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
    // The first `intend` tries again, and reports the error.
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
  if (!guard(JSON.stringify(undo))) throw new SecretInUndo()
}

/** An object is identified by a secret of the run, which cannot be written down to take the object back later. */
export class SecretInUndo extends Error {
  override readonly name = 'SecretInUndo'
  constructor() {
    super('an undo contains a secret: identify the object by its accessor or path instead')
  }
}

/** Wraps a journal that several sessions share, so that each session guards its own secrets. */
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

/** Returns a journal in memory, which serves the end of the run but does not outlive a crash. */
export function journalIn(changes: Change[]): Journal {
  let lastId = 0
  return {
    ...noJournal,
    intend(undo) {
      changes.push({ event: 'intend', id: ++lastId, undo })
      return lastId
    },
    resolve: (id, undo) => void changes.push({ event: 'resolve', id, undo }),
    done: (id) => void changes.push({ event: 'done', id }),
  }
}

/** A journal that writes nothing, for runs against an embedded reference server that is thrown away afterwards. */
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

/** Returns the tail of an existing journal, or undefined if the file is absent or empty. Throws if the file is not a
 * journal or is not signed with the key, so that nothing is appended to it. */
function earlier(file: string, key: JournalKey | undefined): JournalTail | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })?.size) return undefined
  const { isAuthentic, tail } = readJournal(file, key)
  if (key && !isAuthentic) throw new Error("the existing file is not signed with this user's key")
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
  { key, open = (name) => openForAppending(name, 'a journal') }: JournalOptions,
): Writer {
  mkdirSync(dirname(file), { recursive: true })
  const appending = open(file)
  const journal = before?.journal || randomBytes(16).toString('hex')
  let n = before?.lastNumber ?? 0
  // After an incomplete line, the next record begins on a new line, so that the incomplete one can be recognized.
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
