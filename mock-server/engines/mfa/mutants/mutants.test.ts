import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCore } from '../../../test-beds/policies.test-bed.ts'
import { mfaTables } from '../tables.ts'
import { mutants } from './index.ts'

let server: Awaited<ReturnType<typeof openCore>>
beforeAll(async () => {
  server = await openCore()
})
afterAll(() => server.stop())

test.each(mutants)('$id changes only its own variant', ({ id, change }) => {
  const changed = change(mfaTables)
  const [own, other] = id.startsWith('mfa-legacy/')
    ? (['legacy', 'identity'] as const)
    : (['identity', 'legacy'] as const)
  expect(changed[own]).not.toBe(mfaTables[own])
  expect(changed[other]).toBe(mfaTables[other])
})

test('each id occurs once', () => {
  const ids = mutants.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^mfa-(legacy|identity)\/[a-z\d]+(-[a-z\d]+)*$/)
})

/** A mutant may make replies wrong, but it must not crash the server. */
test.each(mutants)('with $id the server never fails with a 5xx status', async ({ id }) => {
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
