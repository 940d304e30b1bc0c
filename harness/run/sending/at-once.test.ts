import { expect, test } from 'vitest'
import { AtOnce } from './at-once.ts'

test('waits for all requests that are on their way, also for one that fails', async () => {
  const atOnce = new AtOnce()
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const events: string[] = []
  const one = atOnce.send(() => first.promise)
  const other = atOnce.send(() => second.promise)
  const all = atOnce.answered().then(() => events.push('all'))
  first.resolve('one')
  expect(await one).toBe('one')
  await Promise.resolve()
  expect(events).toEqual([])
  second.reject(new Error('cut off'))
  await expect(other).rejects.toThrow('cut off')
  await all
  expect(events).toEqual(['all'])
  await atOnce.answered()
})
