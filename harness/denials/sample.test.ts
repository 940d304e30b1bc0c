import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../fixtures/servers/provider/index.ts'
import { requirements, topics } from '../../suites/index.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { newestReference, referenceTarget, startReference } from '../targets/mock.ts'
import { verdictOf } from '../verdict/verdict.ts'
import { type Area, areas, type CheckResult } from '../vocabulary/index.ts'
import { proveDenials } from './proof.ts'

const all = topics.map(({ topic }) => topic)
/** Leaves out the replication areas, whose checks need clusters and are slow. `npm run prove` proves those. */
const sampled = areas.filter((area) => !area.endsWith('-replication'))
/** The seed of the sample. Another number proves another part. */
const seed = Number(process.env.ASSAY_DENIALS_SEED ?? 1)
/** Of each area, only one of this many denials is played. */
const denialStep = 23
/** Returns a step by which at most 40 checks of an area are judged. */
const stepOf = (area: Area): number =>
  Math.max(7, Math.ceil(all.filter((topic) => topic.area === area).flatMap(({ checks }) => checks).length / 40))

let provider: Provider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

const parts = () => {
  const { iam, sts, control } = provider
  const signal = new AbortController().signal
  return { topics: all, requirements, provides: { provider: { iam, sts, control } }, signal }
}

test.each(sampled)('%s: a check that lacks a capability is not verified, and names it', async (area) => {
  const step = stepOf(area)
  let count = 0
  const { denials, lost, troubles } = await proveDenials({
    ...parts(),
    area,
    isPlayed: (_, index) => index % denialStep === seed % denialStep,
    isJudged: () => count++ % step === seed % step,
  })
  expect(troubles).toEqual([])
  expect(denials).toBeGreaterThan(0)
  expect(lost).toBeGreaterThan(0)
})

test('a denied definition of MFA methods is no choice of the target', async () => {
  const { judged, lost, troubles } = await proveDenials({
    ...parts(),
    area: 'mfa-identity',
    isPlayed: ({ path, capabilities }) => path === 'identity/mfa/method/totp' && capabilities.includes('update'),
    isJudged: (address) => /^mfa-identity\/access-login\/(login-takes-a-code|skew-)/.test(address),
  })
  expect(troubles).toEqual([])
  expect(judged).toBeGreaterThan(5)
  expect(lost).toBe(judged)
})

test('where lists are denied, the check of the method LIST names the capability', async () => {
  const { judged, lost, troubles } = await proveDenials({
    ...parts(),
    area: 'pki',
    isPlayed: ({ path, capabilities }) => path === 'assay-*' && capabilities.join() === 'list',
    isJudged: (address) => address.endsWith('/lists-are-served-by-the-method-list'),
  })
  expect(troubles).toEqual([])
  expect({ judged, lost }).toEqual({ judged: 1, lost: 1 })
})

test('after a way back was denied, the next check that gives a role names the capability that was missing', async () => {
  const { judged, lost, troubles } = await proveDenials({
    ...parts(),
    area: 'dr-replication',
    tellsHeld: false,
    isPlayed: ({ path }) => path === 'sys/replication/dr/primary/disable',
    isJudged: (address) => /\/(primary-enable-makes-a-primary|demote-makes-a-secondary)$/.test(address),
  })
  expect(troubles).toEqual([])
  expect({ judged, lost }).toEqual({ judged: 2, lost: 1 })
})

test('a token that is revoked in mid-run decides nothing more', async () => {
  const server = await startReference({ edition: 'premium', control: true })
  try {
    const session = await openSession({
      target: referenceTarget(server),
      facts: { edition: 'premium', version: await newestReference() },
      ...{ runId: 'revoked', seed: 1, ceiling: 'scoped', jobs: 1, level: 'should', requirements, record: 'none' },
    })
    const candidates = all
      .filter(({ id }) => /^policies\/(fields|access-rgp|access-egp-reach)$/.test(id))
      .flatMap((topic) => topic.checks.map((check) => ({ topic, check })))
    const results: CheckResult[] = []
    for (const [index, { topic, check }] of candidates.entries()) {
      if (index === 20) await revokeRoot(server)
      results.push(await judge(topic, check, session))
    }
    await session.close()
    expect(new Set(results.slice(0, 20).map(({ verdict }) => verdict))).toEqual(new Set(['pass']))
    const later = results.slice(20).filter(({ blocker }) => blocker?.code !== 'above-the-ceiling')
    expect(later.length).toBeGreaterThan(20)
    expect(new Set(later.map(({ verdict, blocker }) => `${verdict} ${blocker?.code}`))).toEqual(
      new Set(['not-verified token-lost']),
    )
    const whole = { interrupted: false, leftBehind: [], defects: [], regressed: [], outdated: [] }
    const open = { asked: [], absentAreas: [], leftOut: [], isShard: false }
    expect(verdictOf({ checks: results, ...whole, ...open }).exitCode).toBe(3)
  } finally {
    await server.close()
  }
})

async function revokeRoot({ url, rootToken }: { readonly url: string; readonly rootToken: string }): Promise<void> {
  const headers = { 'X-Vault-Token': rootToken }
  const reply = await fetch(`${url}/v1/auth/token/revoke-self`, { method: 'POST', headers })
  expect(reply.status).toBe(204)
}
