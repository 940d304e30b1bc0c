import { expect, test } from 'vitest'
import { reasonAgainst } from './node-version.ts'

test.each(['22.19.0', '22.23.3', '24.0.0', '26.1.0'])('Node %s is accepted', (version) => {
  expect(reasonAgainst(version)).toBeUndefined()
})

test.each(['20.20.2', '22.14.9', '18.0.0'])('Node %s is too old, and the message says so', (version) => {
  expect(reasonAgainst(version)).toBe(
    `assay/mock-server needs Node 22.19 or newer, and this is Node ${version}: install a newer one`,
  )
})
