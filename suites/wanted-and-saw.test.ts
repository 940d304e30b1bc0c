import { expect, test } from 'vitest'
import type { Expectation, Json, Mismatch, Reply, Scope } from '../harness/vocabulary/index.ts'
import { topics } from './index.ts'

/** The target's own words in a refusal. If `saw` contains them, it has to be a status. */
const targetText = 'words-of-the-target'
const of = (status: number, json?: Json): Reply => ({
  ...{ status, json, headers: {}, text: json === undefined ? '' : JSON.stringify(json), bytes: new Uint8Array() },
  ...{ asked: 'GET x', at: 0 },
})
const replies = [
  of(400, { errors: [targetText] }),
  of(500, { errors: [targetText] }),
  of(404, { errors: [targetText] }),
]
const successes = [of(204), of(200, {}), of(200, { data: {} }), of(200, { data: { keys: ['other'] } })]

const scopeAnswering = (reply: Reply): Scope => ({
  ...{ value: () => 'x', has: () => true, save: () => undefined, fill: (text) => text, send: async () => reply },
  ...{ served: () => [], perform: async () => undefined, poll: async () => reply, patience: 0, immediate: 0 },
  ...{ admit: async () => true, atEnd: () => undefined, provided: () => undefined, note: () => undefined },
  dialect: { id: 'x', prefix: '/v1', tokenHeader: 'x-token', operations: {} },
  facts: {},
  endedRoles: { shown: () => undefined, note: () => undefined },
  time: { now: async () => 0, pass: async () => undefined },
})

/** Returns the mismatch; undefined if there is none, or if the expectation needs more than these replies show. */
async function found(expectation: Expectation, reply: Reply, others: Reply): Promise<Mismatch | undefined> {
  const scope = scopeAnswering(others)
  try {
    return await expectation.judge({ reply, scope }, await expectation.before?.(scope))
  } catch {
    return undefined
  }
}

const isStatus = (text: string): boolean => /^(\d{3}|\dxx)\b/.test(text)

/** Returns whether both are statuses, or neither is one. */
function isOfOneKind({ at, wanted, saw }: Mismatch): boolean {
  if (at === 'status') return isStatus(wanted) && isStatus(saw)
  return !saw.includes(targetText) && !/\bstatus \d{3}\b/.test(saw)
}

const table = new Map(
  topics.flatMap(({ topic }) => topic.checks.flatMap(({ then }) => then.map((one) => [one.words, one] as const))),
)

/** Each reply to the judged request, with the reply to all other requests. */
const pairs = [...replies, ...successes].flatMap((reply) =>
  [reply, ...(reply === replies[0] ? [] : replies.slice(0, 1))].map((others) => [reply, others] as const),
)

test('in every finding, wanted and saw are both statuses or neither is', async () => {
  const findings: { words: string; mismatch: Mismatch }[] = []
  for (const [words, expectation] of table)
    for (const [reply, others] of pairs) {
      const mismatch = await found(expectation, reply, others)
      if (mismatch) findings.push({ words, mismatch })
    }
  expect(findings.length).toBeGreaterThan(table.size)
  const mixed = findings.filter(({ mismatch }) => !isOfOneKind(mismatch))
  expect(mixed.map(({ words, mismatch: { at, wanted, saw } }) => `${words}: ${at} ${wanted}; saw ${saw}`)).toEqual([])
})
