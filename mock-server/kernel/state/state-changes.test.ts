import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applied, copyOf, type Json, update } from './state-changes.ts'

/** Pairs with few keys, so that two states often have some in common, and keys that are not safe to assign. */
const key = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'toString', '')
const states = fc.letrec<{ state: unknown }>((tie) => ({
  state: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, undefined, true, 0, 1, -1, '', 'x', 'y'),
    fc.array(fc.tuple(key, tie('state')), { maxLength: 5 }),
    fc.array(tie('state'), { maxLength: 4 }),
    fc.dictionary(key, tie('state'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).state

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null))

test('a chain of changes, read from JSON, leads to the last of any states', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ state: states }), { minLength: 2, maxLength: 6 }), ([first, ...later]) => {
      const kept = copyOf(first)
      let replayed = asJson(first)
      for (const state of later) {
        const change = update(kept, state)
        if (change) replayed = applied(replayed, JSON.parse(JSON.stringify(change)))
        expect(replayed).toEqual(asJson(state))
        expect(asJson(kept)).toEqual(asJson(state))
        expect(update(kept, state)).toBeUndefined()
      }
    }),
    { numRuns: 2000, seed: 38 },
  )
})
