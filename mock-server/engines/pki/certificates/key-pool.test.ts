import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { KeyPair } from '../x509/keys.ts'
import { createKeyPool } from './key-pool.ts'

interface Making {
  readonly bits: number
  readonly finish: (error?: Error) => void
}

/** Returns a fake generator of keys, each of which the test finishes. */
function slowMaker() {
  const makings: Making[] = []
  let underWay = 0
  let most = 0
  const make = (bits: number): Promise<KeyPair> =>
    new Promise((resolve, reject) => {
      most = Math.max(most, ++underWay)
      makings.push({
        bits,
        finish(error) {
          underWay -= 1
          if (error) reject(error)
          else resolve({ type: 'rsa', bits, spki: Buffer.alloc(0), traditional: Buffer.alloc(0) })
        },
      })
    })
  const finishNext = async (error?: Error): Promise<void> => {
    makings.shift()?.finish(error)
    await setImmediate()
  }
  return { makings, make, finishNext, most: () => most }
}

describe('the key pool', () => {
  it('generates EC keys immediately', () => {
    expect(createKeyPool().take('ec', 256)).toMatchObject({ type: 'ec', bits: 256 })
  })

  it('generates RSA keys one at a time, first those that callers wait for, until there are enough spares', async () => {
    const { makings, make, finishNext, most } = slowMaker()
    const pool = createKeyPool(make)
    const waited = [pool.take('rsa', 2048), pool.take('rsa', 4096), pool.take('rsa', 2048)]
    expect(makings).toHaveLength(1)
    const order: number[] = []
    while (makings.length > 0) {
      order.push(makings[0]?.bits ?? 0)
      await finishNext()
    }
    expect(order).toEqual([2048, 4096, 2048, 2048, 2048])
    expect(most()).toBe(1)
    expect((await Promise.all(waited)).map(({ bits }) => bits)).toEqual([2048, 4096, 2048])
    expect(pool.take('rsa', 2048)).not.toBeInstanceOf(Promise)
    expect(makings).toHaveLength(1)
  })

  it('rejects pending calls if a key cannot be generated, and continues to work', async () => {
    const { makings, make, finishNext } = slowMaker()
    const pool = createKeyPool(make)
    const failed = expect(pool.take('rsa', 2048)).rejects.toThrow('no entropy')
    await finishNext(new Error('no entropy'))
    await failed
    expect(makings).toHaveLength(0)
    const next = pool.take('rsa', 2048)
    await finishNext()
    expect((await next).bits).toBe(2048)
  })
})
