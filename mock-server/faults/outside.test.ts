/** The reference server reads as a correct server: whoever reads an engine meets no fault. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

const partOf = (file: string): string => file.replace(/^((?:engines\/)?[^/]+).*/, '$1')
const files = globSync('{engines/*,kernel}/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))

test.each([...Map.groupBy(files, partOf)])('%s knows no faults', (_part, own) => {
  const told = own.flatMap((file) => {
    const word = /\b(?:mutants?|faults?|seams?)\b/i.exec(readFileSync(join(root, file), 'utf8'))?.[0]
    return word ? [`${file}: ${word}`] : []
  })
  expect(told).toEqual([])
})
