import { expect, it } from 'vitest'
import { linesOf } from './difference.ts'
import { runsOf } from './text-lines.ts'

const text = (lines: number): string => Array.from({ length: lines }, (_, at) => `line ${at + 1}`).join('\n')

it('shows the beginning of a text in which nothing differs', () => {
  expect(runsOf(linesOf(text(12)))).toEqual([{ isFolded: false, from: 0, to: 12 }])
  expect(runsOf(linesOf(text(30)))).toEqual([
    { isFolded: false, from: 0, to: 12 },
    { isFolded: true, from: 12, to: 30 },
  ])
})

it('shows the lines that differ and the lines around them', () => {
  const lines = linesOf(text(30)).map((line) =>
    line.number === 15 ? { ...line, pieces: [{ text: 'other', isDifferent: true }] } : line,
  )
  expect(runsOf(lines)).toEqual([
    { isFolded: true, from: 0, to: 12 },
    { isFolded: false, from: 12, to: 17 },
    { isFolded: true, from: 17, to: 30 },
  ])
})

it('does not fold a few lines', () => {
  expect(runsOf(linesOf(text(15))).every(({ isFolded }) => !isFolded)).toBe(true)
})
