import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operations } from './operations.ts'
import { columnIn, runLitehex, runNodeVault } from './run-clients.ts'

const page = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
const absent = Object.values(operations)
  .flat()
  .filter((operation) => operation.absent)
  .map(({ name }) => name)

function isInstalled(name: string): boolean {
  try {
    return import.meta.resolve(name) !== ''
  } catch {
    return process.env.CI === 'true'
  }
}

describe.each([
  ['node-vault', runNodeVault],
  ['@litehex/node-vault', runLitehex],
] as const)('%s', (name, run) => {
  test.runIf(isInstalled(name))('has the outcomes of the table, and only absent operations are refused', async () => {
    const outcomes = await run()
    expect(outcomes).toEqual(columnIn(page, name))
    const refused = Object.entries(outcomes).filter(([, outcome]) => outcome === 'refused')
    expect(refused.map(([operation]) => operation).filter((operation) => !absent.includes(operation))).toEqual([])
  })
})

test.each(['`vault`', '`bao`'])('in the column of %s, only absent operations are refused', (name) => {
  const outcomes = Object.entries(columnIn(page, name) ?? {})
  expect(outcomes.length).toBeGreaterThan(50)
  for (const [operation, outcome] of outcomes) if (outcome === 'refused') expect(absent).toContain(operation)
})
