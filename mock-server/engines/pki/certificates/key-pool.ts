/** Hands out keys. EC keys are made at once. RSA keys take tens of milliseconds, so a few are made ahead, one at a
 * time, and only of a size that has been asked for: an idle server makes none. */
import { type CurveKind, generateEc, generateRsa, type KeyPair } from '../x509/keys.ts'
import type { CurveBits } from '../x509/oids.ts'

export interface KeyPool {
  /** Returns a key, synchronously if possible. `spare` is how many RSA keys of the size to have ready afterwards. */
  take(type: 'rsa' | 'ec', bits: number, spare: number, curves?: CurveKind): KeyPair | Promise<KeyPair>
}

interface Wish {
  readonly bits: number
  readonly deliver: (key: KeyPair) => void
  readonly fail: (error: unknown) => void
}

/** `known` is asked first: test keys are there at once. */
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

  /** Keys that somebody waits for come first, and missing spares after them. */
  const wanted = (): number | undefined =>
    wishes[0]?.bits ?? [...spares].find(([bits, count]) => shelf(bits).length < count)?.[0]

  async function work(): Promise<void> {
    if (making) return
    making = true
    for (let bits = wanted(); bits !== undefined; bits = wanted()) {
      const size = bits
      try {
        const key = await make(size)
        const at = wishes.findIndex((wish) => wish.bits === size)
        if (at >= 0) wishes.splice(at, 1)[0]?.deliver(key)
        else shelf(size).push(key)
      } catch (error) {
        spares.delete(size)
        for (const wish of wishes.splice(0)) wish.fail(error)
      }
    }
    making = false
  }

  return {
    take(type, bits, spare, curves) {
      if (type === 'ec') return generateEc(bits as CurveBits, curves)
      const test = known(bits)
      if (test) return test
      spares.set(bits, spare)
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
