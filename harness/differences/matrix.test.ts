import { expect, test } from 'vitest'
import type { Candidate, Judge } from '../faults/ground.ts'
import type { CheckResult, Difference, Verdict } from '../vocabulary/index.ts'
import { type Baseline, play } from './matrix.ts'
import { exitCodeOf, type LegalProof } from './proof.ts'
import { linesOf } from './table.ts'

const candidate = (id: string, area: string): Candidate =>
  ({ topic: { id: `${area}/errors`, area }, check: { id }, address: `${area}/errors/${id}` }) as unknown as Candidate

const sent = { method: 'GET', path: '/v1/things', query: {}, headers: {} }
const missing = { status: 404, headers: {}, body: Buffer.alloc(0) }
const baseline = (id: string, area = 'pki'): Baseline => ({
  candidate: candidate(id, area),
  passed: [{ sent, answer: missing }],
})

const judgeBy = (verdictOf: (id: string) => Verdict): Judge =>
  ({
    legally: async (_open: unknown, { check }: Candidate) => {
      const result = { verdict: verdictOf(check.id), mismatches: [] } as unknown as CheckResult
      return { result, bent: true }
    },
  }) as unknown as Judge

const gone: Difference = {
  id: 'gone',
  says: 'What is missing is gone.',
  because: 'Any 4xx.',
  areas: ['pki'],
  open: () => async (one, pass) => ({ ...(await pass(one)), status: 410 }),
}

const playing = (difference: Difference, baselines: readonly Baseline[], verdictOf: (id: string) => Verdict) =>
  play(difference, { judge: judgeBy(verdictOf), baselines, lanes: 2, signal: new AbortController().signal })

test('checks of other areas, and those that the difference cannot affect, are not judged', async () => {
  const untouched = { ...baseline('b'), passed: [] }
  const { judged, changes } = await playing(gone, [baseline('a'), untouched, baseline('c', 'cloud')], () => 'pass')
  expect([...judged]).toEqual([['pki', 1]])
  expect(changes).toEqual([])
})

test('a loss is stated by address and verdict, and a fail cannot be stated', async () => {
  const loss = { check: 'pki/errors/a*', verdict: 'not-verified', why: 'nothing can be read' } as const
  const { changes, used } = await playing({ ...gone, losses: [loss] }, [baseline('a1'), baseline('a2')], (id) =>
    id === 'a1' ? 'not-verified' : 'fail',
  )
  expect(changes.map(({ check, stated }) => [check, stated])).toEqual([
    ['pki/errors/a1', 'nothing can be read'],
    ['pki/errors/a2', undefined],
  ])
  expect([...used]).toEqual([loss])
})

test('a changed verdict that is not stated, and a stated loss that does not occur, are reported as defects', async () => {
  const { changes } = await playing(gone, [baseline('a')], () => 'fail')
  const proof: LegalProof = {
    cells: [{ difference: 'gone', area: 'pki', judged: 1 }],
    ...{ changes, idle: [], leftBehind: [], stale: [], interrupted: false, seconds: 1 },
  }
  expect(exitCodeOf(proof)).toBe(6)
  expect(linesOf(proof).join('\n')).toMatch(/pki\/errors\/a: fail under gone[\s\S]*gone +1: 1 fail/)
  expect(exitCodeOf({ ...proof, changes: [] })).toBe(0)
  expect(exitCodeOf({ ...proof, changes: [], stale: ['gone: too many'] })).toBe(6)
  expect(linesOf({ ...proof, interrupted: true })[0]).toMatch(/^interrupted: /)
})
