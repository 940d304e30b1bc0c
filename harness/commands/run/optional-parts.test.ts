import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SessionPlan } from '../../run/session-plan.ts'
import { loadDialect } from '../../targets/dialects/index.ts'
import { knownFacts, knownFeatures, subjectOf } from '../../targets/features.ts'
import { type ReferenceServer, referenceTarget, startReference } from '../../targets/mock.ts'
import type { Area, Facts } from '../../vocabulary/index.ts'
import { type Front, withFront } from '../front.test-bed.ts'
import { findOptionalParts } from './optional-parts.ts'

const servers: Record<string, ReferenceServer> = {}
const dialect = loadDialect('vault')

beforeAll(async () => {
  for (const form of ['newer', 'older'])
    servers[form] = await startReference({
      edition: 'premium',
      seed: 1,
      forms: { cloud: form, 'plugin-catalog': form },
    })
})
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close()
})

async function found(
  form: string,
  declared: Facts = {},
  front: Front = () => undefined,
  areas: readonly Area[] = ['cloud'],
) {
  const server = servers[form] as ReferenceServer
  const { url: _, ...target } = referenceTarget(server)
  const before = server.inventory()
  const seen = await withFront(server.url, front, (url) => {
    const plan: SessionPlan = {
      ...{ target: { ...target, url, declared }, facts: {}, runId: 'parts', seed: 1, ceiling: 'scoped', jobs: 1 },
      ...{ level: 'should', requirements: [] },
    }
    return findOptionalParts(plan, areas, { observed: {}, facts: knownFacts(declared), evidence: {} }, dialect)
  })
  expect(server.inventory()).toEqual(before)
  return seen
}

const ofCloud = (presence: string) =>
  Object.fromEntries(knownFeatures.filter((name) => subjectOf(name) === 'cloud').map((name) => [name, presence]))

describe('the optional parts of the cloud engine', () => {
  test('are all found in the newer form, and all absent in the older form', async () => {
    expect((await found('newer')).facts.features).toEqual(ofCloud('served'))
    expect((await found('older')).facts.features).toEqual(ofCloud('absent'))
  })

  test('are found individually on a server between the forms, whatever form is declared', async () => {
    const withoutSessions: Front = (asked, body) =>
      asked.includes('/roles/') && body.includes('session_t') ? [400, 'unknown field or type'] : undefined
    const between = { ...ofCloud('served'), 'cloud.session-token': 'absent', 'cloud.session-tags': 'absent' }
    for (const declared of [{}, { forms: { cloud: 'newer' } }, { forms: { cloud: 'older' } }]) {
      const { facts, findings, evidence } = await found('newer', declared, withoutSessions)
      expect(facts.features).toEqual(between)
      expect(findings.map(({ code }) => code)).toEqual(['between-forms'])
      expect(findings[0]?.text).toMatch(
        /^this server has only a part of the newer form of cloud: served .*; not served cloud.session-token, cloud.session-tags$/,
      )
      expect(evidence['feature cloud.session-token']).toMatch(
        /roles\/assay-session answered 400, and POST .* answered 20/,
      )
    }
  })

  test('are undecided if everything is refused, and as declared if declared by name', async () => {
    const refusing: Front = (asked) => (/\/v1\/assay-[^/]+\//.test(asked) ? [400, ''] : undefined)
    expect((await found('newer', {}, refusing)).facts.features).toBeUndefined()
    const named = { features: { 'cloud.mfa': 'absent' } } as const
    expect((await found('newer', named)).facts.features).toEqual({ ...ofCloud('served'), 'cloud.mfa': 'absent' })
  })
})

test.each([
  ['newer', 'served'],
  ['older', 'absent'],
] as const)(
  'in the %s form, a registration shows that the optional parts of plugins are %s',
  async (form, presence) => {
    const { facts } = await found(form, {}, undefined, ['plugin-catalog'])
    expect(facts.features).toEqual({ 'plugin-catalog.oci-image': presence, 'plugin-catalog.runtime': presence })
  },
)
