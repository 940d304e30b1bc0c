import { describe, expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { askingOf, shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await createMockServer())

const ask = askingOf(server)
const policy = (name: string, text: string) =>
  ask('POST', `sys/policies/acl/${name}`).send({ policy: text }).expect(204)
const create = async (body: object, token = server.rootToken) =>
  (await ask('POST', 'auth/token/create', token).send(body).expect(200)).body.auth

const creator = 'path "auth/token/create" { capabilities = ["update"] }'
const sudoer = 'path "auth/token/create*" { capabilities = ["update", "sudo"] }'

describe('creation', () => {
  test('without policies uses those of the parent', async () => {
    expect((await create({})).policies).toEqual(['root'])
    await policy('maker', creator)
    const maker = await create({ policies: ['maker'], no_default_policy: true })
    expect((await create({ no_default_policy: true }, maker.client_token)).policies).toEqual(['maker'])
  })

  test('by a token without sudo is limited to a subset of its own policies', async () => {
    await policy('maker', creator)
    const { client_token: maker } = await create({ policies: ['maker', 'other'] })
    expect((await create({ policies: ['other'] }, maker)).policies).toEqual(['default', 'other'])
    for (const body of [
      { policies: ['third'] },
      { policies: ['root'] },
      { no_parent: true },
      { id: 'x' },
      { period: '1h' },
    ])
      await ask('POST', 'auth/token/create', maker).send(body).expect(400)
  })

  test('by a token with sudo allows every policy except root', async () => {
    await policy('lord', sudoer)
    const { client_token: lord } = await create({ policies: ['lord'] })
    expect((await create({ policies: ['third'] }, lord)).policies).toEqual(['default', 'third'])
    expect((await create({ policies: ['third'], id: 'chosen', no_parent: true }, lord)).client_token).toBe('chosen')
    await ask('POST', 'auth/token/create', lord)
      .send({ policies: ['root'] })
      .expect(400)
    await ask('POST', 'auth/token/create-orphan', lord).send({}).expect(200)
  })
})

describe('lifetime', () => {
  test('a token expires at its TTL', async () => {
    const { client_token: token } = await create({ ttl: '1h' })
    await server.clock.advance(3_590_000)
    await ask('GET', 'auth/token/lookup-self', token).expect(200)
    await server.clock.advance(20_000)
    await ask('GET', 'auth/token/lookup-self', token).expect(403)
    expect(server.inventory().tokens).toHaveLength(1)
  })

  test('a renewal restarts the TTL, up to the maximum', async () => {
    const { client_token: token } = await create({ policies: ['a'], ttl: '1h', explicit_max_ttl: '90m' })
    await server.clock.advance(3_000_000)
    const { body } = await ask('POST', 'auth/token/renew-self', token).send({}).expect(200)
    expect(body.auth.lease_duration).toBeLessThanOrEqual(2400)
    expect(body.auth.lease_duration).toBeGreaterThan(2390)
    await server.clock.advance(2_500_000)
    await ask('GET', 'auth/token/lookup-self', token).expect(403)
  })

  test('a periodic token can be renewed without limit, for its period each time', async () => {
    const { client_token: token } = await create({ policies: ['a'], period: '1h' })
    for (let hour = 0; hour < 1000; hour += 200) {
      await server.clock.advance(3_000_000)
      await ask('POST', 'auth/token/renew-self', token).send({ increment: '9h' }).expect(200)
    }
    const { body } = await ask('GET', 'auth/token/lookup-self', token).expect(200)
    expect(body.data.ttl).toBeLessThanOrEqual(3600)
  })

  test('the root token does not expire; it and tokens that are not renewable cannot be renewed', async () => {
    await server.clock.advance(10 ** 11)
    await ask('GET', 'auth/token/lookup-self').expect(200)
    await ask('POST', 'auth/token/renew-self').send({}).expect(400)
    const { client_token: unrenewable } = await create({ policies: ['a'], renewable: false, ttl: '1h' })
    await ask('POST', 'auth/token/renew').send({ token: unrenewable }).expect(400)
  })
})

describe('revocation', () => {
  test('of a parent revokes its descendants', async () => {
    await policy('maker', creator)
    const parent = await create({ policies: ['maker'] })
    const child = await create({}, parent.client_token)
    const grandchild = await create({}, child.client_token)
    await ask('POST', 'auth/token/revoke-accessor').send({ accessor: parent.accessor }).expect(204)
    for (const { client_token } of [parent, child, grandchild])
      await ask('GET', 'auth/token/lookup-self', client_token).expect(403)
  })

  test('of the children follows the expiry of their parent', async () => {
    await policy('maker', creator)
    const parent = await create({ policies: ['maker'], ttl: '1h' })
    const child = await create({ ttl: '5h' }, parent.client_token)
    await server.clock.advance(3_700_000)
    await ask('GET', 'auth/token/lookup-self', child.client_token).expect(403)
  })

  test('by revoke-orphan leaves the children as orphans', async () => {
    await policy('maker', creator)
    const parent = await create({ policies: ['maker'] })
    const child = await create({}, parent.client_token)
    await ask('POST', 'auth/token/revoke-orphan').send({ token: parent.client_token }).expect(204)
    await ask('GET', 'auth/token/lookup-self', parent.client_token).expect(403)
    const { body } = await ask('GET', 'auth/token/lookup-self', child.client_token).expect(200)
    expect(body.data.orphan).toBe(true)
  })
})

describe('lookup', () => {
  test('listing accessors requires sudo', async () => {
    const { accessor } = await create({ policies: ['a'] })
    const { body } = await ask('LIST', 'auth/token/accessors').expect(200)
    expect(body.data.keys).toContain(accessor)
    await policy('lister', 'path "auth/token/accessors" { capabilities = ["list"] }')
    const { client_token: lister } = await create({ policies: ['lister'] })
    await ask('LIST', 'auth/token/accessors', lister).expect(403)
  })
})
