import { expect, test } from 'vitest'
import { type Json, type Scope, StepFailed } from '../../harness/vocabulary/index.ts'
import { givesKey, hidesPrivateKey } from './public-keys.ts'
import { reply } from './reply.test-bed.ts'

const bytes = Buffer.alloc(32, 7)
const judged = async (json: Json, status = 200) =>
  hidesPrivateKey.judge({ reply: reply(json, status), scope: {} as Scope }, undefined)

test.each<Json>([
  { private_key: bytes.toString('base64') },
  { data: { PrivateKey: bytes.toString('hex') } },
  { pair: '-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----' },
  { pair: 'first\n-----BEGIN EC PRIVATE KEY-----\nMC4CAQ==' },
])('%j has a private key', async (fields) => {
  expect(await judged({ public_key: 'x', ...(fields as object) })).toBeDefined()
})

test.each<Json>([
  {},
  { private_key: '', private_key_type: 'x25519' },
  { private_key: '0b0b0b0b-0000-4000-8000-000000000000' },
  { private_key: 'arn:of:a:module:that/keeps/the/key/and/never/shows/it' },
  { encrypted_private_key: bytes.toString('base64') },
  { pair: '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMC4CAQ==' },
  { pair: '-----BEGIN RSA PRIVATE KEY-----\\nProc-Type: 4,ENCRYPTED\\n\\nMC4CAQ==' },
  { pem: '-----BEGIN PUBLIC KEY-----\nMC4CAQ==' },
])('%j has no private key', async (fields) => {
  expect(await judged({ public_key: 'x', ...(fields as object) })).toBeUndefined()
})

const isGiven = async (json: Json) =>
  (await givesKey.judge({ reply: reply(json), scope: {} as Scope }, undefined)) === undefined

test('a public key is found by the name of its field, which no document shows', async () => {
  for (const name of ['secondary_public_key', 'publicKey', 'key', 'public_key_base64'])
    expect(await isGiven({ data: { [name]: bytes.toString('base64') } })).toBe(true)
  for (const fields of [{}, { public_key: '' }, { public_key_type: 'x25519' }])
    expect(await isGiven({ request_id: 'an-id-of-a-request', data: fields })).toBe(false)
})

test('a text that may be a public key is not judged', async () => {
  for (const fields of [{ pem: bytes.toString('base64') }, { public_key: { kty: 'OKP', x: bytes.toString('base64') } }])
    await expect(isGiven({ data: fields })).rejects.toBeInstanceOf(StepFailed)
})

test('a reply without a public key is not judged', async () => {
  await expect(judged({})).rejects.toBeInstanceOf(StepFailed)
  await expect(judged({ public_key: 'x' }, 400)).rejects.toBeInstanceOf(StepFailed)
})
