import { describe, expect, test } from 'vitest'
import { differences } from '../../suites/differences/index.ts'
import type { Candidate, Judge } from '../faults/ground.ts'
import type { CheckResult, Difference, Verdict } from '../vocabulary/index.ts'
import { type Baseline, groupsOf, type Playing, play, playTogether } from './matrix.ts'
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

describe('differences that one server has at once', () => {
  const statusAs = (id: string, status: number, more: Partial<Difference> = {}): Difference => ({
    ...{ ...gone, id, ...more },
    open: () => async (one, pass) => {
      const answer = await pass(one)
      return { ...answer, status: answer.status + status }
    },
  })
  const group = [statusAs('a', 1), statusAs('b', 10)]

  /** Judges by the status that arrives, and counts the judgements. */
  const playingTogether = async (some: readonly Difference[], verdictOf: (status: number) => Verdict) => {
    const statuses: number[] = []
    const legally: Playing['judge']['legally'] = async (open) => {
      const { status } = await open({ now: () => 0, wait: async () => {} })(sent, async () => ({
        ...{ status: 400, headers: {}, body: Buffer.alloc(0) },
      }))
      statuses.push(status)
      return { result: { verdict: verdictOf(status), mismatches: [] } as unknown as CheckResult, bent: true }
    }
    const turns: string[] = []
    const played = await playTogether(some, {
      turnTo: async ({ id }) => {
        turns.push(id)
      },
      ...{ judge: { ...judgeBy(() => 'pass'), legally }, lanes: 1, signal: new AbortController().signal },
      baselines: [baseline('one')],
    })
    const changes = played.flatMap((one) => one.changes.map(({ difference, verdict }) => `${difference}: ${verdict}`))
    return { statuses, changes, turns, judged: played.map((one) => one.judged.get('pki') ?? 0) }
  }

  test('are judged once if the check passes', async () => {
    const { statuses, changes, judged } = await playingTogether(group, () => 'pass')
    expect([statuses, changes, judged]).toEqual([[411], [], [1, 1]])
  })

  test('are judged each alone if it does not, so that the change is told of the one that makes it', async () => {
    const { statuses, changes, turns } = await playingTogether(group, (status) => (status >= 410 ? 'fail' : 'pass'))
    expect([statuses, changes, turns]).toEqual([[411, 401, 410], ['b: fail'], ['a + b', 'a', 'b']])
  })

  test('change a verdict together that none of them changes alone', async () => {
    const { changes } = await playingTogether(group, (status) => (status === 411 ? 'not-verified' : 'pass'))
    expect(changes).toEqual(['a + b: not-verified'])
  })

  test('change a verdict together also where another difference of the group may cost it', async () => {
    const loss = { check: 'pki/**', verdict: 'fail', why: 'it asks for the status' } as const
    const { changes } = await playingTogether([...group, statusAs('c', 100, { losses: [loss] })], (status) =>
      status >= 411 ? 'fail' : 'pass',
    )
    expect(changes).toEqual(['c: fail', 'a + b: fail'])
  })

  test('do not hide a loss: what may cost the check its verdict is judged alone', async () => {
    const loss = { check: 'pki/**', verdict: 'fail', why: 'it asks for the status' } as const
    const { statuses } = await playingTogether([...group, statusAs('c', 100, { losses: [loss] })], () => 'pass')
    expect(statuses).toEqual([411, 500])
  })

  test('are of different kinds, stand in one group each, and meet others under another seed', () => {
    const all = differences.map(({ id }) => id)
    const pairsOf = (seed: number): ReadonlySet<string> => {
      const ids = groupsOf(differences, seed).map((some) => some.map(({ id }) => id))
      expect(ids.flat().toSorted()).toEqual(all.toSorted())
      expect(ids).toContainEqual(['latency-100-ms'])
      for (const some of ids) expect(new Set(some.map((id) => id.split('-')[0])).size).toBe(some.length)
      return new Set(ids.flatMap((some) => some.flatMap((one) => some.map((other) => `${one} ${other}`))))
    }
    const [one, two] = [pairsOf(1), pairsOf(2)]
    const both = [...one].filter((pair) => two.has(pair) && new Set(pair.split(' ')).size === 2)
    expect(both.length).toBeLessThan(one.size / 4)
  })
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
