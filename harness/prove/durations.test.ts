import { expect, test } from 'vitest'
import { areas } from '../vocabulary/index.ts'
import { durationsOf } from './durations.ts'
import { type PartName, partNames } from './part-names.ts'
import type { Proven } from './prove.ts'

const proven = (parts: readonly PartName[], isClean = true): readonly Proven[] =>
  areas.flatMap((area) => parts.map((part) => ({ area, part, isClean, seconds: 10, counts: '', lines: [] })))

test('a proof of everything says how long it took, and what the kill matrix took of it', () => {
  const took = durationsOf(proven(partNames), { lanes: 2, seconds: 300 })
  expect(took).toEqual({ all: 300, mutants: (areas.length * 10) / 2 })
})

test('a kill matrix alone took what the whole took', () => {
  expect(durationsOf(proven(['mutants']), { lanes: 2, seconds: 45 })).toEqual({ mutants: 45 })
})

test('a part of a proof, and one that is not clean, say nothing', () => {
  expect(durationsOf(proven(['mutants']).slice(1), { lanes: 2, seconds: 45 })).toEqual({})
  expect(durationsOf(proven(partNames, false), { lanes: 2, seconds: 45 })).toEqual({})
})
