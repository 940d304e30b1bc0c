import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { variationOf } from '../../kernel/variation.ts'
import type { MockServerOptions } from '../../server.ts'
import {
  byOneTimePassword,
  byPgp,
  type Ceremony,
  forged,
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

/** The checks judge the same for operation tokens. */
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

  test('count each share, and return the token with the last one', async () => {
    await open()
    const { server, ask } = held
    expect(await read()).toMatchObject(idle)
    const begun = await start()
    expect(begun).toMatchObject({ ...idle, started: true, nonce: expect.stringMatching(/./), pgp_fingerprint: '' })
    expect(begun.otp_length).toBe(String(begun.otp).length)
    const { nonce, otp } = begun
    for (const [index, key] of server.keyShares.slice(0, 2).entries()) {
      const sent = index === 0 ? { key, nonce } : { key: Buffer.from(key, 'base64').toString('hex'), nonce }
      const { status, body } = await ask(`PUT ${path}/update`, sent)
      expect(status).toBe(200)
      expect(body).toMatchObject({ ...idle, started: true, nonce, progress: index + 1 })
      expect(JSON.stringify(body)).not.toContain(otp)
      expect(await read()).toMatchObject({ nonce, progress: index + 1, complete: false })
    }
    const done = await held.give(path, nonce, server.keyShares.slice(4))
    expect(done.body).toMatchObject({ nonce, progress: 3, complete: true })
    expect(byOneTimePassword(done.body.encoded_token, otp)).toMatch(/^s\.\w{24}$/)
    const after = await read()
    // By the document, a complete attempt to make an operation token can still be read; servers of this family forget
    // one to make a root token.
    expect(after).toMatchObject(idle)
    for (const reply of [done.body, after]) expect(JSON.stringify(reply)).not.toContain(otp)
    await refused('POST update', { key: server.keyShares[3], nonce })
    const again = await start()
    expect(again).toMatchObject({ ...idle, started: true, nonce: expect.stringMatching(/./) })
    expect(again.nonce).not.toBe(nonce)
    expect(again.otp).not.toBe(otp)
  })

  test('run one at a time: a second start is refused', async () => {
    await open()
    const begun = await start()
    await held.give(path, begun.nonce, held.server.keyShares.slice(0, 1))
    await refused('POST attempt', {})
    await refused('POST attempt', { pgp_key: pair.field })
    expect((await held.give(path, begun.nonce, held.server.keyShares.slice(1, 3))).body.complete).toBe(true)
  })

  test('begin only once if several are started at the same time', async () => {
    await open()
    const asked = Array.from({ length: 8 }, () => held.ask(`POST ${path}/attempt`, { pgp_key: pair.field }))
    const replies = await Promise.all(asked)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const { nonce } = await read()
    const updates = held.server.keyShares.map((key) => held.ask(`POST ${path}/update`, { key, nonce }))
    const tokens = (await Promise.all(updates)).filter(({ body }) => body.encoded_token)
    expect(tokens).toHaveLength(1)
  })

  test('refuse an invalid share, a repeated share, and the nonce of another attempt', async () => {
    await open()
    const [key = ''] = held.server.keyShares
    await refused('POST update', { key, nonce: 'x' })
    const { nonce: former } = await start()
    expect((await held.ask(`DELETE ${path}/attempt`)).status).toBe(204)
    const { nonce } = await start()
    await refused('POST update', { key, nonce: former })
    await refused('POST update', { key })
    await refused('POST update', { key, nonce: '' })
    await refused('POST update', { nonce })
    await refused('POST update', { key: 'no share', nonce })
    await held.give(path, nonce, [key])
    await refused('POST update', { key, nonce })
    await refused('POST update', { key: Buffer.from(key, 'base64').toString('hex'), nonce })
    expect(await read()).toMatchObject({ progress: 1, nonce })
  })

  test('need all shares again if the shares do not make the root key', async () => {
    await open()
    const { nonce, otp } = await start()
    const [a = '', b = '', c = ''] = held.server.keyShares
    const wrong = await held.give(path, nonce, [a, b, forged(c)])
    expect(wrong.status).toBe(400)
    expect(await read()).toMatchObject({ started: true, nonce, progress: 0, complete: false })
    const { body } = await held.give(path, nonce)
    expect(byOneTimePassword(body.encoded_token, otp)).toMatch(/^s\./)
  })

  test('lose their shares, nonce and PGP key when they are cancelled', async () => {
    await open()
    const { nonce } = await start({ pgp_key: pair.field })
    await held.give(path, nonce, held.server.keyShares.slice(0, 2))
    expect((await held.ask(`DELETE ${path}/attempt`)).status).toBe(204)
    expect(await read()).toMatchObject({ ...idle, pgp_fingerprint: '' })
    const again = await start()
    const { body } = await held.give(path, again.nonce)
    expect(byOneTimePassword(body.encoded_token, again.otp)).toMatch(/^s\./)
    expect((await held.ask(`DELETE ${path}/attempt`)).status).toBe(204)
    expect((await held.ask(`DELETE ${path}/attempt`)).status).toBe(204)
    expect(await read()).toMatchObject(idle)
  })

  test('encrypt the bytes of the token to a PGP key', async () => {
    await open()
    const begun = await start({ pgp_key: pair.field })
    expect(begun).toMatchObject({ pgp_fingerprint: pair.fingerprint })
    expect(begun.otp ?? '').toBe('')
    expect(await read()).toMatchObject({ pgp_fingerprint: pair.fingerprint })
    const { body } = await held.give(path, begun.nonce)
    expect(body).toMatchObject({ complete: true, pgp_fingerprint: pair.fingerprint })
    expect(await byPgp(body.encoded_token, pair)).toMatch(/^s\.\w{24}$/)
  })

  test('do not start with an invalid public key', async () => {
    await open()
    const bad = ['no key', 'AAAA', pair.field.slice(0, 60), ...(await pgpButNoPublicKey(pair))]
    for (const pgp_key of bad) await refused('POST attempt', { pgp_key })
    expect(await read()).toMatchObject(idle)
  })

  test('are available on the right kind of cluster only', async () => {
    await open()
    const { nonce } = await start()
    held.become(!isDrSecondary)
    const [key] = held.server.keyShares
    for (const line of ['GET attempt', 'POST attempt', 'DELETE attempt', 'POST update'])
      expect(
        (await held.ask(line.replace(' ', ` ${path}/`), line === 'POST update' ? { key, nonce } : undefined)).status,
      ).toBe(400)
    held.become(isDrSecondary)
    expect(await read()).toMatchObject({ nonce, progress: 0 })
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
