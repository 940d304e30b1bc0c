import { expect, test } from 'vitest'
import { pageAt } from '../pages.test-bed.ts'
import { bounds } from './bounds.ts'

const page = pageAt('harness/bounds.md').text

test('the page shows exactly the bounds of the table', () => {
  const [, section = ''] = page.split('## Time')
  const [table = ''] = section.split('\n## ')
  const rows = Object.values(bounds).map(({ what, value, unit, why }) => `| ${what} | ${value} ${unit} | ${why} |`)
  expect(table.split('\n').filter((line) => line.startsWith('| '))).toEqual([
    '| what is bounded | bound | why |',
    ...rows,
  ])
})

test('the page states correctly when a run with --max-duration 60 has ended', () => {
  const { value } = bounds.interrupt
  expect(page.replaceAll(/\s+/g, ' ')).toContain(
    `A run with \`--max-duration 60\` ends within ${60 + value} s: 60 s, and ${value} s for everything that follows.`,
  )
})

test('an interrupt leaves time for the clean-up and the report, and ends within 20 s', () => {
  const { grace, checksTakeBack, checksThread, takeBack, interrupt } = bounds
  const moments = [grace, checksTakeBack, checksThread, takeBack, interrupt].map(({ value }) => value)
  expect(moments).toEqual(moments.toSorted((one, other) => one - other))
  expect(interrupt.value).toBeLessThanOrEqual(20)
})
