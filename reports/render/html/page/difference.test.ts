import { expect, it } from 'vitest'
import { differenceOf, type Line } from './difference.ts'

/** Returns an array of lines, with the marked parts in brackets. */
const shown = (lines: readonly Line[]): readonly string[] =>
  lines.map(({ pieces }) => pieces.map(({ text, isDifferent }) => (isDifferent ? `⟦${text}⟧` : text)).join(''))
const compared = (wanted: string, saw: string) => {
  const difference = differenceOf({ wanted, saw })
  return { wanted: shown(difference.wanted), saw: shown(difference.saw) }
}

it('marks each word that differs', () => {
  expect(compared('a lease of 60 seconds and 3 uses', 'a lease of 90 seconds and 5 uses')).toEqual({
    wanted: ['a lease of ⟦60⟧ seconds and ⟦3⟧ uses'],
    saw: ['a lease of ⟦90⟧ seconds and ⟦5⟧ uses'],
  })
})

it('marks nothing where nothing is alike', () => {
  expect(compared('4xx or 5xx', '204')).toEqual({ wanted: ['4xx or 5xx'], saw: ['204'] })
})

it('treats a throw-away name as one word', () => {
  expect(compared('["assay-1f-9-policy-more"]', '["assay-1f-9-policy","assay-1f-9-policy-more"]').saw).toEqual([
    '[',
    '  ⟦"assay-1f-9-policy"⟧,',
    '  "assay-1f-9-policy-more"',
    ']',
  ])
})

it('marks white space where nothing else differs', () => {
  expect(compared('one two three', 'one  two three').saw).toEqual(['one⟦  ⟧two three'])
})

it('lays out JSON, and keeps the words before it', () => {
  const fields = '"issuer":"Acme Ltd","period":30,"key_size":32'
  expect(compared(`as before: {${fields},"digits":8}`, `{${fields},"digits":5}`)).toEqual({
    wanted: ['as before: {', '  "issuer": "Acme Ltd",', '  "period": 30,', '  "key_size": 32,', '  "digits": ⟦8⟧', '}'],
    saw: ['{', '  "issuer": "Acme Ltd",', '  "period": 30,', '  "key_size": 32,', '  "digits": ⟦5⟧', '}'],
  })
})

it('numbers the lines of a text', () => {
  const { saw } = differenceOf({ wanted: 'one\ntwo\nthree\n', saw: 'one\nthree\n' })
  expect(saw.map(({ number }) => number)).toEqual([1, 2])
})

it('compares long texts by their beginning and end', () => {
  const text = (word: string) =>
    `same ${Array.from({ length: 3000 }, (_, at) => `${word}${at}`).join(' ')} ${'end '.repeat(9000)}`
  const { wanted } = compared(text('a'), text('b'))
  expect(wanted[0]).toMatch(/^same ⟦a0 .*a2999⟧ end/)
})
