import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openJournal, readJournal, type Undo } from './journal.ts'

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
  test('what was intended and not done is open, in order', () => {
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

  test('an object is named once the reply has named it', () => {
    const journal = openJournal(file, head)
    const id = journal.intend({ cluster: 'main', words: 'POST auth/token/create' })
    expect(readJournal(file).open).toEqual([{ id, cluster: 'main', words: 'POST auth/token/create' }])
    journal.resolve(id, undo('accessor'))
    journal.close()
    expect(readJournal(file).open).toEqual([{ id, ...undo('accessor') }])
  })

  test('a torn last line is no obstacle, nor is opening the journal again', () => {
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

  test('a line in the middle that is no record is named', () => {
    openJournal(file, head).close()
    appendFileSync(file, 'nonsense\n{"event":"done","id":1}\n')
    expect(() => readJournal(file)).toThrow(/line 2 is not one of its records/)
    writeFileSync(file, '')
    expect(() => readJournal(file)).toThrow(/does not say which/)
  })

  test('a line that would hold a secret is refused and not written', () => {
    const journal = openJournal(file, head, (text) => !text.includes('s3cret'))
    expect(() => journal.intend(undo('s3cret'))).toThrow(/names a secret/)
    journal.close()
    expect(readFileSync(file, 'utf8')).not.toContain('s3cret')
  })
})
