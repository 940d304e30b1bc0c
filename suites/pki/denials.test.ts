import { expect, test } from 'vitest'
import { requirements } from '../index.ts'
import { denialOptions, hostKinds, type Kind, misses } from './denials.ts'

const kindsOf: Readonly<Record<keyof typeof denialOptions, readonly Kind[]>> = {
  ...{ bare: hostKinds, subdomains: hostKinds, globs: hostKinds, anyName: hostKinds, localhost: hostKinds },
  ...{ uris: hostKinds, others: ['other'], addresses: ['ip'] },
}
const options = Object.entries(denialOptions) as [keyof typeof denialOptions, (typeof denialOptions)['bare']][]

test.each(options)('%s has a cell for each kind of name and each way to miss', (option, { cells }) => {
  const wanted = kindsOf[option].flatMap((kind) => misses.map((miss) => `${kind} ${miss}`))
  expect([...new Set(cells.map(({ kind, miss }) => `${kind} ${miss}`))].toSorted()).toEqual(wanted.toSorted())
})

test.each(options)('each cell of %s is decided by a must row, or says why it is open', (_, { cells }) => {
  const levels = new Map(requirements.map(({ id, level }) => [id, level]))
  for (const cell of cells)
    if (cell.is === 'open') expect(cell.asks ?? cell.why).toMatch(/\.$/)
    else expect([levels.get(`pki.${cell.row}`), typeof cell.asks], cell.row).toEqual(['must', 'object'])
})
