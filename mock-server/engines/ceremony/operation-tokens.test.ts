import { afterEach, expect, test } from 'vitest'
import type { MockServerOptions } from '../../server.ts'
import { byOneTimePassword, type Ceremony, dr, openCeremony, operation } from '../../test-beds/ceremony.test-bed.ts'

let held: Ceremony
afterEach(() => held.server.close())

async function open(options: MockServerOptions = {}): Promise<void> {
  held = await openCeremony(options)
}

async function generate(): Promise<string> {
  const { body } = await held.ask(`POST ${operation}/attempt`)
  const done = await held.give(operation, body.nonce)
  return byOneTimePassword(done.body.encoded_token, body.otp)
}
const isLive = (token: string) => held.extensions.operationTokens?.isLive(token)
const remove = async (sent?: object) => (await held.ask(`POST ${dr}/operation-token/delete`, sent)).status

test('an operation token is not a client token', async () => {
  await open()
  const token = await generate()
  held.become(false)
  expect((await held.ask('GET auth/token/lookup-self', undefined, token)).status).toBe(403)
})

test('operation tokens are deleted on DR secondaries only, and end with that role', async () => {
  await open()
  const token = await generate()
  await held.ask(`POST ${operation}/attempt`)
  held.become(false)
  expect(await remove({ dr_operation_token: token })).toBe(400)
  expect(isLive(token)).toBe(true)
  held.extensions.operationTokens?.end()
  held.become(true)
  expect(isLive(token)).toBe(false)
  expect((await held.ask(`GET ${operation}/attempt`)).body).toMatchObject({ started: false, nonce: '' })
})

test('the inventory counts operation tokens without revealing them', async () => {
  await open()
  const token = await generate()
  const { 'operation tokens': names = [] } = held.server.inventory()
  expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/)])
  expect(token).not.toContain(names[0])
})
