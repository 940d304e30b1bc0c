import { expect, it } from 'vitest'
import { textsOf, withNames } from '../../names-in-words.ts'
import { namesIn } from './names.ts'

const names = { policy: 'assay-1f-9-policy', second: 'main = rule { false }', account: '367637806630' }

it('lists the names that words use, and those that were made up', () => {
  expect(namesIn(['`second` is a text'], names).map(([name]) => name)).toEqual(['policy', 'second'])
  expect(namesIn(['the account {account}'], names).map(([name]) => name)).toEqual(['policy', 'account'])
})

it('fills in the values that a reader can use, and no braces', () => {
  expect(withNames('POST `x/{policy}` of {account} with {second}', { ...names, second: 'x'.repeat(41) })).toBe(
    'POST `x/‹policy›` of 367637806630 with ‹second›',
  )
  expect(withNames('the secret {secretKey}', names)).toBe('the secret ‹secretKey›')
})

it('compares the texts that a mismatch refers to by name', () => {
  expect(textsOf({ wanted: 'the text `second`', saw: '"main = rule { true }"' }, names)).toEqual({
    wanted: 'main = rule { false }',
    saw: 'main = rule { true }',
  })
  expect(textsOf({ wanted: 'the text `second`', saw: 'absent' }, names).saw).toBe('absent')
  expect(textsOf({ wanted: 'the text `first`', saw: '"x"' }, names)).toEqual({ wanted: 'the text `first`', saw: '"x"' })
})
