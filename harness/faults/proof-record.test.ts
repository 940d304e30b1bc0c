import { expect, test } from 'vitest'
import type { Row } from './excuses.ts'
import { staleMutants, staleNotices, withProof } from './proof-record.ts'

const row = (id: string, noticedBy?: string): Row =>
  ({ fault: { id, area: id.split('/')[0] }, state: 'noticed', ...(noticedBy ? { noticedBy } : {}) }) as Row
const rows = [row('pki/a/refuse', 'pki/errors/x'), row('pki/b/stale')]
const record = {
  mutants: { 'pki/m': 'It forgets.' },
  noticedBy: { 'cloud/c/late': 'cloud/errors/y', 'pki/old/late': 'z' },
}

test('an updated record is not stale, and keeps the entries of other areas', () => {
  const fresh = withProof(record, rows, [{ id: 'pki/n', does: 'It lies.' }])
  expect(fresh).toEqual({
    mutants: { 'pki/n': 'It lies.' },
    noticedBy: { 'cloud/c/late': 'cloud/errors/y', 'pki/a/refuse': 'pki/errors/x' },
  })
  expect(staleNotices(fresh, rows)).toEqual([])
  expect(staleMutants(fresh, [{ id: 'pki/n', does: 'It lies.' }])).toEqual([])
})

test('differences between a record and a proof are reported', () => {
  expect(staleNotices(record, rows).map((line) => line.split(':')[0])).toEqual([
    'the record of proofs says that pki/a/refuse is noticed by no check, but it was noticed by pki/errors/x',
    'the record of proofs names pki/old/late, which does not exist',
  ])
  expect(staleMutants(record, [{ id: 'pki/m', does: 'It lies.' }])).toHaveLength(1)
})

test('another check than the recorded one may notice a fault', () => {
  const other = { ...record, noticedBy: { 'pki/a/refuse': 'pki/errors/other' } }
  expect(staleNotices(other, rows)).toEqual([])
})
