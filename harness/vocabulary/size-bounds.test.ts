import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type SizeBound, sizeBounds } from './size-bounds.ts'

const kib = 1024
const mib = 1024 * kib

function amount({ value, unit }: SizeBound): string {
  if (unit === 'bytes' && value % mib === 0) return `${value / mib} MiB`
  if (unit === 'bytes' && value % kib === 0) return `${value / kib} KiB`
  return `${value} ${unit}`
}

test('README shows every bound on sizes, and no other', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8')
  const [, section = ''] = readme.split('## No reply is too large')
  const [table = ''] = section.split('\n## ')
  const bounds: readonly SizeBound[] = Object.values(sizeBounds)
  const rows = bounds.map((bound) => `| ${bound.what} | ${amount(bound)} | ${bound.why} |`)
  expect(table.split('\n').filter((line) => line.startsWith('| '))).toEqual([
    '| what is bounded | bound | why |',
    ...rows,
  ])
})
