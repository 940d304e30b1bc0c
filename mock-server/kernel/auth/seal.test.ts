import { beforeEach, expect, test } from 'vitest'
import { createMint } from '../state/mint.ts'
import { createRandom } from '../state/random.ts'
import { variationOf } from '../variation.ts'
import { createSeal, type Seal } from './seal.ts'

let seal: Seal
beforeEach(() => {
  const random = createRandom(1)
  seal = createSeal(createMint(random, random, () => variationOf(0)))
})

test.each([
  [1, 1],
  [2, 2],
  [5, 3],
  [10, 7],
])('of %d shares, %d prove the key, and fewer do not', async (shares, threshold) => {
  const shared = await seal.init(shares, threshold)
  expect(new Set(shared).size).toBe(shares)
  expect(await seal.proves(shared.slice(0, threshold))).toBe(true)
  expect(await seal.proves(shared.slice(-threshold))).toBe(true)
  if (threshold > 1) expect(await seal.proves(shared.slice(0, threshold - 1))).toBe(false)
})

test('a share that is given several times counts once', async () => {
  const [share = ''] = await seal.init(5, 3)
  expect(await seal.proves([share, share, share])).toBe(false)
  expect(await seal.proves([share, Buffer.from(share, 'base64').toString('hex'), share])).toBe(false)
})

test('shares of another key do not prove the key', async () => {
  const others = await seal.init(5, 3)
  await seal.init(5, 3)
  expect(await seal.proves(others)).toBe(false)
})

test('before the seal is initialized, it is sealed and no shares prove a key', async () => {
  expect(seal.initialized).toBe(false)
  expect(seal.sealed).toBe(true)
  expect(await seal.proves([])).toBe(false)
})
