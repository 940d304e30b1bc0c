import { expect, test } from 'vitest'
import { createLinks } from './cluster-links.ts'
import { createClock } from './kernel/state/clock.ts'

const clock = createClock(() => 0)
const links = createLinks((address) => Number(address), clock)

test('settled waits until everything in transit has arrived', async () => {
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

test('settled stops waiting for what never arrives after the given time', async () => {
  const network = links.from(0)
  const number = network.depart()
  await links.settled(5)
  network.arrive(number)
})

test('settled does not wait for a slow connection, which waits until the clock moves or the links heal', async () => {
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
