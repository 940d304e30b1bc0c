import { expect, test } from 'vitest'
import { type Reply, sizeBounds } from '../vocabulary/index.ts'
import { bears, CheckNames, throwAwayName, withoutNumbers } from './names.ts'

test('throw-away names are lower case, short, and begin with the prefix of the run', () => {
  expect(throwAwayName('K7X', 12, 'myPolicy name')).toBe('assay-k7x-12-mypolicy-name')
  expect(throwAwayName('r', 1, 'x'.repeat(100))).toHaveLength(60)
  expect(throwAwayName('r', 1, `${'x'.repeat(49)}-y`)).toMatch(/x$/)
})

test('a name bears the prefix of its own run only', () => {
  expect(bears('R1', 'token-assay-r1')).toBe(true)
  expect(bears('r1', 'assay-r1-2-x')).toBe(true)
  expect(bears('r1', 'assay-r12-2-x')).toBe(false)
})

test('a sentence reads the same for every check once the numbers are removed', () => {
  const of = (n: number) => withoutNumbers('R1', `POST sys/mounts/${throwAwayName('R1', n, 'mount')} answered 403`)
  expect(of(7)).toBe('POST sys/mounts/assay-*-mount answered 403')
  expect(of(7)).toBe(of(12))
})

test('a value of a reply is repeated up to `savedValue`, and a longer one fails the step that needs it', () => {
  const most = sizeBounds.savedValue.value
  const learnt = (length: number) => {
    const names = new CheckNames('r1', 1, [])
    const json = { id: 'x'.repeat(length) }
    const reply: Reply = { status: 200, headers: {}, json, text: '', bytes: new Uint8Array(), asked: 'GET a', at: 0 }
    return { names, values: names.learn(reply, { kind: 'exchange', method: 'GET', path: 'a', saves: { id: 'id' } }) }
  }
  expect(learnt(most).values).toEqual([['id', 'x'.repeat(most)]])
  const { names, values } = learnt(most + 1)
  expect(values).toEqual([])
  expect(() => names.fill('things/{id}')).toThrow(`${most}`)
})
