import { expect, test } from 'vitest'
import { pastBugs, strayRules } from '../../suites/history/index.ts'
import { requirements, topics } from '../../suites/index.ts'
import { knownMutants } from '../targets/mock.ts'
import type { PastBug } from '../vocabulary/index.ts'
import { exitCodeOfBugs, linesOfBugs, provePastBugs } from './past-bugs.ts'

test('each bug has a source and is played in one way', async () => {
  const mutants = new Set((await knownMutants()).map(({ id }) => id))
  const ways = ({ open, mutant }: PastBug) => Number(open !== undefined) + Number(mutants.has(mutant ?? ''))
  expect(pastBugs.filter((bug) => ways(bug) !== 1).map(({ id }) => id)).toEqual([])
  expect(strayRules).toEqual([])
  expect(
    pastBugs.filter(
      ({ source }) =>
        !/^(?:Vault|OpenBao|RustyVault|Warden|\w+ (?:engine|monitor) for Vault), (?:mended|seen) in \d/.test(source),
    ),
  ).toEqual([])
  expect(new Set(pastBugs.map(({ id }) => id)).size).toBe(pastBugs.length)
})

/** Two checks of the plugin catalog, which need no other server. */
const few = topics
  .map(({ topic }) => topic)
  .filter(({ id }) => id === 'plugin-catalog/transitions')
  .map((topic) => ({
    ...topic,
    checks: topic.checks.filter(({ id }) => /^(auth-list-drops-what-is-deleted|update-replaces-the-digest)$/.test(id)),
  }))

const prove = (bugs: readonly PastBug[]) =>
  provePastBugs({ bugs, topics: few, requirements, signal: new AbortController().signal })

test('the table says which check noticed a bug, and the rate counts bugs without an excuse', async () => {
  const [first] = pastBugs.filter(({ id }) => id === 'plugins-stay-registered')
  const idle: PastBug = { ...(first as PastBug), id: 'changes-nothing', open: () => (sent, pass) => pass(sent) }
  const proof = await prove([first as PastBug, { ...idle, excuse: 'It changes nothing.' }])
  const [noticed, left] = proof.rows
  expect(noticed).toMatchObject({
    noticedBy: 'plugin-catalog/transitions/auth-list-drops-what-is-deleted',
    noticedAs: 'fail',
  })
  expect(left).toMatchObject({ met: 0 })
  expect(linesOfBugs(proof).at(-1)).toContain(
    '2 bugs, 1 left open by the documents; of 1, 100.0 % noticed, 100.0 % as fail (0 can only be warned of)',
  )
  expect(exitCodeOfBugs(proof)).toBe(0)
  expect(exitCodeOfBugs({ ...proof, rows: [...proof.rows, { bug: idle, met: 0 }] })).toBe(6)
})

test('an excuse for a bug that a check notices is reported', async () => {
  const [bug] = pastBugs.filter(({ id }) => id === 'plugins-digest-in-base64')
  const proof = await prove([{ ...(bug as PastBug), excuse: 'Nobody would see it.' }])
  expect(linesOfBugs(proof)).toContain(
    'plugins-digest-in-base64: plugin-catalog/transitions/update-replaces-the-digest notices it: delete its excuse',
  )
  expect(exitCodeOfBugs(proof)).toBe(6)
})

test('a bug that is only warned of says why, and no other does', async () => {
  const [bug] = pastBugs.filter(({ id }) => id === 'plugins-digest-in-base64')
  const proof = await prove([{ ...(bug as PastBug), implied: 'It follows.' }])
  expect(linesOfBugs(proof)).toContain(
    'plugins-digest-in-base64: plugin-catalog/transitions/update-replaces-the-digest fails by it: delete why it is only implied',
  )
  const rows = proof.rows.map((row) => ({ ...row, bug: bug as PastBug, noticedAs: 'warn' as const }))
  expect(linesOfBugs({ ...proof, rows })).toContain(
    'plugins-digest-in-base64: plugin-catalog/transitions/update-replaces-the-digest only warns of it: say why the documents only imply that it is wrong',
  )
  expect(exitCodeOfBugs({ ...proof, rows })).toBe(6)
  expect(pastBugs.filter(({ excuse, implied }) => excuse !== undefined && implied !== undefined)).toEqual([])
})
