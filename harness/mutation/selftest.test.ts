import { describe, expect, test } from 'vitest'
import { requirements, topics } from '../../suites/index.ts'
import type { Expectation, Topic } from '../vocabulary/index.ts'
import { type SelftestOptions, selftest } from './selftest.ts'
import type { SelftestReport } from './selftest-report.ts'

/** A few checks of a topic are enough here: `npm run prove` judges them all. */
const fields = topics
  .map(({ topic }) => topic)
  .filter(({ id }) => id === 'policies/fields')
  .map((topic) => ({ ...topic, checks: topic.checks.filter(({ id }) => /^egp-(no-other-level|level)-/.test(id)) }))

/** Returns the topics with the expectations of one check changed. */
const changed = (address: string, change: (then: readonly Expectation[]) => readonly Expectation[]): readonly Topic[] =>
  fields.map((topic) => ({
    ...topic,
    checks: topic.checks.map((check) =>
      `${topic.id}/${check.id}` === address ? { ...check, then: change(check.then) as typeof check.then } : check,
    ),
  }))

const always: Expectation = { words: 'anything holds', judge: () => undefined }
const never: Expectation = {
  words: 'nothing holds',
  judge: ({ reply }) => ({ asked: reply.asked, at: 'status', wanted: 'something else', saw: String(reply.status) }),
}

const problemsIn = ({ json }: SelftestReport) => json.mutants?.problems ?? []

describe('selftest', () => {
  test('the checks of a topic notice every fault that they name', async () => {
    const report = await selftest({ mutants: true, topics: fields, isPart: true, requirements })
    expect(problemsIn(report)).toEqual([])
    expect(report.json.mutants?.named).toBeGreaterThan(5)
    expect(report.json.mutants?.killed).toBe(report.json.mutants?.named)
  })

  test('checks pass under legal differences', async () => {
    const report = await selftest({ vary: [1, 3], topics: fields, requirements })
    expect(report.json.variations?.troubles).toEqual([])
    expect(report.exitCode).toBe(0)
  })

  test('a mutant survives if an expectation is removed, and the report names the check', async () => {
    const address = 'policies/fields/egp-no-other-level-is-kept'
    const report = await selftest({
      mutants: true,
      topics: changed(address, () => [always]),
      isPart: true,
      requirements,
    })
    expect(report.exitCode).toBe(1)
    expect(new Set(problemsIn(report).map(({ check }) => check))).toEqual(new Set([address]))
    expect(report.text).toContain(`${address} does not notice policies/egp-keeps-any-level`)
  })

  test('a selftest that is interrupted reports no pair as a survivor', async () => {
    const stop = new AbortController()
    const report = await selftest({
      mutants: true,
      topics: fields,
      requirements,
      onProgress: (text) => {
        if (text.includes(': mutant ')) stop.abort()
      },
      signal: stop.signal,
    })
    expect(report).toMatchObject({
      exitCode: 130,
      json: { interrupted: true, baseline: [], mutants: { problems: [] } },
    })
    expect(report.json.mutants?.killed).toBeLessThan(report.json.mutants?.named ?? 0)
    expect(report.text).toMatch(/^interrupted: .*proves nothing/)
    expect(report.text).toContain('problems unknown')
  })

  test('an expectation that no mutant needs is a problem', async () => {
    const address = 'policies/fields/egp-no-other-level-is-kept'
    const report = await selftest({
      mutants: true,
      topics: changed(address, (then) => [...then, always]),
      requirements,
    })
    expect(report.exitCode).toBe(1)
    expect(report.text).toContain('nothing proves that this expectation can fail')
  })

  test('a check that fails on the unchanged server is a problem', async () => {
    const address = 'policies/fields/egp-no-other-level-is-kept'
    const report = await selftest({ topics: changed(address, () => [never]), requirements })
    expect(report.exitCode).toBe(1)
    expect(report.text).toContain(`${address}: fail on premium`)
  })
})

describe('a check that fails under one choice of a seed', () => {
  const address = 'policies/fields/egp-no-other-level-is-kept'
  /** Seed 2 chooses that error texts begin with their number. */
  const [seed, counted] = [2, { errorText: 'counted' }]
  const uncounted: Expectation = {
    words: 'the errors are not counted',
    judge: ({ reply }) =>
      reply.text.includes('1 error occurred')
        ? { asked: reply.asked, at: 'errors', wanted: 'no number', saw: '1 error occurred' }
        : undefined,
  }
  const stated = (verdict: 'fail' | 'warn') => [{ check: 'policies/*/egp-no-*', verdict, why: 'for this test' }]
  const judged = changed(address, (then) => [...then, uncounted]).map((topic) => ({
    ...topic,
    checks: topic.checks.filter(({ id }) => address.endsWith(`/${id}`)),
  }))
  const cases: readonly [string, SelftestOptions['differences'], readonly string[]][] = [
    ['is a problem if no legal difference states it', [], [address]],
    ['is none if the difference of this choice states it', [{ variation: counted, losses: stated('fail') }], []],
    ['is a problem if another verdict is stated', [{ variation: counted, losses: stated('warn') }], [address]],
    [
      'is a problem if it is stated for another choice',
      [{ variation: { errorText: 'plain' }, losses: stated('fail') }],
      [address],
    ],
    ['passes if only a new probe would find out the choice', [{ variation: counted, isProbed: true }], []],
  ]
  test.each(cases)('%s', async (_, differences, expected) => {
    const report = await selftest({
      ...{ vary: [seed, seed], topics: judged, requirements },
      ...(differences ? { differences } : {}),
    })
    expect(report.json.baseline).toEqual([])
    expect([...new Set(report.json.variations?.troubles.map(({ check }) => check))]).toEqual(expected)
    expect(report.exitCode).toBe(expected.length)
  })
})
