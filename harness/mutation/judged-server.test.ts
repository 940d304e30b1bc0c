import { expect, test } from 'vitest'
import { type Ceremony, type Check, get, succeeds, type Topic } from '../vocabulary/index.ts'
import { openJudgedServer } from './judged-server.ts'

/** Returns a check that records how long it may wait. */
function noting(patiences: number[]): Topic {
  const when: Ceremony = {
    kind: 'ceremony',
    words: 'health is read',
    touches: [],
    async run(scope) {
      patiences.push(scope.patience)
      return scope.send(get('sys/health', { as: 'nobody' }))
    },
  }
  const check: Check = { id: 'notes', requirement: 'policies.one', when, then: [succeeds], mutants: ['policies/none'] }
  const names = { id: 'policies/fields', area: 'policies', kind: 'fields', about: '', safety: 'scoped' } as const
  return { ...names, names: [], checks: [check] }
}

test('a check is given more time on the unchanged server than under faults', async () => {
  const patiences: number[] = []
  const topic = noting(patiences)
  const [check] = topic.checks
  if (!check) throw new Error('no check')
  const source = { document: 1, section: '', row: '' } as const
  const requirement = { id: 'policies.one', area: 'policies', level: 'must', says: '', source } as const
  const judged = await openJudgedServer({ name: 'premium', edition: 'premium' }, [requirement], 1)
  try {
    const candidates = [{ topic, check, address: 'policies/fields/notes' }]
    const { signal } = new AbortController()
    const [plain] = await judged.judgePlainly(candidates, signal)
    const [faulty] = await judged.judgeFaulty(candidates, signal)
    expect([plain?.verdict, faulty?.verdict]).toEqual(['pass', 'pass'])
    expect(patiences[0]).toBeGreaterThanOrEqual(10)
    expect(patiences[1]).toBeLessThanOrEqual(1)
  } finally {
    await judged.close()
  }
})
