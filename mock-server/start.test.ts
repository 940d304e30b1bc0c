import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Clock, createMockServer, type MockServerOptions } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'start-'))
const taken = createServer()
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  if (address && typeof address === 'object') port = address.port
})
afterAll(() => {
  taken.close()
  rmSync(folder, { recursive: true })
})

/** A clock that stands still and knows the timers that wait on it. */
function countingClock(): { readonly clock: Clock; readonly timers: Set<object> } {
  const timers = new Set<object>()
  const at = (moment: number, due: () => void) => {
    const timer = { moment, due }
    timers.add(timer)
    return () => timers.delete(timer)
  }
  return { timers, clock: { now: () => 0, at, advance: async () => {} } }
}

const tokens = { one: { ttl: '1h' } }
const failing: Readonly<Record<string, () => MockServerOptions>> = {
  'its port is taken': () => ({ port, tokens }),
  'the port of its clusters is taken': () => ({ clusterPort: port, tokens }),
  'its control port is taken': () => ({ control: { port }, tokens }),
  'its state file cannot be written': () => ({ stateFile: join(folder, 'missing', 'state.json'), tokens }),
  'a part of what is seeded is refused': () => ({ tokens, writes: { 'nowhere/at/all': { a: 1 } } }),
}

test.each(Object.keys(failing))('a server whose start fails because %s leaves no timer', async (cause) => {
  const { clock, timers } = countingClock()
  await expect(createMockServer({ ...failing[cause]?.(), clock })).rejects.toThrow()
  expect([...timers]).toEqual([])
})
