import { describe, expect, test } from 'vitest'
import { createLocks } from './locks.ts'

/** Creates work that logs when it begins, and ends when the test says so. */
function worker(log: string[]) {
  return (name: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return {
      end: resolve,
      async run() {
        log.push(`${name} begins`)
        await promise
        log.push(`${name} ends`)
      },
    }
  }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('locks', () => {
  test('holders of the same name run one after the other, and others do not wait', async () => {
    const log: string[] = []
    const work = worker(log)
    const locks = createLocks()
    const [first, second, other] = [work('first'), work('second'), work('other')]
    const all = [locks.hold('a', first.run), locks.hold('a', second.run), locks.hold('b', other.run)]
    await settled()
    expect(log).toEqual(['first begins', 'other begins'])
    first.end()
    await settled()
    expect(log).toEqual(['first begins', 'other begins', 'first ends', 'second begins'])
    second.end()
    other.end()
    await Promise.all(all)
  })

  test('nothing runs beside the holder of an exclusive name', async () => {
    const log: string[] = []
    const work = worker(log)
    const locks = createLocks()
    const [before, alone, named, after] = [work('before'), work('alone'), work('named'), work('after')]
    const all = [
      locks.hold(undefined, before.run),
      locks.hold('a', named.run),
      locks.hold('clusters', alone.run),
      locks.hold(undefined, after.run),
    ]
    await settled()
    expect(log.toSorted()).toEqual(['after begins', 'before begins', 'named begins'])
    for (const one of [before, named, after]) one.end()
    await settled()
    const late = work('late')
    all.push(locks.hold(undefined, late.run))
    await settled()
    expect(log.slice(-1)).toEqual(['alone begins'])
    alone.end()
    await settled()
    expect(log.slice(-2)).toEqual(['alone ends', 'late begins'])
    late.end()
    await Promise.all(all)
  })

  test('a turn that fails does not hold up those after it', async () => {
    const locks = createLocks()
    const broken = locks.hold('clusters', async () => {
      throw new Error('broken')
    })
    await expect(broken).rejects.toThrow('broken')
    expect(await locks.hold('clusters', async () => 'next')).toBe('next')
    expect(await locks.hold(undefined, async () => 'other')).toBe('other')
  })
})
