import { expect, test } from 'vitest'
import { createLinks } from './cluster-links.ts'
import { createClock } from './kernel/state/clock.ts'

const clock = createClock(() => 0)
const links = createLinks((address) => Number(address), clock)

test('what is under way is waited for until it arrives', async () => {
  const network = links.from(0)
  const number = network.depart()
  let arrived = false
  setImmediate(() => {
    arrived = true
    network.arrive(number)
  })
  await links.settled(10_000)
  expect(arrived).toBe(true)
})

test('what never arrives is waited for no longer than asked', async () => {
  const network = links.from(0)
  const number = network.depart()
  await links.settled(5)
  network.arrive(number)
})

test('what a slow connection holds back waits for the clock', async () => {
  const network = links.from(0)
  links.slow(0, 1, 1000)
  const number = network.depart()
  let hasPassed = false
  const passing = network.pass('1').then(() => {
    hasPassed = true
  })
  await links.settled(10_000)
  expect(hasPassed).toBe(false)
  await clock.advance(1000)
  await passing
  network.arrive(number)
  const again = network.pass('1')
  links.heal()
  await again
})
