import { execFileSync } from 'node:child_process'
import { createSecretKey, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Appending } from './files.ts'
import { JournalUnwritable, openJournal } from './journal.ts'
import { lineText, type Numbered, type Undo } from './journal-lines.ts'
import { journalSoFar, largestJournal, readJournal } from './journal-record.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-journal-'))
  file = join(folder, 'deep', 'journal.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const head = { url: 'http://target.invalid', runId: 'r1' }
const undo = (path: string): Undo => ({ cluster: 'main', method: 'DELETE', path, words: `POST ${path}` })

describe('journal', () => {
  test('entries that were intended and not done are open, in order', () => {
    const journal = openJournal(file, head)
    const ids = ['a', 'b', 'c'].map((path) => journal.intend(undo(path)))
    journal.done(ids[1] ?? 0)
    const record = readJournal(file)
    journal.close()
    expect(record.head).toEqual(head)
    expect(record.open).toEqual([
      { id: 1, ...undo('a') },
      { id: 3, ...undo('c') },
    ])
    expect(record.all).toHaveLength(3)
  })

  test('resolving an entry names its object', () => {
    const journal = openJournal(file, head)
    const id = journal.intend({ cluster: 'main', words: 'POST auth/token/create' })
    expect(readJournal(file).open).toEqual([{ id, cluster: 'main', words: 'POST auth/token/create' }])
    journal.resolve(id, undo('accessor'))
    journal.close()
    expect(readJournal(file).open).toEqual([{ id, ...undo('accessor') }])
  })

  test('an incomplete last line is ignored, and the journal can be opened again', () => {
    const journal = openJournal(file, head)
    journal.intend(undo('a'))
    journal.close()
    appendFileSync(file, '{"event":"intend","id":2,"un')
    expect(readJournal(file).open.map(({ id }) => id)).toEqual([1])
    const again = openJournal(file, head)
    expect(again.intend(undo('b'))).toBe(2)
    again.done(1)
    again.close()
    expect(readJournal(file).open).toEqual([{ id: 2, ...undo('b') }])
  })

  test('a line in the middle that is not a record is reported, and the others are used', () => {
    const journal = openJournal(file, head)
    journal.intend(undo('a'))
    appendFileSync(file, 'nonsense\n')
    journal.intend(undo('b'))
    journal.close()
    const { open, bad, lost } = readJournal(file)
    expect(open.map(({ id }) => id)).toEqual([1, 2])
    expect({ bad, lost }).toEqual({ bad: ['line 3 is not a record of a journal'], lost: [] })
    writeFileSync(file, '')
    expect(() => readJournal(file)).toThrow(/no line of it names the run/)
  })

  test('a line that would hold a secret is refused and not written', () => {
    const journal = openJournal(file, head, { guard: (text) => !text.includes('s3cret') })
    expect(() => journal.intend(undo('s3cret'))).toThrow(/contains a secret/)
    journal.close()
    expect(readFileSync(file, 'utf8')).not.toContain('s3cret')
  })
})

describe('a signed journal', () => {
  const key = createSecretKey(randomBytes(32))
  /** Writes a journal of three objects, the second of which is done. */
  function written(at = file, of = head): string[] {
    const journal = openJournal(at, of, { key })
    const ids = ['a', 'b', 'c'].map((path) => journal.intend(undo(path)))
    journal.done(ids[1] ?? 0)
    journal.close()
    return readFileSync(at, 'utf8').trimEnd().split('\n')
  }
  const rewritten = (lines: readonly string[]) => {
    writeFileSync(file, `${lines.join('\n')}\n`)
    return readJournal(file, key)
  }
  const paths = ({ open }: ReturnType<typeof readJournal>) => open.map((entry) => 'path' in entry && entry.path)

  test('is authentic only under its own key, also when it is opened again', () => {
    written()
    openJournal(file, head, { key }).close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const record = readJournal(file, key)
    expect(record).toMatchObject({ head, isAuthentic: true, bad: [], lost: [] })
    expect(paths(record)).toEqual(['a', 'c'])
    expect(readJournal(file).isAuthentic).toBe(false)
    expect(readJournal(file, createSecretKey(randomBytes(32))).isAuthentic).toBe(false)
  })

  test('that was written without the key is not authentic', () => {
    const journal = openJournal(file, head)
    journal.intend(undo('a'))
    journal.close()
    expect(readJournal(file, key)).toMatchObject({ isAuthentic: false, open: [undo('a')] })
  })

  test('reports a changed line, and uses the others', () => {
    const lines = written()
    lines[1] = lines[1]?.replace('"path":"a"', '"path":"sys/seal"') ?? ''
    const record = rewritten(lines)
    expect(paths(record)).toEqual(['c'])
    expect(record.bad).toEqual(['line 2 is not signed as a line of this journal'])
    expect(record.lost).toEqual(['record 2 is missing'])
  })

  test('reports a removed line', () => {
    const lines = written()
    expect(rewritten(lines.toSpliced(1, 1))).toMatchObject({ lost: ['record 2 is missing'], bad: [] })
    expect(rewritten(lines.toSpliced(1, 2)).lost).toEqual(['records 2 to 3 are missing'])
  })

  test('reports moved lines, and reads them in the order in which they were written', () => {
    const [first = '', ...others] = written()
    const record = rewritten([first, ...others.toReversed()])
    expect(paths(record)).toEqual(['a', 'c'])
    expect(record.bad).toEqual(['its lines are out of order'])
  })

  test('rejects lines of another journal and lines without a signature', () => {
    const other = written(join(folder, 'other.jsonl'), { ...head, runId: 'r2' })
    const planted = JSON.stringify({ n: 9, event: 'intend', id: 9, undo: undo('sys/seal') })
    const lines = written()
    const record = rewritten([...lines, other[1] ?? '', planted, other[0] ?? ''])
    expect(paths(record)).toEqual(['a', 'c'])
    expect(record.bad).toEqual([6, 7, 8].map((at) => `line ${at} is not signed as a line of this journal`))
    expect(record).toMatchObject({ head, lost: [] })
  })

  test('is never appended to a file that this user did not sign', () => {
    const planted = [
      { n: 1, event: 'run', journal: 'x', startedAt: '', ...head },
      { n: 2, event: 'intend', id: 1, undo: undo('sys/seal') },
    ]
    mkdirSync(dirname(file))
    writeFileSync(file, planted.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const before = readFileSync(file, 'utf8')
    const journal = openJournal(file, head, { key })
    expect(() => journal.intend(undo('a'))).toThrow(JournalUnwritable)
    journal.close()
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('of many lines is read quickly', () => {
    openJournal(file, head, { key }).close()
    const { journal } = readJournal(file, key).tail
    const of = (n: number) => ({
      n,
      ...(n % 2 ? { event: 'done' as const } : { event: 'intend' as const, undo: undo('a') }),
    })
    const lines = Array.from(
      { length: 100_000 },
      (_, at) => ({ ...of(at + 2), id: Math.ceil((at + 1) / 2) }) as Numbered,
    )
    appendFileSync(file, lines.map((line) => `${lineText(line, journal, key)}\n`).join(''))
    expect(readJournal(file, key)).toMatchObject({ isAuthentic: true, open: [], lost: [] })
  })
})

describe('a file that is not a valid journal', () => {
  beforeEach(() => mkdirSync(dirname(file)))
  test('is refused if it is a link', () => {
    const real = join(folder, 'real.jsonl')
    openJournal(real, head).close()
    symlinkSync(real, file)
    expect(() => readJournal(file)).toThrow(/is a symbolic link/)
    expect(() => openJournal(file, head).intend(undo('a'))).toThrow(/ELOOP|symbolic link/)
  })
  test('is refused if it is a pipe', () => {
    execFileSync('mkfifo', [file])
    expect(() => readJournal(file)).toThrow(/is a named pipe, not a journal/)
  })
  test('is refused if it is too large', () => {
    writeFileSync(file, '')
    truncateSync(file, largestJournal + 1)
    expect(() => readJournal(file)).toThrow(/has \d+ bytes, but a journal has at most/)
  })
  test.each([
    ['nested too deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    [
      'a line that is too long',
      JSON.stringify({ event: 'intend', id: 1, undo: { ...undo('a'), words: 'x'.repeat(70_000) } }),
    ],
    ['a path that is not a text', JSON.stringify({ event: 'intend', id: 1, undo: { ...undo('a'), path: ['a'] } })],
    ['a query of objects', JSON.stringify({ event: 'intend', id: 1, undo: { ...undo('a'), query: { a: {} } } })],
  ])('has its bad line reported: %s', (_, line) => {
    openJournal(file, head).close()
    appendFileSync(file, `${line}\n{"event":"done","id":7}\n`)
    expect(readJournal(file)).toMatchObject({ open: [], bad: ['line 2 is not a record of a journal'] })
  })
  test('is refused if the id of its run is invalid', () => {
    writeFileSync(file, `${JSON.stringify({ event: 'run', url: 'http://x', runId: '../x' })}\n`)
    expect(() => readJournal(file)).toThrow(/no line of it names the run/)
  })
})

describe('a disk that is full', () => {
  /** Accepts `room` characters, which a test may change later. */
  function disk(state: { room: number }) {
    return (at: string): Appending => ({
      append(text) {
        const part = text.slice(0, state.room)
        appendFileSync(at, part)
        state.room -= part.length
        if (part !== text) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      },
      close: () => {},
    })
  }

  test('stops requests that would make something, and no undo', () => {
    const state = { room: 100_000 }
    const journal = openJournal(file, head, { open: disk(state) })
    const first = journal.intend(undo('a'))
    const second = journal.intend({ cluster: 'main', words: 'POST token' })
    state.room = 20
    expect(() => journal.intend(undo('b'))).toThrow(/cannot be written \(ENOSPC\), so the run creates nothing more/)
    journal.resolve(second, undo('accessor'))
    journal.done(first)
    expect(readJournal(file).open).toHaveLength(2)
    const unsaved = journal.unsaved()
    expect(journal.unsaved()).toEqual([])
    const { open } = journalSoFar(file, head, undefined, unsaved)
    expect(open).toEqual([{ id: second, ...undo('accessor') }])
    journal.close()
  })

  test('leaves a journal that can be continued once there is space', () => {
    const state = { room: 100_000 }
    const journal = openJournal(file, head, { open: disk(state) })
    const first = journal.intend(undo('a'))
    state.room = 20
    expect(() => journal.intend(undo('b'))).toThrow(JournalUnwritable)
    journal.done(first)
    state.room = 100_000
    expect(journal.intend(undo('c'))).toBe(2)
    journal.close()
    const record = readJournal(file)
    expect(record.open).toEqual([{ id: 2, ...undo('c') }])
    expect(record).toMatchObject({ lost: [], bad: ['line 3 is not a record of a journal'] })
  })

  test('from the first line on is reported by the first intend', () => {
    const state = { room: 5 }
    const journal = openJournal(file, head, { open: disk(state) })
    expect(() => journal.intend(undo('a'))).toThrow(JournalUnwritable)
    state.room = 25
    expect(() => journal.intend(undo('a'))).toThrow(JournalUnwritable)
    expect(journalSoFar(file, head, undefined, [])).toMatchObject({ all: [], lost: [] })
    state.room = 100_000
    expect(journal.intend(undo('a'))).toBe(1)
    journal.close()
    expect(readJournal(file)).toMatchObject({ head, open: [undo('a')] })
  })

  test('keeps the unsaved changes if the journal cannot be read', () => {
    const { open, lost } = journalSoFar(folder, head, undefined, [{ event: 'intend', id: 1, undo: undo('a') }])
    expect({ open, lost }).toEqual({
      open: [{ id: 1, ...undo('a') }],
      lost: [`${folder} is a folder, not a journal: move it away`],
    })
  })
})
