import { expect, test } from 'vitest'
import { areas } from '../../vocabulary/index.ts'
import { durationsOf } from './durations.ts'
import { type PartName, partNames } from './part-names.ts'
import type { Proven } from './prove.ts'

const proven = (parts: readonly PartName[], isClean = true): readonly Proven[] =>
  areas.flatMap((area) => parts.map((part) => ({ area, part, isClean, seconds: 10, counts: '', lines: [] })))

test('a proof of everything records how long it took, and how long its kill matrix took', () => {
  const took = durationsOf(proven(partNames), { lanes: 2, seconds: 300 })
  expect(took).toEqual({ all: 300, mutants: (areas.length * 10) / 2 })
})

test('if only the kill matrix is proven, its duration is that of the whole', () => {
  expect(durationsOf(proven(['mutants']), { lanes: 2, seconds: 45 })).toEqual({ mutants: 45 })
})

test('a partial proof, and one that is not clean, record no duration', () => {
  expect(durationsOf(proven(['mutants']).slice(1), { lanes: 2, seconds: 45 })).toEqual({})
  expect(durationsOf(proven(partNames, false), { lanes: 2, seconds: 45 })).toEqual({})
})
