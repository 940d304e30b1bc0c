import { describe, expect, test } from 'vitest'
import { differences } from '../../suites/differences/index.ts'
import { faultExcuses, wireFaults } from '../../suites/faults.ts'
import { lists, requirements, topics } from '../../suites/index.ts'
import type { Topic } from '../vocabulary/index.ts'
import { type Outcome, type PartName, partNames, partsOf } from './parts.ts'
import { exitCodeOf, proveAll, summaryOf } from './prove.ts'

const quiet = { onProgress: () => {}, onProven: () => {} }
const never = new AbortController().signal

/** One check of a topic: a proof of it takes a moment. */
const few: readonly Topic[] = topics
  .map(({ topic }) => topic)
  .filter(({ id }) => id === 'policies/errors')
  .map((topic) => ({
    ...topic,
    checks: topic.checks.filter(({ id }) => id === 'acl-create-without-policy-is-refused'),
  }))

describe('every part', { timeout: 60_000 }, () => {
  const material = {
    ...{ requirements, lists, excuses: [], topics: few },
    faults: wireFaults().filter(({ id }) => id === 'policies/acl.write.policy/accept-without-field'),
    differences: differences.filter(({ id }) => id === 'refusals-422'),
  }
  const parts = partsOf(material)

  test.each(['plain', 'faults', 'legal', 'variations'] as const)('%s is clean where nothing is wrong', async (name) => {
    const outcome = await parts[name]('policies', never, () => {})
    expect(outcome.isClean, outcome.lines.join('\n')).toBe(true)
    expect(outcome.counts).toMatch(/^[1-9]/)
  })

  test('mutants that no check notices are told', async () => {
    const outcome = await parts.mutants('policies', never, () => {})
    expect(outcome.isClean).toBe(false)
    expect(outcome.counts).toMatch(/mutants, 2 of 2 pairs killed, \d+ problems/)
    expect(outcome.lines.join()).toContain('policies/acl-list-omits')
  })

  test('an excuse that excuses nothing is told', async () => {
    const excuse = { fault: 'policies/acl.write/none', reason: 'There is no such fault.' }
    const outcome = await partsOf({ ...material, excuses: [excuse] }).faults('policies', never, () => {})
    expect(outcome.isClean).toBe(false)
    expect(faultExcuses).not.toContain(excuse)
  })
})

describe('the whole', () => {
  const outcome = (isClean: boolean): Outcome => ({ counts: '7 judgements', isClean, lines: ['why'] })
  const all = (of: (part: PartName) => Outcome | Promise<Outcome>, signal = never) =>
    proveAll({
      areas: ['policies', 'pki'],
      parts: partNames.map((name) => [name, async () => of(name)] as const),
      ...{ signal, ...quiet },
    })

  test('is ok where every part of every area is', async () => {
    const proven = await all(() => outcome(true))
    expect(proven.map(({ area, part }) => `${area} ${part}`)).toHaveLength(10)
    expect(exitCodeOf(proven)).toBe(0)
    expect(summaryOf(proven).at(-1)).toMatch(/^10 parts in \d+ s; 0 not ok$/)
  })

  test('is not ok where one part fails or breaks, and goes on behind it', async () => {
    const proven = await all((part) => {
      if (part === 'legal') throw new Error('a server did not start')
      return outcome(part !== 'faults')
    })
    expect(exitCodeOf(proven)).toBe(1)
    expect(proven.filter(({ isClean }) => isClean)).toHaveLength(6)
    expect(summaryOf(proven).join('\n')).toContain('broke: a server did not start')
    expect(summaryOf(proven).at(-1)).toContain('4 not ok: policies faults, policies legal, pki faults, pki legal')
  })

  test('is not ok where it was cut short, or where there was nothing to prove', async () => {
    const stopped = new AbortController()
    const proven = await all((part) => {
      if (part === 'mutants') stopped.abort()
      return outcome(true)
    }, stopped.signal)
    expect(proven.map(({ counts }) => counts).slice(0, 3)).toEqual([
      '7 judgements',
      'cut short: 7 judgements',
      'not begun',
    ])
    expect(exitCodeOf(proven)).toBe(1)
    expect(exitCodeOf([])).toBe(1)
  })
})
