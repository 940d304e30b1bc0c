/** Servers that are wrong now and then are never told to be wrong in a spelling or a circumstance only. */
import { expect, test } from 'vitest'
import { requirements, spellings } from '../../suites/index.ts'
import { pageOf } from '../commands/front.test-bed.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import { isWhole } from '../tools/prove/sampled.test-bed.ts'
import type { CheckResult } from '../vocabulary/index.ts'
import { type Answer, all, judgedBehind } from './behind.test-bed.ts'
import { spreadOver } from './spread.ts'

const spread = spreadOver(all, { sites: spellings, dialect: loadDialect('vault'), requirements }, 1)
const rowOf = new Map(requirements.map((row) => [row.id, row]))

/** Returns what is told under a spelling or a circumstance. */
const conditionalIn = (results: readonly CheckResult[]) =>
  results.flatMap(({ id, mismatches }) =>
    mismatches
      .filter(({ requirement = '', saw }) => saw.includes('but only if') || rowOf.get(requirement)?.spelling)
      .map(({ saw }) => `${id}: ${saw}`),
  )

/** Returns a function that is true now and then, in the same order each time. */
function nowAndThen(rate: number, seed: number): () => boolean {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return state / 0x7f_ff_ff_ff < rate
  }
}

const policies = /^policies\/fields\//
const isOfPolicies = /^\w+ \S*\/policies\//

const rates: readonly (readonly [rate: number, seed: number])[] = [[0.25, 2], ...(isWhole ? ([[0.1, 1]] as const) : [])]

test.each(rates)('a server that refuses %d of the requests for policies, by seed %i', async (rate, seed) => {
  const isWrong = nowAndThen(rate, seed)
  let refused = 0
  const answer: Answer = (asked) => {
    if (!isOfPolicies.test(asked) || !isWrong()) return undefined
    refused += 1
    return [500, 'not now']
  }
  const { results } = await judgedBehind(policies, answer, spread)
  expect(refused).toBeGreaterThan(5)
  expect(conditionalIn(results)).toEqual([])
})

test('a server that refuses every second request of one kind', async () => {
  let count = 0
  const answer: Answer = (asked) =>
    /^GET \S*\/policies\/(acl|egp)\//.test(asked) && ++count % 2 === 0 ? [500, 'not now'] : undefined
  const { results } = await judgedBehind(policies, answer, spread)
  expect(conditionalIn(results)).toEqual([])
})

test('a gateway that replies now and then for the server', async () => {
  const isWrong = nowAndThen(0.1, 5)
  const answer: Answer = () => (isWrong() ? pageOf(400) : undefined)
  const { results } = await judgedBehind(policies, answer, spread)
  expect(conditionalIn(results)).toEqual([])
})

test('a server that makes no token for another caller is not judged again because of that one', async () => {
  const others = Object.fromEntries(
    Object.entries(spread).map(([check, varied]) => [check, varied.filter(({ id }) => id === 'other-caller')]),
  )
  const refuse: Answer = (asked) =>
    /auth\/token\/create|^POST \S*\/policies\/egp\//.test(asked) ? [400, 'no more'] : undefined
  const pattern = /^policies\/fields\/egp-/
  const [varied, plain] = [await judgedBehind(pattern, refuse, others), await judgedBehind(pattern, refuse, {})]
  expect(conditionalIn(varied.results)).toEqual([])
  expect(varied.requests.filter((asked) => asked.includes('/egp/')).length).toBe(
    plain.requests.filter((asked) => asked.includes('/egp/')).length,
  )
})
