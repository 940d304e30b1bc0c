/** Judges each check on the reference server, on the first setting that it applies to. So the tests of the engines need
 * not repeat what a check judges. `npm test` judges one of three checks of the largest areas, and all of the others. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../fixtures/servers/provider/index.ts'
import { requirements, topics } from '../../suites/index.ts'
import { candidatesOf, openJudgedServer } from '../mutation/judged-server.ts'
import { settings } from '../mutation/settings.ts'
import { sampled } from '../tools/prove/sampled.test-bed.ts'
import { areas } from '../vocabulary/index.ts'

const many = 300

let provider: Provider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

test.each(areas)('every check of %s passes, and leaves nothing behind', async (area) => {
  const { iam, sts, control } = provider
  const clusters = area.endsWith('-replication') ? 3 : 1
  const all = candidatesOf(topics.map(({ topic }) => topic).filter((topic) => topic.area === area))
  let left = sampled(all, clusters > 1 || all.length > many ? 3 : 1)
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
