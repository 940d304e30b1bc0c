import { expect, test } from 'vitest'
import { openMfa } from '../../test-beds/mfa.test-bed.ts'

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
