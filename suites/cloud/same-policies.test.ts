import { expect, test } from 'vitest'
import { allowing, conditional } from '../../fixtures/cloud/policies.ts'
import { sameMeaning } from './same-policies.ts'

const wanted = allowing('s3:GetObject')
const withMore = (...more: readonly object[]): string => {
  const { Statement, ...rest } = JSON.parse(wanted) as { Statement: object[] }
  return JSON.stringify({ ...rest, Statement: [...Statement, ...more] })
}
const denying = (Action: string, more: object = {}) => ({ Effect: 'Deny', Action, Resource: '*', ...more })
const overPlain = { Condition: { Bool: { 'aws:SecureTransport': 'false' } } }

test('documents mean the same in any order', () => {
  expect(sameMeaning([conditional('a'), wanted], [wanted, conditional('a')])).toBe(true)
  expect(sameMeaning([wanted], [conditional('a')])).toBe(false)
  expect(sameMeaning([], [wanted])).toBe(false)
  expect(sameMeaning(['{'], [wanted])).toBe(false)
})

test.each([
  ['denies another action', withMore(denying('iam:DeleteAccountAlias'))],
  ['denies what is wanted under a condition', withMore(denying('*', overPlain))],
  ['denies what is wanted of one resource', withMore({ ...denying('s3:*'), Resource: 'arn:aws:s3:::audit/*' })],
  ['denies all but what is wanted', withMore({ Effect: 'Deny', NotAction: ['s3:get*', 'sqs:*'], Resource: '*' })],
])('a further statement that %s is a restriction', (_, text) => {
  expect(sameMeaning([text], [wanted])).toBe(true)
})

test.each([
  ['allows more', withMore({ Effect: 'Allow', Action: 'iam:*', Resource: '*', ...overPlain })],
  ['denies what is wanted', withMore(denying('s3:Get*'))],
  ['denies everything', withMore(denying('*'))],
  ['denies all but something else', withMore({ Effect: 'Deny', NotAction: 'sqs:*', Resource: '*' })],
])('a further statement that %s is not a restriction', (_, text) => {
  expect(sameMeaning([text], [wanted])).toBe(false)
})

test('a wanted denial cannot be missing', () => {
  expect(sameMeaning([wanted], [withMore(denying('iam:*'))])).toBe(false)
})

test('a document of restrictions alone adds nothing to a user', () => {
  const restriction = JSON.stringify({ Version: '2012-10-17', Statement: denying('iam:*') })
  expect(sameMeaning([restriction], [])).toBe(true)
  expect(sameMeaning([restriction, wanted], [])).toBe(false)
})
