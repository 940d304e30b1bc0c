import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { variationOf } from '../../kernel/variation.ts'
import type { MockServerOptions } from '../../server.ts'
import {
  byOneTimePassword,
  type Ceremony,
  openCeremony,
  operation,
  type PgpPair,
  pgpButNoPublicKey,
  pgpPair,
  root,
} from '../../test-beds/ceremony.test-bed.ts'

let held: Ceremony
let pair: PgpPair
beforeAll(async () => {
  pair = await pgpPair()
})
afterEach(() => held.server.close())

const idle = { started: false, nonce: '', progress: 0, required: 3, complete: false, encoded_token: '' }

/** The checks judge operation tokens, which are made in the same way. */
describe('attempts to make root tokens', () => {
  const [path, isDrSecondary] = [root, false]
  const open = async (options: MockServerOptions = {}) => {
    held = await openCeremony({ ...options, isDrSecondary })
  }
  const start = async (sent: object = {}) => (await held.ask(`POST ${path}/attempt`, sent)).body
  const read = async () => (await held.ask(`GET ${path}/attempt`)).body
  const refused = async (line: string, sent?: object) => {
    const before = await read()
    expect((await held.ask(`${line.replace(' ', ` ${path}/`)}`, sent)).status).toBe(400)
    expect(await read()).toEqual({ ...before, request_id: expect.anything() })
  }

  test('take shares in either encoding, each once, and are forgotten once they are complete', async () => {
    await open()
    const [first = '', ...others] = held.server.keyShares
    const { nonce, otp } = await start()
    const key = Buffer.from(first, 'base64').toString('hex')
    expect((await held.ask(`PUT ${path}/update`, { key, nonce })).body).toMatchObject({ progress: 1 })
    await refused('POST update', { key: first, nonce })
    await refused('POST update', { key: 'no share', nonce })
    const { body } = await held.give(path, nonce, others.slice(0, 2))
    expect(byOneTimePassword(body.encoded_token, otp)).toMatch(/^s\.\w{24}$/)
    expect(await read()).toMatchObject(idle)
  })

  test('give one token if all shares come at the same time', async () => {
    await open()
    const { nonce } = await start()
    const updates = held.server.keyShares.map((key) => held.ask(`POST ${path}/update`, { key, nonce }))
    expect((await Promise.all(updates)).filter(({ body }) => body.encoded_token)).toHaveLength(1)
  })

  test('do not start with an invalid public key', async () => {
    await open()
    const bad = ['no key', 'AAAA', pair.field.slice(0, 60), ...(await pgpButNoPublicKey(pair))]
    for (const pgp_key of bad) await refused('POST attempt', { pgp_key })
    expect(await read()).toMatchObject(idle)
  })

  test('are forgotten when the server is reset', async () => {
    await open()
    await start()
    expect(held.server.inventory()['attempts under way']).toEqual(['root token'])
    await held.server.reset()
    held.become(isDrSecondary)
    expect(await read()).toMatchObject(idle)
    expect(held.server.inventory()['attempts under way']).toEqual([])
  })

  test.each([1, 2, 3, 4, 5, 6])(
    'look the same to a client that reads fields from data or from the top level (variation %i)',
    async (variation) => {
      await open({ variation })
      const { nonce, otp } = await start()
      const { body } = await held.give(path, nonce)
      expect(body).toMatchObject({ nonce, complete: true })
      if (otp === undefined) expect(variationOf(variation).oneTimePassword).toBe('kept')
      else expect(byOneTimePassword(body.encoded_token, otp).length).toBe(String(otp).length)
      expect([true, false]).toContain((await read()).complete)
    },
  )
})

test('an attempt ends when the cluster gets another root key', async () => {
  held = await openCeremony({ isDrSecondary: false })
  const { body } = await held.ask(`POST ${root}/attempt`)
  await held.give(root, body.nonce, held.server.keyShares.slice(0, 2))
  const other = await openCeremony({ seed: 2 })
  held.adoptKeysOf(other)
  expect((await held.ask(`GET ${root}/attempt`)).body).toMatchObject({ ...idle, started: false })
  const again = await held.ask(`POST ${root}/attempt`)
  expect((await held.give(root, again.body.nonce, other.server.keyShares.slice(0, 3))).body).toMatchObject({
    complete: true,
  })
  await other.server.close()
})

test('one share is enough if the root key has only one', async () => {
  held = await openCeremony({ isDrSecondary: false, initialized: false })
  await held.ask('POST sys/init', { secret_shares: 1, secret_threshold: 1 })
  const { body } = await held.ask(`POST ${root}/attempt`)
  const done = await held.give(root, body.nonce, held.server.keyShares)
  const token = byOneTimePassword(done.body.encoded_token, body.otp)
  expect((await held.ask('GET auth/token/lookup-self', undefined, token)).body.policies).toEqual(['root'])
})

test('a generated root token has the root policy, and lives until it is revoked', async () => {
  held = await openCeremony({ isDrSecondary: false })
  const { body } = await held.ask(`POST ${root}/attempt`)
  const done = await held.give(root, body.nonce)
  const token = byOneTimePassword(done.body.encoded_token, body.otp)
  expect((await held.ask('GET auth/token/lookup-self', undefined, token)).body).toMatchObject({
    policies: ['root'],
    ttl: 0,
  })
  await held.ask('POST auth/token/revoke-self', {}, token)
  expect((await held.ask('GET auth/token/lookup-self', undefined, token)).status).toBe(403)
})

test('the community edition generates root tokens, but not operation tokens', async () => {
  held = await openCeremony({ edition: 'community', isDrSecondary: false })
  const { rootToken } = held.server
  expect((await held.ask(`POST ${operation}/attempt`, {}, rootToken)).status).toBe(404)
  expect((await held.ask(`POST ${root}/attempt`, {})).status).toBe(200)
})

test.each([26, 28])('a root token is encoded with a password of %i characters from the caller', async (length) => {
  held = await openCeremony({ isDrSecondary: false })
  const otp = 'x'.repeat(length)
  expect((await held.ask(`POST ${root}/attempt`, { otp: 'short' })).status).toBe(400)
  expect((await held.ask(`POST ${root}/attempt`, { otp, pgp_key: 'AAAA' })).status).toBe(400)
  const { body } = await held.ask(`POST ${root}/attempt`, { otp })
  expect(body).toMatchObject({ started: true, otp_length: length })
  expect(JSON.stringify(body)).not.toContain(otp)
  const token = byOneTimePassword((await held.give(root, body.nonce)).body.encoded_token, otp)
  expect(token).toHaveLength(length)
  expect((await held.ask('GET auth/token/lookup-self', undefined, token)).body.policies).toEqual(['root'])
})
