import { describe, expect, test } from 'vitest'
import { openMfa } from '../../test-beds/mfa.test-bed.ts'
import { shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await openMfa())

const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
const owners = { legacy: 'sys/mfa/method/totp/phone', identity: `identity/mfa/method/totp/${id}` } as const
const statusOf = async (line: string, body?: object, as?: string) => (await server.ask(line, body, as)).status

describe.each(Object.values(owners))('%s', (path) => {
  const define = (body: object) => statusOf(`POST ${path}`, body)
  const read = async () => (await server.ask(`GET ${path}`)).data

  test.each([
    ['period', '90', 90],
    ['key_size', 1, 1],
    ['key_size', 1024, 1024],
    ['qr_size', 0, 0],
    ['qr_size', 4096, 4096],
    ['digits', '8', 8],
    ['max_validation_attempts', 1, 1],
    ['max_validation_attempts', 0, 5],
    ['issuer', 'ö ?&#%', 'ö ?&#%'],
  ])('stores %s %j', async (field, given, kept) => {
    expect(await define({ issuer: 'Acme', [field]: given })).toBeLessThan(300)
    expect((await read())[field]).toBe(kept)
  })

  test.each([
    ...['', null, {}, ['a', 'b'], 'x'.repeat(1025)].map((value) => ['issuer', value] as const),
    ...[0, -1, '-30', '500ms', 'soon', '1e400', 1e300, [], {}, true].map((value) => ['period', value] as const),
    ...[0, -1, 1025, 1.5, 'many', 1e300, []].map((value) => ['key_size', value] as const),
    ...[-1, 4097, 1.5, 'wide', {}].map((value) => ['qr_size', value] as const),
    ...['MD5', 'sha1', 'SHA-1', '__proto__', 'constructor', 1, []].map((value) => ['algorithm', value] as const),
    ...[5, 7, 9, 0, -6, 6.5, 'six', '6x', [6]].map((value) => ['digits', value] as const),
    ...[2, -1, 0.5, 'one'].map((value) => ['skew', value] as const),
    ...[-1, 2.5, 'often'].map((value) => ['max_validation_attempts', value] as const),
  ])('refuses %s %j, and stores nothing', async (field, given) => {
    expect(await define({ issuer: 'Acme', [field]: given })).toBe(400)
    expect(await statusOf(`GET ${path}`)).toBe(404)
  })
})

describe('the identity variant', () => {
  const at = 'identity/mfa/method/totp'
  test('accepts ids in either letter case, and refuses a text that is not a UUID', async () => {
    await server.ask(`POST ${at}/${id.toUpperCase()}`, { issuer: 'Acme' })
    expect((await server.ask(`GET ${at}/${id}`)).data.id).toBe(id)
    for (const other of ['phone', '__proto__', `${id}0`, id.replaceAll('-', '')])
      expect(await statusOf(`POST ${at}/${other}`, { issuer: 'Acme' })).toBe(400)
  })
})

test('the identity variant keeps the name in the body', async () => {
  const at = `identity/mfa/method/totp/${id}`
  await server.ask(`POST ${at}`, { issuer: 'Acme', method_name: 'corp' })
  await server.ask(`POST ${at}`, { issuer: 'Other' })
  expect((await server.ask(`GET ${at}`)).data).toMatchObject({ name: 'corp', issuer: 'Other' })
})

test('the legacy variant accepts any name, and has no LIST', async () => {
  for (const name of ['__proto__', 'constructor', 'a%20b', 'totp']) {
    expect(await statusOf(`POST sys/mfa/method/totp/${name}`, { issuer: 'Acme' })).toBe(204)
    expect((await server.ask(`GET sys/mfa/method/totp/${name}`)).data.name).toBe(decodeURIComponent(name))
  }
  expect(await statusOf('LIST sys/mfa/method/totp')).toBe(404)
})

describe('where the variants are served', () => {
  test.each([
    ['1.14.0', 'premium', undefined, [200, 204]],
    ['1.14.0', 'enterprise', undefined, [200, 204]],
    ['1.14.0', 'community', undefined, [200, 404]],
    ['0.8.0', 'premium', undefined, [200, 204]],
    ['1.14.0', 'premium', 'mfa-legacy', [200, 404]],
    ['1.14.0', 'premium', 'mfa-identity', [404, 204]],
  ] as const)('%s %s, without %s', async (version, edition, absent, statuses) => {
    const other = await openMfa({ version, edition, ...(absent ? { forms: { [absent]: 'absent' } } : {}) })
    const define = async (path: string) => (await other.ask(`POST ${path}`, { issuer: 'Acme' })).status
    expect([await define('identity/mfa/method/totp'), await define('sys/mfa/method/totp/phone')]).toEqual(statuses)
    await other.close()
  })
})
