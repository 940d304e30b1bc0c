import { expect, test } from 'vitest'
import { allowing, conditional } from '../../fixtures/cloud/policies.ts'
import { covers, sameMeaning } from './same-policies.ts'

const wanted = allowing('s3:GetObject')
const withMore = (...more: readonly object[]): string => {
  const { Statement, ...rest } = JSON.parse(wanted) as { Statement: object[] }
  return JSON.stringify({ ...rest, Statement: [...Statement, ...more] })
}
const denying = (Action: string, more: object = {}) => ({ Effect: 'Deny', Action, Resource: '*', ...more })
const overPlain = { Condition: { Bool: { 'aws:SecureTransport': 'false' } } }

test('the order of documents does not matter', () => {
  expect(sameMeaning([conditional('a'), wanted], [wanted, conditional('a')])).toBe(true)
  expect(sameMeaning([wanted], [conditional('a')])).toBe(false)
  expect(sameMeaning([], [wanted])).toBe(false)
  expect(sameMeaning(['{'], [wanted])).toBe(false)
})

test.each([
  ['denies another action', withMore(denying('iam:DeleteAccountAlias'))],
  ['denies a wanted action under a condition', withMore(denying('*', overPlain))],
  ['denies a wanted action on one resource', withMore({ ...denying('s3:*'), Resource: 'arn:aws:s3:::audit/*' })],
  ['denies all but wanted actions', withMore({ Effect: 'Deny', NotAction: ['s3:get*', 'sqs:*'], Resource: '*' })],
])('an added statement that %s is a restriction', (_, text) => {
  expect(sameMeaning([text], [wanted])).toBe(true)
})

test.each([
  ['allows more', withMore({ Effect: 'Allow', Action: 'iam:*', Resource: '*', ...overPlain })],
  ['denies a wanted action', withMore(denying('s3:Get*'))],
  ['denies everything', withMore(denying('*'))],
  ['denies all but unwanted actions', withMore({ Effect: 'Deny', NotAction: 'sqs:*', Resource: '*' })],
])('an added statement that %s is not a restriction', (_, text) => {
  expect(sameMeaning([text], [wanted])).toBe(false)
})

test('a wanted denial must not be missing', () => {
  expect(sameMeaning([wanted], [withMore(denying('iam:*'))])).toBe(false)
})

test('an added document that only denies gives a user nothing more', () => {
  const restriction = JSON.stringify({ Version: '2012-10-17', Statement: denying('iam:*') })
  expect(sameMeaning([restriction], [])).toBe(true)
  expect(sameMeaning([restriction, wanted], [])).toBe(false)
})

test.each([
  ['iam:GetUser', true],
  ['IAM:get*', true],
  ['*:?et*r', true],
  ['iam:Get', false],
  ['iam:GetUser?', false],
  ['iam.GetUser', false],
  ['', false],
  [`${'*a'.repeat(100)}*`, false],
  [`${'*'.repeat(10_000)}r`, true],
])('whether the pattern %s covers an action is known at once', (pattern, isCovered) => {
  expect(covers(pattern, 'iam:GetUser')).toBe(isCovered)
  expect(covers(pattern, `iam:${'a'.repeat(90)}r`)).toBe(/^\*+r$/.test(pattern))
})
