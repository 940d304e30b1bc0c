/** A single fault of a server that breaks many checks is reported as one cause. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths, requirements, topics } from '../../suites/index.ts'
import { withFront } from '../commands/front.test-bed.ts'
import { sampleResult } from '../commands/output/sample-results.test-bed.ts'
import { summary } from '../commands/output/summary.ts'
import { candidatesOf } from '../mutation/judged-server.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { newestReference, type ReferenceServer, referenceTarget, startReference } from '../targets/mock.ts'

let server: ReferenceServer
beforeAll(async () => {
  server = await startReference({ edition: 'premium', control: true, seed: 1 })
})
afterAll(() => server.close())

test('a list that is not served is the single cause of all findings about it', async () => {
  const listing = /^LIST \/v1\/sys\/plugins\/catalog|^GET \/v1\/sys\/plugins\/catalog\/\w+\?list=true/
  const checks = await withFront(
    server.url,
    (asked) => (listing.test(asked) ? [405, 'unsupported operation'] : undefined),
    async (url) => {
      const session = await openSession({
        target: { ...referenceTarget(server), url, patienceSeconds: 1 },
        facts: { edition: 'premium', version: await newestReference(), forms: server.forms },
        ...{ runId: 'onecause', seed: 1, jobs: 8, level: 'should', ceiling: 'scoped', requirements },
      })
      const own = candidatesOf(topics.map(({ topic }) => topic)).filter(({ address }) =>
        /^plugin-catalog\/transitions\/.*-list-/.test(address),
      )
      try {
        return await Promise.all(own.map(({ topic, check }) => judge(topic, check, session)))
      } finally {
        await session.close()
      }
    },
  )
  const document = sampleResult({ checks, paths, requirements })
  const found = document.causes.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  expect(found.map(({ says }) => says)).toEqual(['`LIST sys/plugins/catalog/auth` answers 405'])
  expect(found[0]?.requirements?.toSorted()).toEqual(
    ['auth', 'database', 'secret'].map((type) => `plugin-catalog.list.${type}`),
  )
  expect(found[0]?.checks.length).toBe(3)
  const blocked = document.causes.filter(({ verdict }) => verdict === 'not-verified')
  expect(blocked.map(({ says, checks }) => [says, checks.length])).toEqual([
    [expect.stringMatching(/^`LIST sys\/plugins\/catalog\/auth`.* 405 unsupported operation/), 6],
  ])
  const [first] = summary(document, (_style, text) => text).split('\n')
  expect(first).toMatch(
    / 3 of 3 must sentences are contradicted: “.+” \(`LIST sys\/plugins\/catalog\/auth` answers 405\)/,
  )
})
