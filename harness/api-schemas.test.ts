/** Compares the generated schemas with real traffic: the requests and replies when checks run on the reference
 * server. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { laws } from '../fixtures/api/index.ts'
import { endpointsOf, schemasOf } from '../fixtures/api/json-schema.ts'
import { siteOf } from '../fixtures/api/sites.ts'
import { startProvider } from '../fixtures/servers/provider/index.ts'
import { requirements, topics } from '../suites/index.ts'
import { judgeOn } from './faults/ground.ts'
import type { Recorded } from './faults/recorder.ts'
import { isAt } from './faults/site.ts'
import { newestReference, referenceTarget, startReference } from './targets/mock.ts'
import { isWhole } from './tools/prove/sampled.test-bed.ts'
import { type Area, addressOf } from './vocabulary/index.ts'

const ajv = new Ajv2020({ strict: true, allErrors: true })

/** Returns all exchanges when checks of an area run on a reference server. */
async function recordedOf(area: Area, most: number): Promise<readonly Recorded[]> {
  const provider = await startProvider()
  const server = await startReference({ edition: 'premium', seed: 1, control: true, testKeys: true })
  try {
    const target = referenceTarget(server)
    const { iam, sts, control } = provider
    const judge = judgeOn({
      target: { ...target, provides: { ...target.provides, provider: { iam, sts, control } } },
      facts: { edition: 'premium', version: await newestReference(), features: server.features },
      ...{
        runId: 'api',
        seed: 1,
        ceiling: 'disruptive',
        jobs: 1,
        level: 'should',
        requirements,
        record: 'none',
        isThrownAway: true,
      },
    })
    const candidates = topics
      .filter(({ topic }) => topic.area === area)
      .flatMap(({ topic }) => topic.checks.map((check) => ({ topic, check, address: addressOf(topic, check) })))
      .filter(({ check }) => !check.needs?.includes('clusters'))
    // The sample is spread over the topics, because one topic sends similar requests.
    const every = Math.max(1, Math.floor(candidates.length / most))
    const selected = candidates.filter((_, index) => index % every === 0)
    const recorded = await Promise.all(selected.map((candidate) => judge.plainly(candidate)))
    return recorded.flatMap((one) => one.recorded)
  } finally {
    await server.close()
    await provider.close()
  }
}

const parsed = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '{}')
  } catch {
    return undefined
  }
}

describe.each(laws)('on the wire of $area', (law) => {
  const schemas = schemasOf(law).map(({ endpoint, request, reply }) => ({
    site: siteOf(endpoint, endpointsOf(law)),
    request: request && ajv.compile(request),
    reply: reply && ajv.compile(reply),
  }))

  test('requests that succeed, and their replies, satisfy the schemas', async () => {
    const served = (await recordedOf(law.area, isWhole ? 60 : 25)).filter(({ reply }) => reply.status < 300)
    const wrong = new Map<string, string>()
    const met = { request: 0, reply: 0 }
    const hold = (what: 'request' | 'reply', validate: ValidateFunction | undefined, one: Recorded, value: unknown) => {
      if (!validate || value === undefined) return
      met[what] += 1
      if (!validate(value))
        wrong.set(
          `${what} of ${one.method} ${one.path}`,
          `${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`,
        )
    }
    for (const one of served)
      for (const { request, reply } of schemas.filter(({ site }) => isAt(one, site))) {
        hold('request', request, one, parsed(one.body))
        hold('reply', reply, one, one.reply.json)
      }
    expect(Object.fromEntries(wrong)).toEqual({})
    expect(met.request).toBeGreaterThan(5)
    expect(met.reply).toBeGreaterThan(5)
  })
})
