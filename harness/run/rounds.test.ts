import { expect, test } from 'vitest'
import { ConnectionCut, Late } from '../way/interruptions.ts'
import type { Outcome } from './outcome.ts'
import { type Round, Rounds } from './rounds.ts'

const failed: Outcome = { verdict: 'fail', mismatches: [] }
const passed: Outcome = { verdict: 'pass' }
const undecided: Outcome = { verdict: 'not-verified' }
const undisturbed = { ownSide: undefined, wasClockMoved: false }
const ownSide = { stalledMs: 5000, lateMs: 0, cutOff: 0 }
const cut = new ConnectionCut({ asked: 'LIST things', exchange: 1 }, 'main', 4)

/** Plays the rounds, and returns how many it took, and what came of them. */
function after(rounds: readonly Partial<Round>[], isDisruptive = false) {
  const judged = new Rounds({
    ...{ level: 'must', isDisruptive, deciding: [], asked: 'GET things' },
    statementAbout: () => undefined,
  })
  for (const [index, round] of rounds.entries()) {
    const quiet = { lost: undefined, lostIn: 'when', wentAway: false, mayLag: false, isSettled: false } as const
    const decided = judged.decide({ ...quiet, ...undisturbed, outcome: failed, wasAnswered: true, ...round })
    if (decided) return [index + 1, decided.verdict, decided.blocker?.code]
  }
  return [rounds.length, 'open']
}
const thrice = (round: Partial<Round>): readonly Partial<Round>[] => [round, round, round]
const lost = { outcome: undecided, lost: cut }
const late = { outcome: undecided, lost: new Late({ asked: 'GET things', exchange: 1 }) }

test.each([
  ['nothing disturbed a finding', thrice({}), [1, 'fail']],
  ['the target went away each time', thrice({ wentAway: true }), [3, 'fail']],
  ['the target went away once', [{ wentAway: true }, { outcome: passed }], [2, 'pass']],
  ['all nodes contradict the check', thrice({ mayLag: true }), [3, 'fail']],
  ['a node contradicts it to the end of the patience', thrice({ mayLag: true, isSettled: true }), [1, 'fail']],
  [
    'some nodes contradict it',
    [{ mayLag: true }, { mayLag: true, outcome: passed }],
    [2, 'not-verified', 'nodes-differ'],
  ],
  ['this machine was slow twice', thrice({ ownSide }), [2, 'not-verified', 'own-side']],
  ['this machine was slow once', [{ ownSide }, {}], [2, 'fail']],
  ['the clock was moved twice', thrice({ wasClockMoved: true }), [2, 'fail']],
  ['the clock was moved once', [{ wasClockMoved: true }, { outcome: passed }], [2, 'pass']],
  ['the connection was cut at one request', thrice(lost), [2, 'fail']],
  ['a node may be to blame for that', thrice({ ...lost, mayLag: true }), [2, 'not-verified', 'connection-cut']],
  ['a reply is late once', [late, { outcome: passed }], [2, 'pass']],
  ['a reply is late twice', thrice(late), [2, 'not-verified']],
  ['the target was away at each cut', thrice({ ...lost, wentAway: true }), [3, 'not-verified']],
] as const)('if %s, the check ends accordingly', (_, rounds, wanted) => {
  expect(after(rounds)).toEqual([...wanted, ...(wanted.length === 2 ? [undefined] : [])])
})

test('a disruptive check is judged once', () => {
  expect(after(thrice({ wentAway: true }), true)).toEqual([1, 'fail', undefined])
  expect(after(thrice(lost), true)).toEqual([1, 'not-verified', 'connection-cut'])
})
