import { expect, test } from 'vitest'
import { checkResult } from '../commands/output/sample-results.test-bed.ts'
import { type Check, get, succeeds, type Topic } from '../vocabulary/index.ts'
import { cellsOf } from './cells.ts'
import { type Candidate, candidatesOf, type JudgedServer, type JudgedServers } from './judged-server.ts'
import { killsOf } from './kill-matrix.ts'

const mutant = 'policies/a'
const checkOf = (id: string): Check => ({
  ...{ id, requirement: 'policies.one', when: get('sys/health'), then: [succeeds], mutants: [mutant] },
})
const topic: Topic = {
  ...{ id: 'policies/fields', area: 'policies', kind: 'fields', about: '', safety: 'scoped', names: [] },
  checks: [checkOf('one'), checkOf('two')],
}

/** Checks fail on it only beside another one. */
const server = {
  server: { reset: async () => {}, loadMutants() {} },
  judgeFaulty: async (candidates: readonly Candidate[]) =>
    candidates.map(({ address }) => ({
      ...checkResult(address, candidates.length > 1 ? 'fail' : 'pass'),
      ...{
        id: address,
        mismatches: [{ asked: 'GET sys/health', at: 'status', wanted: '200', saw: '500', expectation: 0 }],
      },
    })),
} as unknown as JudgedServer

test('a check that notices a mutant only in the company of another one does not notice it', async () => {
  const servers: JudgedServers = {
    ...{ count: 1, use: (run) => run(server), close: async () => {} },
    each: async (run) => void (await run(server)),
  }
  const candidates = candidatesOf([topic])
  const pairs = { named: 0, met: 0, unmet: 0, judgements: 0 }
  const { signal } = new AbortController()
  const run = { servers, setting: { name: 'any', edition: 'premium' }, signal, say() {}, heard() {} } as const
  const fault = { id: mutant, area: 'policies', shared: false }
  const cells = await cellsOf(run, candidates, [fault], new Map(), pairs)
  const checks = candidates.map(({ address }) => ({ address, expectations: ['succeeds'], mutants: [mutant] }))
  expect(killsOf({ mutants: [mutant], checks, cells })).toEqual({ killed: 0, named: 2 })
  expect(pairs).toMatchObject({ named: 2, judgements: 2 })
})
