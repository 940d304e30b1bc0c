/** Judges each check on the reference server, on the first setting that it applies to. So the tests of the engines need
 * not repeat what a check judges. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../fixtures/servers/provider/index.ts'
import { requirements, topics } from '../../suites/index.ts'
import { candidatesOf, openJudgedServer } from '../mutation/judged-server.ts'
import { settings } from '../mutation/settings.ts'
import { areas } from '../vocabulary/index.ts'

let provider: Provider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

test.each(areas)('every check of %s passes, and leaves nothing behind', async (area) => {
  const { iam, sts, control } = provider
  let left = candidatesOf(topics.map(({ topic }) => topic).filter((topic) => topic.area === area))
  const clusters = area.endsWith('-replication') ? 3 : 1
  for (const setting of settings) {
    if (left.length === 0) break
    const judged = await openJudgedServer(setting, requirements, 1, { provider: { iam, sts, control } }, clusters)
    const before = judged.server.inventory()
    const results = await judged.judgePlainly(left, new AbortController().signal)
    expect(judged.server.inventory()).toEqual(before)
    await judged.close()
    expect(results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')).toEqual([])
    left = left.filter((_, at) => results[at]?.verdict === 'not-applicable')
  }
  expect(left.map(({ address }) => address)).toEqual([])
})
