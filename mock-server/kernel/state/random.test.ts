import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

test('the same seed gives the same values, and other seeds give others', () => {
  const draw = (seed: number): string => {
    const random = createRandom(seed)
    return [random.uuid(), random.token(24), random.bytes(8).toString('hex'), random.integer(1e6)].join(' ')
  }
  expect(draw(1)).toBe(draw(1))
  expect(new Set(Array.from({ length: 200 }, (_, seed) => draw(seed))).size).toBe(200)
})

test('values have the right format', () => {
  const random = createRandom(3)
  for (let round = 0; round < 500; round++) {
    expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(random.token(24)).toMatch(/^[A-Za-z0-9]{24}$/)
    expect(random.bytes(5)).toHaveLength(5)
    expect([0, 1, 2]).toContain(random.integer(3))
  }
})

test('a fork does not move its source, and forks of different names differ', () => {
  const [plain, forked] = [createRandom(1), createRandom(1)]
  const other = forked.fork('a')
  expect(other.uuid()).not.toBe(forked.fork('b').uuid())
  expect(forked.uuid()).toBe(plain.uuid())
})

test('a restore continues at the saved position, and a reset returns to the start', () => {
  const random = createRandom(1)
  const first = random.uuid()
  const kept = random.snapshot()
  const second = random.uuid()
  random.restore(kept)
  expect(random.uuid()).toBe(second)
  random.reset()
  expect(random.uuid()).toBe(first)
})

test('integers are evenly distributed', () => {
  const random = createRandom(5)
  const counts = [0, 0, 0, 0]
  for (let round = 0; round < 8000; round++) {
    const drawn = random.integer(4)
    counts[drawn] = (counts[drawn] ?? 0) + 1
  }
  for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200)
})
