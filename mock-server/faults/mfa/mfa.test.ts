import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMfa } from '../../test-beds/mfa.test-bed.ts'
import { openCore } from '../../test-beds/policies.test-bed.ts'
import { mfaFaults } from './index.ts'

let server: Awaited<ReturnType<typeof openCore>>
beforeAll(async () => {
  server = await openCore()
})
afterAll(() => server.stop())

/** A fault may make replies wrong, but it must not crash the server. */
test.each(mfaFaults)('with $id the server never fails with a 5xx status', async ({ id }) => {
  server.reset()
  server.loadMutants([id])
  const { id: entity } = (await server.ask('POST identity/entity', { name: 'ann' })).data
  const statuses: number[] = []
  const ask = async (line: string, body?: object) => statuses.push((await server.ask(line, body)).status)
  for (const fields of [{}, { issuer: 'a' }, { issuer: 'b', digits: 7, skew: -1, algorithm: 'MD5' }]) {
    const method = (await server.ask('POST identity/mfa/method/totp', fields)).data.method_id
    await ask('POST sys/mfa/method/totp/phone', fields)
    for (const entity_id of [undefined, 'none', entity]) {
      await ask('POST identity/mfa/method/totp/admin-generate', { method_id: method, entity_id })
      await ask('POST sys/mfa/method/totp/phone/admin-generate', { entity_id })
      await ask('POST sys/mfa/method/phone/admin-destroy', { entity_id })
    }
    await ask(`GET identity/mfa/method/totp/${method}`)
    await ask('LIST identity/mfa/method/totp')
  }
  server.loadMutants([])
  expect(statuses.filter((status) => status >= 500)).toEqual([])
})

/** Both variants serve the same extension point, and each namespace has a set of faults. */
test('faults of both variants are unloaded again, and what they remember is saved', async () => {
  await using mfa = await openMfa()
  const logsIn = async () => {
    const { entity } = await mfa.user()
    await mfa.ask('POST sys/mfa/method/totp/phone', { issuer: 'a' })
    const generate = async () =>
      'url' in (await mfa.ask('POST sys/mfa/method/totp/phone/admin-generate', { entity_id: entity })).data
    await generate()
    await mfa.login()
    return generate()
  }
  const both = ['mfa-legacy/secrets-end-with-a-login', 'mfa-identity/secrets-end-with-a-login']
  mfa.watchMutants(() => {})
  mfa.loadMutants(both)
  expect(await logsIn()).toBe(true)
  mfa.watchMutants(() => {})
  mfa.loadMutants([])
  expect(await logsIn()).toBe(false)

  mfa.loadMutants(['mfa-identity/list-keeps-deleted'])
  const { method_id } = (await mfa.ask('POST identity/mfa/method/totp', { issuer: 'b' })).data
  await mfa.ask(`DELETE identity/mfa/method/totp/${method_id}`)
  const saved = mfa.snapshot()
  const listed = async () => [(await mfa.ask('LIST identity/mfa/method/totp')).data.keys ?? []].flat()
  expect(await listed()).toContain(method_id)
  await mfa.reset()
  expect(await listed()).not.toContain(method_id)
  mfa.restore(saved)
  expect(await listed()).toContain(method_id)
})
