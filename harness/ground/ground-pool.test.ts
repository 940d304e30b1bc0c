import { expect, test } from 'vitest'
import { loadDialect } from '../targets/dialects/index.ts'
import { check, del, get, post, type SharedGround, succeeds, topic } from '../vocabulary/index.ts'
import { GroundPool } from './ground-pool.ts'
import { inTurn } from './shared-ground.ts'

const key = 'mount'
const ground = () => ({ values: [], served: new Map(), exchanges: [], frame: [], uses: 0, takeBack: async () => {} })

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

test('checks that share the only ground of a lock are judged one after another', () => {
  const mounted = (as: string) => post(`sys/mounts/{${as}}`, {}, { undo: del(`sys/mounts/{${as}}`) })
  const [one, other] = [mounted('one'), mounted('other')]
  const reading = { requirement: 'pki.example.made', when: get('sys/health'), then: [succeeds] } as const
  const of = (id: string, given: typeof one, lock = 'clusters') => check(id, { ...reading, lock, given: [given] })
  const grounds: readonly SharedGround[] = [
    { lock: 'clusters', givens: [[one], [other]], leave: /^GET sys\/health$/, frame: [] },
  ]
  const checks = [of('a', one), of('b', other), of('c', one, 'clock'), of('d', mounted('third')), of('e', one)]
  const example = topic('pki/errors-example', { about: 'Roles.', names: ['one', 'other', 'third'], grounds, checks })
  const inOrder = (plan: { ground?: 'own' }) =>
    inTurn(example, checks, { dialect: loadDialect('vault'), plan }).map(({ id }) => id)
  expect(inOrder({})).toEqual(['a', 'e', 'b', 'c', 'd'])
  expect(inOrder({ ground: 'own' })).toEqual(['a', 'b', 'c', 'd', 'e'])
})
