import { expect, test } from 'vitest'
import { pageAt } from '../pages.test-bed.ts'
import { type SizeBound, sizeBounds } from './size-bounds.ts'

const kib = 1024
const mib = 1024 * kib

function amount({ value, unit }: SizeBound): string {
  if (unit === 'bytes' && value % mib === 0) return `${value / mib} MiB`
  if (unit === 'bytes' && value % kib === 0) return `${value / kib} KiB`
  return `${value} ${unit}`
}

test('the page shows exactly the bounds on sizes', () => {
  const [, section = ''] = pageAt('harness/bounds.md').text.split('## Sizes')
  const [table = ''] = section.split('\n## ')
  const bounds: readonly SizeBound[] = Object.values(sizeBounds)
  const rows = bounds.map((bound) => `| ${bound.what} | ${amount(bound)} | ${bound.why} |`)
  expect(table.split('\n').filter((line) => line.startsWith('| '))).toEqual([
    '| what is bounded | bound | why |',
    ...rows,
  ])
})
