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
import { toldOnce } from '../verdict/told-once.ts'

const facts = async ({ forms }: ReferenceServer) =>
  ({ edition: 'premium', version: await newestReference(), forms }) as const

/** Judges some checks at a server, or at what stands before it. */
async function judged(at: ReferenceServer, wanted: RegExp, url = at.url) {
  const session = await openSession({
    target: { ...referenceTarget(at), url, patienceSeconds: 1 },
    facts: await facts(at),
    ...{ runId: 'onecause', seed: 1, jobs: 8, level: 'should', ceiling: 'scoped', requirements },
  })
  const own = candidatesOf(topics.map(({ topic }) => topic)).filter(({ address }) => wanted.test(address))
  try {
    return await Promise.all(own.map(({ topic, check }) => judge(topic, check, session)))
  } finally {
    await session.close()
  }
}

let server: ReferenceServer
beforeAll(async () => {
  server = await startReference({ edition: 'premium', control: true, seed: 1, testKeys: true })
})
afterAll(() => server.close())

test('a list that is not served is the single cause of all findings about it', async () => {
  const listing = /^LIST \/v1\/sys\/plugins\/catalog|^GET \/v1\/sys\/plugins\/catalog\/\w+\?list=true/
  const checks = await withFront(
    server.url,
    (asked) => (listing.test(asked) ? [405, 'unsupported operation'] : undefined),
    (url) => judged(server, /^plugin-catalog\/transitions\/.*-list-/, url),
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

test('a CA that outlives the next one does not hide that the certificate of a deleted one is gone', async () => {
  await using faulty = await startReference({
    ...{ edition: 'premium', control: true, seed: 1 },
    mutants: [
      'pki/config-ca-is-ignored-with-a-ca',
      'pki/set-signed-keeps-the-old-certificate',
      'pki/root-delete-removes-the-certificate-of-a-submitted-ca',
      'pki/root-delete-removes-the-certificate-of-a-signed-ca',
    ],
  })
  const checks = await judged(
    faulty,
    /^pki\/transitions.*\/(.*-certificate-overrides-the-old-one|set-signed-(replaces-an-earlier|makes-the)-ca|certificate-of-a-deleted-.*-ca-is-readable)$/,
  )
  const failed = toldOnce(checks, requirements).filter(({ verdict }) => verdict === 'fail')
  expect(new Set(failed.map(({ id }) => id.split('/')[2]))).toEqual(
    new Set([
      ...['submitted-certificate-overrides-the-old-one', 'set-signed-replaces-an-earlier-ca'],
      ...['submitted', 'signed'].map((origin) => `certificate-of-a-deleted-${origin}-ca-is-readable`),
    ]),
  )
})

test('a list that is not served says nothing about private keys', async () => {
  const listing = /^(LIST|GET) \/v1\/[^/]+\/certs/
  const checks = await withFront(
    server.url,
    (asked) => (listing.test(asked) ? [500, 'not supported'] : undefined),
    (url) => judged(server, /^pki\/fields-.*\/(issued-certificate-is-listed|private-keys-of-.*-are-not-listed)$/, url),
  )
  expect(toldOnce(checks, requirements).map(({ id, verdict }) => [id.split('/')[2], verdict])).toEqual(
    expect.arrayContaining([
      ['issued-certificate-is-listed', 'fail'],
      ['private-keys-of-issued-certificates-are-not-listed', 'not-verified'],
    ]),
  )
})
