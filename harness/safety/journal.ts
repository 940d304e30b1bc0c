import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** What takes one object back. Always asked with the operator's token. */
export interface Undo {
  readonly cluster: string
  readonly method: string
  /** Below the dialect's prefix, escapes and all. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string
  /** What was made: `POST sys/policies/acl/assay-…`. */
  readonly words: string
  /** The restoration of the dialect that does it, and the URL of the cluster: a profile may name another so by then. */
  readonly restoration?: string
  readonly url?: string
  /** Every exchange that would have made it was refused: what is there all the same may be somebody else's. */
  readonly refused?: boolean
}

/** An object that only the reply names (a token, by its accessor). Until `resolve`, only the run's name leads to it. */
export interface Unnamed {
  readonly cluster: string
  readonly words: string
}

/** What a target tells may be anything, a secret too, and stays out of the journal. */
export const digestOf = (told: string): string => createHash('sha256').update(told).digest('hex').slice(0, 16)

export interface JournalHead {
  readonly url: string
  readonly runId: string
  /** `digestOf` the id of the cluster: another one at the same address knows nothing of what was made. Absent where the
   * target told none. */
  readonly cluster?: string
}

export type JournalEntry = { readonly id: number } & (Undo | Unnamed)

export interface Journal {
  /** Written before the exchange that makes the object is sent. */
  intend(undo: Undo | Unnamed): number
  resolve(id: number, undo: Undo): void
  done(id: number): void
  close(): void
}

type Line =
  | ({ readonly event: 'run'; readonly startedAt: string } & JournalHead)
  | { readonly event: 'intend'; readonly id: number; readonly undo: Undo | Unnamed }
  | { readonly event: 'resolve'; readonly id: number; readonly undo: Undo }
  | { readonly event: 'done'; readonly id: number }

/** Appends JSON lines, each handed to the operating system before the call returns: they outlive the process, however
 * it ends. Holds no secret: the caller gives none, and `guard` refuses a line that has one. */
export function openJournal(file: string, head: JournalHead, guard: (text: string) => boolean = () => true): Journal {
  mkdirSync(dirname(file), { recursive: true })
  const descriptor = openSync(file, 'a', 0o600)
  const earlier = readFileSync(file, 'utf8')
  // A torn last line stays readable as one: the next record begins on a line of its own.
  if (earlier !== '' && !earlier.endsWith('\n')) writeSync(descriptor, '\n')
  const write = (line: Line) => {
    const text = JSON.stringify(line)
    // What is done is told by its number alone.
    if (line.event !== 'done' && !guard(text))
      throw new Error('an undo names a secret: name the object by its accessor or path instead')
    writeSync(descriptor, `${text}\n`)
  }
  let last = earlier === '' ? 0 : Math.max(0, ...readJournal(file).all.map(({ id }) => id))
  const { url, runId, cluster } = head
  write({ event: 'run', url, runId, ...(cluster ? { cluster } : {}), startedAt: new Date().toISOString() })
  return {
    intend(undo) {
      last += 1
      write({ event: 'intend', id: last, undo })
      return last
    },
    resolve: (id, undo) => write({ event: 'resolve', id, undo }),
    done: (id) => write({ event: 'done', id }),
    close: () => closeSync(descriptor),
  }
}

/** A journal for runs that keep none: a reference server of one's own that is thrown away afterwards. */
export const noJournal: Journal = { intend: () => 0, resolve: () => {}, done: () => {}, close: () => {} }

export interface JournalRecord {
  readonly head: JournalHead
  /** What is not known to be taken back, in the order it was made. */
  readonly open: readonly JournalEntry[]
  /** Everything that was intended. */
  readonly all: readonly JournalEntry[]
}

/** Reads a journal, also one whose last line is torn. Throws where the file is no journal. */
export function readJournal(file: string): JournalRecord {
  const lines = readFileSync(file, 'utf8').split('\n')
  let head: JournalHead | undefined
  const all = new Map<number, JournalEntry>()
  const done = new Set<number>()
  for (const [index, text] of lines.entries()) {
    if (text === '') continue
    const line = parse(text)
    // A line can be torn where a process ended while writing it, so nothing was sent for it: at the end, or where the
    // journal was opened again.
    if (!line && isTorn(lines, index)) continue
    if (!line) throw new Error(`${file} is no journal of a run: line ${index + 1} is not one of its records`)
    if (line.event === 'run') head = headOf(line)
    else if (line.event === 'done') done.add(line.id)
    else all.set(line.id, { id: line.id, ...line.undo })
  }
  if (!head) throw new Error(`${file} is no journal of a run: it does not say which`)
  return { head, all: [...all.values()], open: [...all.values()].filter((entry) => !done.has(entry.id)) }
}

const headOf = ({ url, runId, cluster }: JournalHead): JournalHead => ({
  ...{ url, runId },
  ...(cluster ? { cluster } : {}),
})

const isTorn = (lines: readonly string[], index: number): boolean => {
  const next = lines.slice(index + 1).find((text) => text !== '')
  return next === undefined || parse(next)?.event === 'run'
}

function parse(text: string): Line | undefined {
  try {
    const value = JSON.parse(text) as { event?: unknown }
    return ['run', 'intend', 'resolve', 'done'].some((event) => event === value?.event) ? (value as Line) : undefined
  } catch {
    return undefined
  }
}
