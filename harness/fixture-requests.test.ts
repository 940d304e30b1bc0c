/** Sends the fixtures that are made from the law to the reference server: it must accept valid requests, and refuse
 * faulty ones. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as cloud from '../fixtures/areas/cloud.ts'
import * as mfaIdentity from '../fixtures/areas/mfa-identity.ts'
import * as mfaLegacy from '../fixtures/areas/mfa-legacy.ts'
import * as performanceReplication from '../fixtures/areas/performance-replication.ts'
import * as pki from '../fixtures/areas/pki.ts'
import * as pluginCatalog from '../fixtures/areas/plugin-catalog.ts'
import * as policies from '../fixtures/areas/policies.ts'
import { type ReferenceServer, startReference } from './targets/mock.ts'

let server: ReferenceServer
beforeAll(async () => {
  server = await startReference({
    mounts: { pki: 'pki', cloud: 'cloud' },
    roles: {
      'pki/web': {
        allow_any_name: true,
        enforce_hostnames: false,
        ttl: '1h',
        key_type: 'ec',
        key_bits: 256,
        allowed_uri_sans: '*',
        allowed_other_sans: '*',
      },
    },
    writes: {
      'pki/root/generate/internal': { common_name: 'ca', key_type: 'ec', key_bits: 256 },
      'sys/replication/performance/primary/enable': {},
    },
  })
})
afterAll(() => server.close())

async function send({
  method,
  path,
  body,
}: {
  readonly method: string
  readonly path: string
  readonly body?: object
}) {
  const reply = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'x-vault-token': server.rootToken },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return `${reply.status} ${reply.status < 300 ? '' : await reply.text()}`.trim()
}

/** The endpoints whose requests need nothing that only a server can provide. */
const areas = [
  ['policies', policies, ['acl.write', 'rgp.write', 'egp.write']],
  ['pki', pki, ['role.write', 'issue', 'config-crl.write', 'config-urls.write', 'sign-intermediate']],
  ['mfa-legacy', mfaLegacy, ['method.write']],
  ['mfa-identity', mfaIdentity, ['method.write']],
  ['cloud', cloud, ['role.write', 'lease.write', 'root.write']],
  ['performance-replication', performanceReplication, ['secondary-token']],
  ['plugin-catalog', pluginCatalog, []],
] as const

test.each(areas.filter(([, , endpoints]) => endpoints.length > 0))(
  '%s: valid requests are accepted',
  async (_, area, endpoints) => {
    const answers: string[] = []
    for (const endpoint of endpoints)
      for (const seed of [1, 2, 3, 4, 5, 6]) {
        const request = area.request.valid(endpoint, {
          seed,
          ...(endpoint === 'issue' ? { names: { name: 'web' } } : {}),
        })
        const answer = await send(request)
        if (!answer.startsWith('20')) answers.push(`${endpoint} ${seed} ${JSON.stringify(request.body)}: ${answer}`)
      }
    expect(answers).toEqual([])
  },
)

describe.each(areas)('%s', (_, area) => {
  test('faulty requests are refused', async () => {
    const answers: string[] = []
    for (const { id, endpoint } of area.faults) {
      const answer = await send(
        area.request.faulty(id, { seed: 99, ...(endpoint === 'issue' ? { names: { name: 'web' } } : {}) }),
      )
      if (!answer.startsWith('4')) answers.push(`${id}: ${answer}`)
    }
    expect(answers).toEqual([])
  })
})
