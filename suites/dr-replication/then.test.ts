import { createMessage, encrypt, readKey } from 'openpgp'
import { describe, expect, test } from 'vitest'
import { type Expectation, type Json, type Reply, type Scope, StepFailed } from '../../harness/vocabulary/index.ts'
import { encodedIn } from '../replication/encoded-token.ts'
import { reply } from '../replication/reply.test-bed.ts'
import { altered } from './attempt.ts'
import { decrypted, type KeyName, keys } from './pgp.ts'
import {
  givesNoToken,
  givesToken,
  hidesFingerprintOf,
  hidesOtp,
  hidesTheToken,
  incomplete,
  isForTheKey,
  isNotForTheKey,
  noProgress,
  showsFingerprintOf,
  showsNoToken,
  whereAdmitted,
  whereShown,
} from './then.ts'

const known: Readonly<Record<string, string>> = { otp: 'one-time' }
const scope = { has: (name: string) => name in known, value: (name: string) => known[name] ?? '' } as unknown as Scope
const meets = async (expectation: Expectation, seen: Reply): Promise<boolean> =>
  (await expectation.judge({ reply: seen, scope }, undefined)) === undefined

/** Encrypts a token to a PGP key as a server does. */
async function encryptedTo(name: KeyName, token: string): Promise<string> {
  const { publicKey } = keys[name]
  const message = await encrypt({
    message: await createMessage({ binary: Buffer.from(token) }),
    encryptionKeys: await readKey({ binaryKey: Buffer.from(publicKey, 'base64') }),
    format: 'binary',
  })
  return Buffer.from(message as Uint8Array).toString('base64')
}

describe('an encoded token', () => {
  test('is at the top level or in data, in a field whose name ends in "token"', () => {
    for (const json of [
      { encoded_token: 'x' },
      { data: { encoded_token: 'x' } },
      { encoded_root_token: 'x', token: 'y', token_type: 'service' },
      { operation_token: 'x', operation_token_ttl: '0s' },
      { encoded: 'x', encoding: 'otp' },
    ])
      expect(encodedIn(reply(json))).toBe('x')
    for (const json of [
      undefined,
      {},
      { encoded_token: '' },
      { encoded_token: null },
      { nonce: 'n', otp: 'o' },
      { token_type: 'x' },
      { token_encoding: 'otp' },
    ])
      expect(encodedIn(reply(json))).toBeUndefined()
  })

  test('is absent from a refusal', async () => {
    expect(await meets(givesToken, reply({ encoded_token: 'x' }, 400))).toBe(false)
    expect(await meets(givesNoToken, reply({ errors: [] }, 400))).toBe(true)
    expect(await meets(givesNoToken, reply({ encoded_token: 'x' }))).toBe(false)
  })

  test('is not another token in the reply to a start', async () => {
    const judged = whereShown(showsNoToken)
    expect(await meets(judged, reply({ attempt_token: 'x', encoded_token: '' }))).toBe(true)
    expect(await meets(judged, reply({ data: { encoded_token: 'x' } }))).toBe(false)
    await expect(meets(judged, reply({}, 400))).rejects.toBeInstanceOf(StepFailed)
  })

  test('is decrypted if it was encrypted with the test key', async () => {
    const message = await encryptedTo('key', 's.token')
    expect(await decrypted(message)).toBe('s.token')
    expect(await meets(isForTheKey, reply({ encoded_token: message }))).toBe(true)
    expect(await meets(isNotForTheKey, reply({ encoded_token: message }))).toBe(false)
    expect(await meets(isNotForTheKey, reply({ encoded_token: await encryptedTo('otherKey', 's.token') }))).toBe(true)
    for (const seen of [reply({ complete: false }), reply({ encoded_token: message }, 400)])
      await expect(meets(isNotForTheKey, seen)).rejects.toBeInstanceOf(StepFailed)
    for (const other of [await encryptedTo('otherKey', 's.token'), 'bm8gbWVzc2FnZQ', '']) {
      expect(await decrypted(other)).toBeUndefined()
      expect(await meets(isForTheKey, reply({ encoded_token: other }))).toBe(false)
    }
  })

  test('may be in a field with an unknown name, which decides nothing', async () => {
    const result = 'a text as long as a token'
    for (const expectation of [givesToken, isForTheKey])
      await expect(meets(expectation, reply({ data: { nonce: 'n', complete: true, result } }))).rejects.toThrow(
        StepFailed,
      )
    expect(await meets(givesToken, reply({ nonce: result, pgp_fingerprint: result, complete: true }))).toBe(false)
  })
})

test('an encrypted token is not also shown in plain text', async () => {
  const token = 's.decrypted'
  const held = { has: () => true, value: () => token } as unknown as Scope
  const judged = async (json: Json, of = held) => hidesTheToken.judge({ reply: reply(json), scope: of }, undefined)
  expect(await judged({ encoded_token: 'wcBMA' })).toBeUndefined()
  for (const form of [token, Buffer.from(token).toString('base64')])
    expect(await judged({ encoded_token: 'wcBMA', data: { form } })).toBeDefined()
  await expect(judged({ encoded_token: 'wcBMA' }, scope)).rejects.toBeInstanceOf(StepFailed)
})

describe('an attempt', () => {
  test('that has ended shows no progress, or nothing at all', async () => {
    for (const seen of [
      reply({ progress: 0 }),
      reply({}),
      reply(undefined, 404),
      reply({ data: null }),
      reply(undefined, 204),
    ])
      expect(await meets(noProgress, seen)).toBe(true)
    expect(await meets(noProgress, reply({ data: { progress: 1 } }))).toBe(false)
  })

  test('that callers without a token may not start is not judged', async () => {
    const judged = whereAdmitted(givesToken)
    await expect(meets(judged, reply({}, 403))).rejects.toBeInstanceOf(StepFailed)
    expect(await meets(judged, reply({}, 405))).toBe(false)
    expect(await meets(judged, reply({}, 400))).toBe(false)
    expect(await meets(judged, reply({ encoded_token: 'x' }))).toBe(true)
  })

  test('is complete if the reply says so', async () => {
    expect(await meets(incomplete, reply({ complete: true }))).toBe(false)
    for (const json of [{ complete: false }, {}]) expect(await meets(incomplete, reply(json))).toBe(true)
  })

  test('must show the one-time password in no field', async () => {
    for (const json of [{ otp: 'x' }, { deep: ['a one-time password'] }])
      expect(await meets(hidesOtp, reply(json))).toBe(false)
    for (const json of [{ otp: '', otp_length: 8 }, {}]) expect(await meets(hidesOtp, reply(json))).toBe(true)
  })

  test('shows the fingerprint of its key in upper or lower case', async () => {
    const { fingerprint } = keys.key
    const inPairs = fingerprint.toUpperCase().replaceAll(/(....)/g, '$1 ')
    const withColons = inPairs.trim().replaceAll(' ', ':')
    for (const seen of [fingerprint, inPairs, withColons]) {
      expect(await meets(showsFingerprintOf('key'), reply({ of: seen }))).toBe(true)
      expect(await meets(hidesFingerprintOf('key'), reply({ of: seen }))).toBe(false)
    }
    for (const seen of ['', fingerprint.slice(1)]) {
      expect(await meets(showsFingerprintOf('key'), reply({ of: seen }))).toBe(false)
      expect(await meets(hidesFingerprintOf('key'), reply({ of: seen }))).toBe(true)
    }
  })
})

test.each(['abc0', 'Zm9v', '0a', 'b'])('an altered %s is different, and has the same format', (key) => {
  expect(altered(key)).not.toBe(key)
  expect(altered(key)).toMatch(/^[\da-zA-Z]+$/)
  expect(altered(key)).toHaveLength(key.length)
})
