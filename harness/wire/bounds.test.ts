import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { bounds } from './bounds.ts'

test('README shows every bound, and no other', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8')
  const [, section = ''] = readme.split('## Every run has an end')
  const [table = ''] = section.split('\n## ')
  const rows = Object.values(bounds).map(({ what, value, unit, why }) => `| ${what} | ${value} ${unit} | ${why} |`)
  expect(table.split('\n').filter((line) => line.startsWith('| '))).toEqual([
    '| what is bounded | bound | why |',
    ...rows,
  ])
})

test('README sums up when a run with --max-duration 60 has ended', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8').replaceAll(/\s+/g, ' ')
  const { value } = bounds.interrupt
  expect(readme).toContain(
    `A run with \`--max-duration 60\` ends within 60 s and the ${value} s of everything that follows the end of its time, ${60 + value} s in all.`,
  )
})

test('an interrupt leaves time for the clean-up and the report, and ends within 20 s', () => {
  const { grace, checksTakeBack, checksThread, takeBack, interrupt } = bounds
  const moments = [grace, checksTakeBack, checksThread, takeBack, interrupt].map(({ value }) => value)
  expect(moments).toEqual(moments.toSorted((one, other) => one - other))
  expect(interrupt.value).toBeLessThanOrEqual(20)
})
