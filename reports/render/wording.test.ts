import { expect, it } from 'vitest'
import { reasonAndMend, sentence, sourceWords } from './wording.ts'

const source = { document: 2, section: 'States', row: 'row 3', reading: 23 } as const
it('the source of a requirement begins with the title of its document', () => {
  const documents = { 1: 'One', 2: 'Two', 3: 'Three' }
  expect(sourceWords(source, { documents })).toBe('Two, States, row 3, reading 23')
})

it('the source of a requirement in an older result, which has no titles, begins with the number', () => {
  expect(sourceWords(source, {})).toBe('Document 2, States, row 3, reading 23')
})

it.each([
  ['the token may not', 'The token may not'],
  ['node-local, it seems', 'Node-local, it seems'],
  ['sealed', 'Sealed'],
  ['policies/errors/a fails now', 'policies/errors/a fails now'],
  ['max_ttl: unknown', 'max_ttl: unknown'],
  ['127.0.0.1 is gone', '127.0.0.1 is gone'],
  ['`policy` is missing', '`policy` is missing'],
])('%s', (words, expected) => expect(sentence(words)).toBe(expected))

it.each([
  [{ reason: 'the target is sealed', mend: 'unseal it' }, 'The target is sealed. Unseal it.'],
  [{ reason: 'The connection was reset.' }, 'The connection was reset.'],
])('a reason and what helps are sentences: %j', (blocker, words) => expect(reasonAndMend(blocker)).toBe(words))
