/** Provides keys. EC keys are generated immediately. RSA keys take tens of milliseconds, so a few spares are generated
 * in advance, one at a time, and only in sizes that were requested before, so that an idle server generates none. */
import { type CurveKind, generateEc, generateRsa, type KeyPair } from '../x509/keys.ts'
import type { CurveBits } from '../x509/oids.ts'

export interface KeyPool {
  /** Returns a key, synchronously if possible. */
  take(type: 'rsa' | 'ec', bits: number, curves?: CurveKind): KeyPair | Promise<KeyPair>
}

interface Wish {
  readonly bits: number
  readonly deliver: (key: KeyPair) => void
  readonly fail: (error: unknown) => void
}

/** How many RSA keys of each size are kept ready, once one has been requested. */
const spareKeys: Readonly<Record<number, number>> = { 2048: 2, 3072: 1 }

/** `known` is called first; it returns a test key immediately, if the server has test keys. */
export function createKeyPool(
  make: (bits: number) => Promise<KeyPair> = generateRsa,
  known: (bits: number) => KeyPair | undefined = () => undefined,
): KeyPool {
  const ready = new Map<number, KeyPair[]>()
  const wishes: Wish[] = []
  const spares = new Map<number, number>()
  let making = false

  const shelf = (bits: number): KeyPair[] => {
    const keys = ready.get(bits) ?? []
    ready.set(bits, keys)
    return keys
  }

  /** Returns the size of the next key to generate: first those that callers wait for, then those of missing spares. */
  const wanted = (): number | undefined =>
    wishes[0]?.bits ?? [...spares].find(([bits, count]) => shelf(bits).length < count)?.[0]

  /** Gives a key to the first caller that waits for one of its size. */
  function hand(bits: number, key: KeyPair): void {
    const at = wishes.findIndex((wish) => wish.bits === bits)
    if (at >= 0) wishes.splice(at, 1)[0]?.deliver(key)
    else shelf(bits).push(key)
  }

  async function work(): Promise<void> {
    if (making) return
    making = true
    for (let bits = wanted(); bits !== undefined; bits = wanted()) {
      try {
        hand(bits, await make(bits))
      } catch (error) {
        spares.delete(bits)
        for (const wish of wishes.splice(0)) wish.fail(error)
      }
    }
    making = false
  }

  return {
    take(type, bits, curves) {
      if (type === 'ec') return generateEc(bits as CurveBits, curves)
      const test = known(bits)
      if (test) return test
      spares.set(bits, spareKeys[bits] ?? 0)
      const key = shelf(bits).shift()
      if (key) {
        void work()
        return key
      }
      return new Promise<KeyPair>((deliver, fail) => {
        wishes.push({ bits, deliver, fail })
        void work()
      })
    },
  }
}
