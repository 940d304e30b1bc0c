import { expect, test } from 'vitest'
import { createLocks } from './locks.ts'
import { bears, throwAwayName } from './names.ts'

test('throw-away names are lower case, short, and say whose they are', () => {
  expect(throwAwayName('K7X', 12, 'myPolicy name')).toBe('assay-k7x-12-mypolicy-name')
  expect(throwAwayName('r', 1, 'x'.repeat(100))).toHaveLength(60)
  expect(throwAwayName('r', 1, `${'x'.repeat(49)}-y`)).toMatch(/x$/)
})

test('a name bears the mark of its own run only', () => {
  expect(bears('R1', 'token-assay-r1')).toBe(true)
  expect(bears('r1', 'assay-r1-2-x')).toBe(true)
  expect(bears('r1', 'assay-r12-2-x')).toBe(false)
})

test('holders of one lock take turns, also after one that failed; others do not wait', async () => {
  const locks = createLocks()
  const order: string[] = []
  const turn = (name: string | undefined, word: string) =>
    locks.hold(name, async () => {
      order.push(`${word} begins`)
      await new Promise(setImmediate)
      order.push(`${word} ends`)
      if (word === 'first') throw new Error('first failed')
      return word
    })
  const all = await Promise.allSettled([turn('a', 'first'), turn('a', 'second'), turn(undefined, 'free')])
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(order.indexOf('first ends')).toBeLessThan(order.indexOf('second begins'))
  expect(order.indexOf('free begins')).toBeLessThan(order.indexOf('first ends'))
})
