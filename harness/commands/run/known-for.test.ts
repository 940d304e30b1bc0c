import { expect, test } from 'vitest'
import { knownListsOf } from '../../acceptance/known.ts'
import { publishedFolder } from '../version.ts'
import { knownFor } from './known-for.ts'
import type { Order } from './run-document.ts'

/** The catalog is not asked about, because no list of these tests is read. */
const findingsFor = (name: string, product: string) => {
  const lists = [knownListsOf(publishedFolder, name)]
  const order = { flags: { known: [name] }, known: lists, selection: { outline: { topics: [], requirements: [] } } }
  return knownFor(order as unknown as Order, { product, version: '1.7.0' }).findings
}

test('a list of another product is warned of, and one of the own is not', () => {
  expect(findingsFor('vault-1.7', 'OpenBao')).toEqual([
    {
      severity: 'warning',
      code: 'known-of-another-product',
      text: '--known vault-1.7 is for another product: the target says that it is OpenBao',
    },
  ])
  expect(findingsFor('vault-1.7', 'Vault')).toEqual([])
})
