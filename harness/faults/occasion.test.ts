import { expect, test } from 'vitest'
import type { Occasion, WireFault } from '../vocabulary/index.ts'
import { type Asked, shownAmong } from './occasion.ts'

const at = { method: 'POST', path: 'things/:name' }
const fault = (only?: Occasion, where?: WireFault['where']): WireFault => ({
  ...{ id: 'x', area: 'policies', operator: 'refuse', says: 'x', at, rows: [] },
  ...(only ? { only } : {}),
  ...(where ? { where } : {}),
})

type Sent = Asked & { readonly reply: { readonly status: number } }
const sent = (name: string, body: object = {}, more: Partial<Sent> = {}): Sent => ({
  ...{ method: 'POST', path: `/v1/things/${name}`, body: JSON.stringify(body), as: 'operator', reply: { status: 204 } },
  ...more,
})
const deleted = (status: number): Sent => sent('a', {}, { method: 'DELETE', reply: { status } })
const deletion = { method: 'DELETE', path: 'things/:name' }

test.each<readonly [string, WireFault, readonly Sent[], readonly number[]]>([
  ['always', fault(), [sent('a'), deleted(204), sent('b')], [0, 2]],
  ['for one value', fault(undefined, { field: 'x', value: 1 }), [sent('a', { x: 1 }), sent('a', { x: 2 })], [0]],
  ['from a call on', fault({ kind: 'later-calls', from: 2 }), [sent('a'), deleted(204), sent('a'), sent('b')], [2, 3]],
  ['for other objects', fault({ kind: 'other-objects' }), [sent('a'), sent('a'), sent('b'), sent('a')], [2]],
  ['for capitals in the name', fault({ kind: 'capitals' }), [sent('a'), sent('aB')], [1]],
  [
    'for capitals in a field',
    fault({ kind: 'capitals', field: 'x' }),
    [sent('A', { x: ['a'] }), sent('a', { x: ['a', 'B'] }), sent('a', { y: 'B' })],
    [1],
  ],
  ['beside a field', fault({ kind: 'beside', field: 'x' }), [sent('a'), sent('a', { x: '' })], [1]],
  ['without a field', fault({ kind: 'without', field: 'x' }), [sent('a'), sent('a', { x: '' })], [0]],
  [
    'after a deletion that was served',
    fault({ kind: 'after', site: deletion }),
    [sent('a'), deleted(404), sent('a'), deleted(204), sent('a')],
    [4],
  ],
  ['for other callers', fault({ kind: 'other-callers' }), [sent('a'), sent('a', {}, { as: 'reader' })], [1]],
])('a fault shows %s', (_, one, all, wanted) => {
  expect(shownAmong(one, all).map((shown) => all.indexOf(shown))).toEqual(wanted)
})
