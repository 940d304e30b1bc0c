import { expect, test } from 'vitest'
import type { CheckResult, Verdict, WireFault } from '../vocabulary/index.ts'
import type { Candidate, Judge } from './ground.ts'
import { tryFaults } from './matrix.ts'

const refusing: WireFault = {
  ...{ id: 'policies/things/refuse', area: 'policies', operator: 'refuse', says: 'Things are refused.', rows: [] },
  at: { method: 'POST', path: 'things/:name' },
}
const check = { id: 'a', requirement: 'policies.a' }
const candidate = {
  topic: { id: 'policies/errors', area: 'policies' },
  check,
  address: 'policies/errors/a',
} as unknown as Candidate
const recorded = [
  { method: 'POST', path: '/v1/things/one', body: '{}', as: 'operator', reply: { status: 204, headers: {}, body: '' } },
]

/** Tries a fault that changes nothing of what the check sees. */
async function defectOf(verdicts: { readonly hastily: Verdict; readonly patiently: Verdict }) {
  const asked: boolean[] = []
  const result = (verdict: Verdict) => ({ verdict, mismatches: [], durationMs: 1 }) as unknown as CheckResult
  const judge = {
    plainly: async () => ({ result: result('pass'), recorded }),
    under: async (_fault: unknown, _candidate: unknown, _memory: unknown, isPatient = false) => {
      asked.push(isPatient)
      return { result: result(isPatient ? verdicts.patiently : verdicts.hastily), bent: false }
    },
  } as unknown as Judge
  const { outcomes } = await tryFaults({
    ...{ judge, faults: [refusing], candidates: [candidate], lanes: 1, signal: new AbortController().signal },
  })
  return { asked, defect: outcomes[0]?.defect, noticedBy: outcomes[0]?.noticedBy }
}

test('a check that notices a fault which changed nothing is judged again with patience before it is called wrong', async () => {
  expect(await defectOf({ hastily: 'warn', patiently: 'pass' })).toEqual({ asked: [false, true] })
  expect(await defectOf({ hastily: 'fail', patiently: 'fail' })).toEqual({
    asked: [false, true],
    defect: 'policies/errors/a: fail although the fault changed nothing',
  })
  expect(await defectOf({ hastily: 'pass', patiently: 'fail' })).toEqual({ asked: [false] })
})
