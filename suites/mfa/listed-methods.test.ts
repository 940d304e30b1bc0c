/** A list in a namespace names the methods of the namespaces above, and no statement says that they can be read there. */
import { afterEach, expect, test } from 'vitest'
import { judge } from '../../harness/run/judge.ts'
import { openSession } from '../../harness/run/session.ts'
import { newestReference, type ReferenceServer, referenceTarget, startReference } from '../../harness/targets/mock.ts'
import { resolveTarget } from '../../harness/targets/resolve.ts'
import { addressOf } from '../../harness/vocabulary/index.ts'
import { requirements, topics } from '../index.ts'

let server: ReferenceServer
afterEach(() => server.close())

const wanted = 'mfa-identity/transitions/list-names-nothing-that-is-not-there'

test('a method of a namespace above that is listed is no finding', async () => {
  server = await startReference({ edition: 'premium' })
  const send = async (path: string, body: object) => {
    const headers = { 'x-vault-token': server.rootToken }
    const reply = await fetch(`${server.url}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(reply.status).toBeLessThan(300)
  }
  await send('sys/namespaces/inner', {})
  await send('identity/mfa/method/totp', { issuer: 'Acme' })
  const env = { VAULT_ADDR: server.url, VAULT_NAMESPACE: 'inner' }
  const resolved = resolveTarget({ target: server.url }, env)
  if (resolved === undefined) throw new Error('no target')
  const { headers, provides } = resolved
  expect(headers).toEqual({ 'X-Vault-Namespace': 'inner' })
  const session = await openSession({
    target: { ...referenceTarget(server), headers, provides },
    facts: { edition: 'premium', version: await newestReference(), features: server.features },
    ...{ runId: 'listed', seed: 1, jobs: 1, level: 'should', ceiling: 'scoped', requirements },
  })
  try {
    for (const { topic } of topics)
      for (const check of topic.checks)
        if (addressOf(topic, check) === wanted) {
          const { verdict, mismatches } = await judge(topic, check, session)
          expect([verdict, mismatches]).toEqual(['not-applicable', []])
        }
  } finally {
    await session.close()
  }
})
