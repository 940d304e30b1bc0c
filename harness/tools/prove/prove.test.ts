import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, test } from 'vitest'
import { differences } from '../../../suites/differences/index.ts'
import { drawnFaults, faultExcuses, wireFaults } from '../../../suites/faults.ts'
import { lists, requirements, spellings, topics } from '../../../suites/index.ts'
import type { Topic } from '../../vocabulary/index.ts'
import { openLane } from './lane.ts'
import { type PartName, partNames } from './part-names.ts'
import { type Outcome, partsOf, type Say } from './parts.ts'
import { exitCodeOf, proveAll, summaryOf } from './prove.ts'

const quiet = { onProgress: () => {}, onProven: () => {} }
const never = new AbortController().signal

/** One check of a topic is enough, and its proof is quick. */
const few: readonly Topic[] = topics
  .map(({ topic }) => topic)
  .filter(({ id }) => id === 'policies/errors')
  .map((topic) => ({
    ...topic,
    checks: topic.checks.filter(({ id }) => id === 'acl-create-without-policy-is-refused'),
  }))

describe('every part', () => {
  const material = {
    ...{ requirements, lists, spellings, excuses: [], drawnExcuses: [], topics: few },
    draw: drawnFaults,
    faults: wireFaults().filter(({ id }) => id === 'policies/acl.write.policy/accept-without-field'),
    differences: differences.filter(({ id }) => id === 'refusals-422'),
  }
  const parts = partsOf(material)

  test.each(['plain', 'faults', 'legal', 'variations', 'denials'] as const)(
    '%s is clean if nothing is wrong',
    async (name) => {
      const outcome = await parts[name]('policies', never, () => {})
      expect(outcome.isClean, outcome.lines.join('\n')).toBe(true)
      expect(outcome.counts).toMatch(/^[1-9]/)
    },
  )

  test('mutants that no check notices are reported', async () => {
    const outcome = await parts.mutants('policies', never, () => {})
    expect(outcome.isClean).toBe(false)
    expect(outcome.counts).toMatch(/mutants, 2 of 2 pairs killed, \d+ problems/)
    expect(outcome.lines.join()).toContain('policies/acl-list-omits')
  })

  test('an excuse that excuses nothing is reported', async () => {
    const excuse = { fault: 'policies/acl.write/none', reason: 'There is no such fault.' }
    const outcome = await partsOf({ ...material, excuses: [excuse] }).faults('policies', never, () => {})
    expect(outcome.isClean).toBe(false)
    expect(faultExcuses).not.toContain(excuse)
  })
})

describe('the whole proof', () => {
  const outcome = (isClean: boolean): Outcome => ({ counts: '7 judgements', isClean, lines: ['why'] })
  const all = (of: (part: PartName) => Outcome | Promise<Outcome>, { signal = never, lanes = 1 } = {}) =>
    proveAll({
      areas: ['policies', 'pki'],
      parts: partNames,
      lanes: Array.from(
        { length: lanes },
        () =>
          async ({ part }) =>
            of(part),
      ),
      ...{ signal, ...quiet },
    })

  test.each([1, 2, 4])('is ok in %i lanes if every part of every area is ok', async (lanes) => {
    const proven = await all(() => outcome(true), { lanes })
    const every = (area: string) => partNames.map((part) => `${area} ${part}`)
    expect(proven.map(({ area, part }) => `${area} ${part}`)).toEqual([...every('policies'), ...every('pki')])
    expect(exitCodeOf(proven)).toBe(0)
    expect(summaryOf(proven, 12).at(-1)).toBe('16 parts in 12 s; 0 not ok')
  })

  test('proves parts side by side', async () => {
    let [running, most] = [0, 0]
    await all(
      async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
        return outcome(true)
      },
      { lanes: 2 },
    )
    expect(most).toBe(2)
  })

  test('is not ok if a part fails or throws, and continues with the next part', async () => {
    const proven = await all((part) => {
      if (part === 'legal') throw new Error('a server did not start')
      return outcome(part !== 'faults')
    })
    expect(exitCodeOf(proven)).toBe(1)
    expect(proven.filter(({ isClean }) => isClean)).toHaveLength(12)
    expect(summaryOf(proven, 1).join('\n')).toContain('broke: a server did not start')
    expect(summaryOf(proven, 1).at(-1)).toContain('4 not ok: policies faults, policies legal, pki faults, pki legal')
  })

  test.each([
    { noticed: 95, exitCode: 0, line: 'drawn faults: 180 of 200 noticed, 90.0 %: enough' },
    { noticed: 94, exitCode: 1, line: 'drawn faults: 179 of 200 noticed, 89.5 %: TOO FEW' },
  ])('counts drawn faults over all areas: exit code $exitCode', async ({ noticed, exitCode, line }) => {
    let due = 0
    const proven = await all((part) => {
      if (part !== 'drawn') return outcome(true)
      due += 100
      return { ...outcome(true), drawn: { due: 100, noticed: due === 100 ? noticed : 85 } }
    })
    expect(exitCodeOf(proven)).toBe(exitCode)
    expect(summaryOf(proven, 1)).toContain(line)
  })

  test('is not ok if it was cut short, or if there was nothing to prove', async () => {
    const stopped = new AbortController()
    const proven = await all(
      (part) => {
        if (part === 'mutants') stopped.abort()
        return outcome(true)
      },
      { signal: stopped.signal },
    )
    const counts = Map.groupBy(proven, (one) => one.counts)
    expect([...counts].map(([words, some]) => [words, some.length])).toEqual(
      expect.arrayContaining([
        ['7 judgements', 2],
        ['cut short: 7 judgements', 1],
        ['not begun', 13],
      ]),
    )
    expect(exitCodeOf(proven)).toBe(1)
    expect(exitCodeOf([])).toBe(1)
  })
})

describe('a lane', () => {
  /** Stands in for the worker: the name of the part decides what it does. */
  const script = `
    const { parentPort } = require('node:worker_threads')
    const tell = (message) => parentPort.postMessage(message)
    const outcome = { counts: 'seen', isClean: true, lines: [] }
    parentPort.on('message', (told) => {
      if (told === 'stop') return tell({ outcome: { ...outcome, counts: 'stopped' } })
      if (told.part === 'plain') tell({ said: 'half' }), tell({ outcome })
      if (told.part === 'mutants') tell({ broke: 'no server' })
      if (told.part === 'faults') process.exit(3)
      if (told.part === 'legal') throw new Error('thrown')
    })`
  const lane = openLane(() => new Worker(script, { eval: true }))
  afterAll(lane.close)
  const proving = (part: PartName, signal = never, say: Say = () => {}) => lane.run({ area: 'pki', part }, signal, say)

  test('reports the outcome of a part, whatever happened in the part before', async () => {
    const said: string[] = []
    await expect(proving('mutants')).rejects.toThrow('no server')
    await expect(proving('faults')).rejects.toThrow('its thread ended with exit code 3')
    await expect(proving('legal')).rejects.toThrow('thrown')
    expect(await proving('plain', never, (text) => said.push(text))).toMatchObject({ counts: 'seen' })
    expect(said).toEqual(['half'])
  })

  test('passes the abort on to its thread', async () => {
    const stopped = new AbortController()
    const outcome = proving('variations', stopped.signal)
    stopped.abort()
    expect(await outcome).toMatchObject({ counts: 'stopped' })
  })
})
