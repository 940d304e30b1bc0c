import { expect, test } from 'vitest'
import { answererOf } from '../vocabulary/answerer.ts'

const answer = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) => ({
  ...{ status, text, headers, bytes: Buffer.from(text) },
  json: text.startsWith('{') ? JSON.parse(text) : undefined,
})

test.each([
  ['{"errors":["unsupported operation"]}', 'the target itself'],
  ['{"errors":[]}', 'the target itself'],
  ['<html><center>nginx</center></html>', 'nginx, with a page'],
  ['upstream request timeout', 'something in front of the target, with a text of its own'],
  ['', 'the target, or something in front of it that does not say who it is'],
  ['{}', 'the target, or something in front of it that does not say who it is'],
])('the reply %j is told to be from whom it shows', (text, words) => {
  expect(answererOf(answer(400, text))).toBe(words)
})
