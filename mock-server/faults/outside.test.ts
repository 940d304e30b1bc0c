/** The reference server reads as a correct server: whoever reads an engine meets no fault. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** The parts whose faults are still inside them. Whoever moves the faults of one out removes it here. */
const withFaults = ['engines/pki', 'kernel']

const partOf = (file: string): string => file.replace(/^((?:engines\/)?[^/]+).*/, '$1')
const parts = new Map<string, string[]>()
for (const file of globSync('{engines/*,kernel}/**/*.ts', { cwd: root }).filter((one) => !one.endsWith('.test.ts'))) {
  const told = /\b(?:mutants?|faults?|seams?)\b/i.exec(readFileSync(join(root, file), 'utf8'))?.[0]
  const found = parts.get(partOf(file)) ?? []
  parts.set(partOf(file), told ? [...found, `${file}: ${told}`] : found)
}

test.each([...parts.keys()].filter((part) => !withFaults.includes(part)))('%s knows no faults', (part) => {
  expect(parts.get(part)).toEqual([])
})

test('the list of the others is not too long', () => {
  expect(withFaults.filter((part) => parts.get(part)?.length === 0)).toEqual([])
})
