import { expect, it } from 'vitest'
import { sentence, sourceWords } from './wording.ts'

const source = { document: 2, section: 'States', row: 'row 3', reading: 23 } as const
const register = { hash: '', requirements: [] }

it('a place is told by the title of its document', () => {
  const documents = { 1: 'One', 2: 'Two', 3: 'Three' }
  expect(sourceWords(source, { ...register, documents })).toBe('Two, States, row 3, reading 23')
})

it('of an older result, which has no titles, by its number', () => {
  expect(sourceWords(source, register)).toBe('Document 2, States, row 3, reading 23')
})

it.each([
  ['the token may not', 'The token may not'],
  ['node-local, it seems', 'Node-local, it seems'],
  ['sealed', 'Sealed'],
  ['policies/errors/a fails now', 'policies/errors/a fails now'],
  ['max_ttl: unknown', 'max_ttl: unknown'],
  ['127.0.0.1 is gone', '127.0.0.1 is gone'],
  ['`policy` is missing', '`policy` is missing'],
])('%s', (words, told) => expect(sentence(words)).toBe(told))
