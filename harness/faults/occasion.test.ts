import { expect, test } from 'vitest'
import type { Occasion, WireFault } from '../vocabulary/index.ts'
import { type Asked, pastsBefore, shownAmong } from './occasion.ts'

const at = { method: 'POST', path: 'things/:name' }
const mounted = { method: 'POST', path: '{kv}/things/:name' }
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

test('a fault shows for a caller that stands in for the operator', () => {
  const all = [sent('a'), sent('a', {}, { isOther: true })]
  expect(shownAmong(fault({ kind: 'other-callers' }), all)).toEqual([all[1]])
})

test('a server remembers what earlier checks did, but a new mount remembers nothing', () => {
  const checks = [
    { recorded: [sent('a'), sent('b')] },
    { recorded: [sent('c')] },
    { recorded: [deleted(204), sent('c')] },
  ]
  const shown = (one: WireFault, all = checks) =>
    pastsBefore(one, all).map((past, index) => shownAmong(one, all[index]?.recorded ?? [], past).length)
  expect(shown(fault({ kind: 'later-calls', from: 3 }))).toEqual([0, 1, 1])
  expect(shown(fault({ kind: 'other-objects' }))).toEqual([1, 1, 1])
  expect(shown(fault({ kind: 'after', site: deletion }))).toEqual([0, 0, 1])
  const onMounts = ['x-1-kv', 'x-2-kv'].map((mount) => ({
    recorded: ['a', 'b'].map((name) => sent('', {}, { path: `/v1/assay-${mount}/things/${name}` })),
  }))
  for (const only of [{ kind: 'later-calls', from: 2 }, { kind: 'other-objects' }] as const) {
    expect(shown({ ...fault(only), at: mounted }, onMounts)).toEqual([1, 1])
    expect(shown({ ...fault({ ...only, everywhere: true }), at: mounted }, onMounts)).toEqual([1, 2])
  }
})
