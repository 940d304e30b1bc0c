/** Judges checks in spellings and circumstances, behind a server that answers some requests itself. */
import { requirements, topics } from '../../suites/index.ts'
import { type Front, type FrontAnswer, withFront } from '../commands/front.test-bed.ts'
import { announce } from '../ground/shared-ground.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import { clustersFor, referenceTarget, startReference } from '../targets/mock.ts'
import { toldOnce } from '../verdict/told-once.ts'
import { addressOf, type CheckResult } from '../vocabulary/index.ts'
import { callerRulesFor } from './circumstances.ts'
import type { Spread } from './spellings.ts'

export const all = topics.flatMap(({ topic }) => topic.checks.map((check) => ({ topic, check })))

export type Answer = (asked: string, body: string, isOperator: boolean) => FrontAnswer | undefined

/** Judges checks behind a server that answers some requests itself. Returns the results, and the requests. */
export async function judgedBehind(pattern: RegExp, answer: Answer, spread: Spread, among = all) {
  const chosen = among.filter(({ topic, check }) => pattern.test(addressOf(topic, check)))
  const clusters = clustersFor(chosen.map(({ check }) => check))
  const server = await startReference({ edition: 'premium', seed: 1, control: true, testKeys: true, clusters })
  const { url: _, ...target } = referenceTarget(server)
  const results: CheckResult[] = []
  const requests: string[] = []
  try {
    const front: Front = (asked, body, headers) => {
      requests.push(asked)
      return answer(asked, body, headers['x-vault-token'] === server.rootToken)
    }
    await withFront(server.url, front, async (url) => {
      const facts = { edition: 'premium', version: '1.14.0', features: server.features } as const
      const session = await openSession({
        ...{
          target: { ...target, url },
          facts,
          runId: 'spelt',
          seed: 1,
          ceiling: 'disruptive',
          jobs: 1,
          level: 'should',
        },
        ...{ requirements, spread, callerRules: callerRulesFor(all, spread, loadDialect('vault')) },
      })
      announce(chosen, session)
      for (const { topic, check } of chosen) results.push(await judge(topic, check, session))
      await session.close()
    })
  } finally {
    await server.close()
  }
  return { results: toldOnce(results, requirements), requests }
}
