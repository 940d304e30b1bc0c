import { describe, expect, test } from 'vitest'
import { loadDialect } from '../targets/dialects/index.ts'
import { check, del, get, post, succeeds, topic } from '../vocabulary/index.ts'
import { GroundPool } from './ground-pool.ts'
import { inTurn } from './shared-ground.ts'

const key = 'mount'
const ground = () => ({ values: [], served: new Map(), exchanges: [], frame: [], uses: 0, takeBack: async () => {} })

test.each([
  ['beside', {}, 8],
  ['in', { isInThread: true }, 3],
] as const)('a server %s the thread of the checks gets further grounds, up to a number', async (_, where, wanted) => {
  const pool = new GroundPool(where)
  pool.announce(Array<string>(200).fill(key))
  let made = 0
  const prepare = async () => {
    made++
    return ground()
  }
  const taken = Array.from({ length: 8 }, () => pool.take(key, prepare, (wait) => wait()))
  await Promise.all(taken.slice(0, wanted))
  expect(made).toBe(wanted)
  for (const one of taken) {
    const mine = await one
    if (mine) await pool.giveBack(key, mine)
  }
  expect(made).toBe(wanted)
})

test('after a few grounds that were not as found, no further one is prepared', async () => {
  const pool = new GroundPool()
  pool.announce(Array<string>(12).fill(key))
  let made = 0
  for (let at = 0; at < 12; at++) {
    const taken = await pool.take(
      key,
      async () => {
        made++
        return ground()
      },
      (wait) => wait(),
    )
    if (taken) await pool.throwAway(key, taken, true)
  }
  expect(made).toBe(3)
})

describe('checks that share the only ground of a lock are judged one after another', () => {
  const mounted = (as: string) => post(`sys/mounts/{${as}}`, {}, { undo: del(`sys/mounts/{${as}}`) })
  const [one, other] = [mounted('one'), mounted('other')]
  const reading = { requirement: 'pki.example.made', when: get('sys/health'), then: [succeeds] } as const
  const inOrder = (lock: string, plan: object) => {
    const grounds = [{ lock, givens: [[one], [other]], leave: /^GET sys\/health$/, frame: [] }]
    const given = { a: one, b: other, c: mounted('third'), d: one }
    const checks = Object.entries(given).map(([id, step]) => check(id, { ...reading, lock, given: [step] }))
    const example = topic('pki/errors-example', { about: 'Roles.', names: ['one', 'other', 'third'], grounds, checks })
    return inTurn(example, checks, { dialect: loadDialect('vault'), plan } as never).map(({ id }) => id)
  }
  test.each([
    ['clusters', 'where there are clusters', { target: {} }, ['a', 'd', 'b', 'c']],
    ['clusters', 'but not where nothing is shared', { target: {}, ground: 'own' }, ['a', 'b', 'c', 'd']],
    ['clock', 'where a clock is moved', { target: { control: {} } }, ['a', 'd', 'b', 'c']],
    ['clock', 'but not where time has to be waited for', { target: {} }, ['a', 'b', 'c', 'd']],
  ])('%s: %s', (lock, _how, plan, wanted) => expect(inOrder(lock, plan)).toEqual(wanted))
})
