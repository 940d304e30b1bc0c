import { generateSync } from 'otplib'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Mfa, openMfa, urlIn } from '../../test-beds/mfa.test-bed.ts'

const servers: Mfa[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

let server: Mfa
let entity: string
beforeEach(async () => {
  server = await openMfa()
  servers.push(server)
  ;({ entity } = await server.user())
})

/** Returns the code that an authenticator with this URL shows `steps` periods from now. */
function codeBy(url: URL, steps = 0): string {
  const parameters = Object.fromEntries(url.searchParams)
  const period = Number(parameters.period)
  return generateSync({
    secret: parameters.secret ?? '',
    algorithm: (parameters.algorithm ?? '').toLowerCase() as 'sha1' | 'sha256' | 'sha512',
    digits: Number(parameters.digits) as 6 | 8,
    period,
    epoch: Math.floor(server.clock.now() / 1000) + steps * period,
  })
}

async function armed(fields: object = {}) {
  const { data } = await server.ask('POST identity/mfa/method/totp', { issuer: 'Acme', ...fields })
  const id = String(data.method_id)
  const body = { method_id: id, entity_id: entity }
  const url = urlIn(await server.ask('POST identity/mfa/method/totp/admin-generate', body))
  expect(await server.enforce(id)).toBe(204)
  return {
    id,
    url,
    /** Logs in with a code and returns the token, or an empty text if the login is refused. */
    async login(code: string): Promise<string> {
      const { auth } = await server.login({ 'x-vault-mfa': `${id}:${code}` })
      return auth.client_token ?? ''
    },
    code: (steps?: number) => codeBy(url, steps),
  }
}

const wait = (seconds: number) => server.clock.advance(seconds * 1000)

describe('a code with the login', () => {
  test('is accepted until the last millisecond of its period', async () => {
    const method = await armed({ skew: 0 })
    const code = method.code()
    await server.clock.advance(30_000 - 1)
    expect(await method.login(code)).not.toBe('')
    const next = method.code(1)
    await server.clock.advance(1)
    expect(await method.login(next)).not.toBe('')
  })

  test('is accepted once', async () => {
    const method = await armed()
    expect(await method.login(method.code())).not.toBe('')
    const again = await server.login({ 'x-vault-mfa': `${method.id}:${method.code()}` })
    expect(again).toMatchObject({ status: 403, errors: [expect.stringContaining('already used')] })
    await wait(30)
    expect(await method.login(method.code(-1))).toBe('')
    expect(await method.login(method.code())).not.toBe('')
  })

  test.each(['', '0', '12345', '1234567', 'abcdef', '٣٤٥٦٧٨', ' ', '-12345', 'x'.repeat(10_000)])(
    'is refused if it is %j',
    async (code) => {
      const method = await armed()
      expect(await method.login(encodeURIComponent(code))).toBe('')
    },
  )

  test('may be written as passcode=<code>', async () => {
    const method = await armed()
    expect(await method.login(`passcode=${method.code()}`)).not.toBe('')
  })

  test('for another method is refused', async () => {
    const method = await armed()
    const { status } = await server.login({ 'x-vault-mfa': `other:${method.code()}` })
    expect(status).toBe(403)
  })
})

describe('failures', () => {
  test('are counted up to the maximum; then even the right code is refused for one period', async () => {
    const method = await armed({ max_validation_attempts: 3 })
    for (const wrong of ['000000', '000001', '000002']) expect(await method.login(wrong)).toBe('')
    expect(await method.login(method.code())).toBe('')
    await server.clock.advance(29_999)
    expect(await method.login(method.code(1))).toBe('')
    await server.clock.advance(1)
    expect(await method.login(method.code())).not.toBe('')
  })

  test('with one method do not count for another', async () => {
    const method = await armed({ max_validation_attempts: 1 })
    await method.login('000000')
    const other = await armed({ max_validation_attempts: 1 })
    await server.ask('DELETE identity/mfa/login-enforcement/all')
    expect(await server.enforce(other.id)).toBe(204)
    expect(await other.login(other.code())).not.toBe('')
  })
})

describe('a login without a code', () => {
  const validate = (id: unknown, payload?: unknown, as = '') =>
    server.ask(
      'POST sys/mfa/validate',
      { mfa_request_id: id, ...(payload === undefined ? {} : { mfa_payload: payload }) },
      as,
    )

  async function waiting(fields?: object) {
    const method = await armed(fields)
    const login = await server.login()
    const { mfa_requirement: requirement } = login.auth as unknown as {
      mfa_requirement: { mfa_request_id: string; mfa_constraints: unknown }
    }
    expect(login.auth.client_token).toBe('')
    expect(requirement.mfa_constraints).toEqual({
      all: { any: [{ type: 'totp', id: method.id, uses_passcode: true }] },
    })
    return { ...method, request: requirement.mfa_request_id }
  }

  test('waits for one, and is then granted once', async () => {
    const { id, request, code } = await waiting()
    expect((await validate(request, { [id]: ['000000'] })).status).toBe(403)
    const granted = await validate(request, { [id]: [code()] })
    expect(granted.auth.entity_id).toBe(entity)
    expect((await server.ask('GET auth/token/lookup-self', undefined, granted.auth.client_token)).status).toBe(200)
    expect((await validate(request, { [id]: [code(1)] })).status).toBe(400)
  })

  test('waits for five minutes', async () => {
    const first = await waiting()
    await wait(299)
    expect((await validate(first.request, { [first.id]: [first.code()] })).status).toBe(200)
    const { auth } = await server.login()
    const { mfa_request_id: late } = Reflect.get(auth, 'mfa_requirement') as { mfa_request_id: string }
    await wait(300)
    expect((await validate(late, { [first.id]: [first.code()] })).status).toBe(400)
  })

  test.each([
    ['no payload', undefined, 403],
    ['an empty payload', {}, 403],
    ['another method', { other: ['123456'] }, 403],
    ['a prototype', { ['__proto__']: ['123456'] }, 403],
    ['a text', 'x', 400],
    ['a list', [], 400],
    ['a code that is not a list', { a: '123456' }, 400],
    ['a code that is a number', { a: [123_456] }, 400],
    ['a code that is null', { a: [null] }, 400],
    ['no code', { a: [] }, 403],
  ])('is not granted by %s', async (_, payload, status) => {
    const { request } = await waiting()
    expect((await validate(request, payload)).status).toBe(status)
  })

  test.each([undefined, null, '', 'none', '__proto__', 5, [], {}])('is not found by the request id %j', async (id) => {
    const method = await waiting()
    expect((await validate(id, { [method.id]: [method.code()] })).status).toBe(400)
  })

  test('is refused if its auth method or its entity was deleted, or the entity was disabled', async () => {
    const disabled = await waiting()
    await server.ask(`POST identity/entity/id/${entity}`, { disabled: true })
    expect((await validate(disabled.request, { [disabled.id]: [disabled.code()] })).status).toBe(403)
    await server.ask(`POST identity/entity/id/${entity}`, { disabled: false })
    await server.ask('DELETE sys/auth/people')
    expect((await validate(disabled.request, { [disabled.id]: [disabled.code()] })).status).toBe(403)
    await server.ask(`DELETE identity/entity/id/${entity}`)
    expect((await validate(disabled.request, { [disabled.id]: [disabled.code()] })).status).toBe(403)
  })
})

describe('an enforcement', () => {
  const at = 'identity/mfa/login-enforcement'
  test('is read, listed and deleted; after that, logins need no code', async () => {
    const { id } = await armed()
    const { data } = await server.ask(`GET ${at}/all`)
    expect(data).toMatchObject({ name: 'all', mfa_method_ids: [id], auth_method_types: [] })
    expect((await server.ask(`LIST ${at}`)).data.keys).toEqual(['all'])
    expect((await server.ask(`DELETE identity/mfa/method/totp/${id}`)).status).toBe(400)
    expect((await server.ask(`DELETE ${at}/all`)).status).toBe(204)
    expect((await server.ask(`GET ${at}/all`)).status).toBe(404)
    expect((await server.login()).auth.client_token).not.toBe('')
    expect((await server.ask(`DELETE identity/mfa/method/totp/${id}`)).status).toBe(204)
  })

  test('applies only to the type or the entity that it names', async () => {
    const { id } = await armed()
    const enforce = async (whose: object) => {
      await server.ask(`DELETE ${at}/all`)
      expect((await server.ask(`POST ${at}/all`, { mfa_method_ids: [id], ...whose })).status).toBe(204)
      return (await server.login()).auth.client_token === ''
    }
    expect(await enforce({ auth_method_types: ['userpass'] })).toBe(true)
    expect(await enforce({ auth_method_types: 'github,okta' })).toBe(false)
    expect(await enforce({ identity_entity_ids: [entity] })).toBe(true)
    expect(await enforce({ identity_entity_ids: ['other'] })).toBe(false)
  })

  test('must be satisfied in addition to every other one', async () => {
    const [first, second] = [await armed(), await armed()]
    await server.enforce(first.id, 'all')
    await server.enforce(second.id, 'more')
    const { length } = server.inventory()['login enforcements'] ?? []
    expect(length).toBe(2)
    const header = (...parts: string[]) => ({ 'x-vault-mfa': parts.join(', ') })
    expect((await server.login(header(`${first.id}:${first.code()}`))).status).toBe(403)
    const both = header(`${first.id}:${first.code(1)}`, `${second.id}:${second.code()}`)
    expect((await server.login(both)).auth.client_token).not.toBe('')
  })

  test.each([
    {},
    { mfa_method_ids: [] },
    { mfa_method_ids: ['none'], auth_method_types: ['userpass'] },
    { mfa_method_ids: ['__proto__'], auth_method_types: ['userpass'] },
    { mfa_method_ids: 5, auth_method_types: ['userpass'] },
  ])('with the body %j is refused', async (body) => {
    expect((await server.ask(`POST ${at}/odd`, body)).status).toBe(400)
    expect((await server.ask(`GET ${at}/odd`)).status).toBe(404)
  })

  test('must say whose logins need a code, and name only known accessors', async () => {
    const { id } = await armed()
    for (const whose of [{}, { auth_method_accessors: ['none'] }, { auth_method_types: [] }])
      expect((await server.ask(`POST ${at}/odd`, { mfa_method_ids: [id], ...whose })).status).toBe(400)
  })
})

describe('a path that requires a method of the legacy variant', () => {
  async function guarded() {
    await server.ask('POST sys/mfa/method/totp/phone', { issuer: 'Acme' })
    const made = await server.ask('POST sys/mfa/method/totp/phone/admin-generate', { entity_id: entity })
    const policy = 'path "secret/own" { capabilities = ["create", "update", "read"] mfa_methods = ["phone"] }'
    await server.ask('POST sys/policies/acl/guarded', { policy })
    const { token } = await server.user(['guarded'])
    const write = async (header?: string) =>
      (await server.ask('POST secret/own', { a: 1 }, token, header === undefined ? {} : { 'x-vault-mfa': header }))
        .status
    return { url: urlIn(made), write }
  }

  test('accepts a code once', async () => {
    const { url, write } = await guarded()
    expect(await write()).toBe(403)
    expect(await write('phone')).toBe(403)
    expect(await write('phone:000000')).toBe(403)
    expect(await write(`tablet:${codeBy(url)}`)).toBe(403)
    expect(await write(`phone:${codeBy(url)}`)).toBe(204)
    expect(await write(`phone:${codeBy(url)}`)).toBe(403)
    expect(await write(`phone:${codeBy(url, 1)}`)).toBe(204)
  })

  test('denies every request once the method is deleted', async () => {
    const { url, write } = await guarded()
    await server.ask('DELETE sys/mfa/method/totp/phone')
    expect(await write(`phone:${codeBy(url)}`)).toBe(403)
  })
})
