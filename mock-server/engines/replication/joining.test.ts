import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  at,
  type Bed,
  inStep,
  join,
  kinds,
  makeBed,
  type Party,
  tokenFor,
  valueAt,
} from '../../test-beds/replication.test-bed.ts'

let bed: Bed
let first: Party
let second: Party
let silent: Server
beforeAll(async () => {
  bed = await makeBed()
  ;[first, second] = bed.parties
  silent = createServer((_request, response) => response.writeHead(500).end())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await bed.cluster.reset()
  for (const party of bed.parties) party.token = party.server.rootToken
})
afterAll(async () => {
  await bed.cluster.close()
  await new Promise((resolve) => silent.close(resolve))
})

describe.each(kinds)('%s', (kind) => {
  const enable = (token: string, more: object = {}) =>
    second.ask('POST', at(kind, 'secondary/enable'), { token, ...more })

  /** Expects that the token has no effect and no data are lost. */
  async function expectRefused(reply: Promise<{ readonly status: number }>): Promise<void> {
    await second.do('POST', 'secret/kept', { v: 1 })
    const { status } = await reply
    expect(status).toBe(400)
    expect(await second.status(kind)).toEqual({ mode: 'disabled' })
    expect(await valueAt(second, 'secret/kept')).toBe(1)
  }

  test('a token stays valid if the primary cannot be reached or a CA cannot be read', async () => {
    await first.do('POST', at(kind, 'primary/enable'))
    const token = await tokenFor(first, kind, 'a')
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    await expectRefused(enable(token, { primary_api_addr: 'http://127.0.0.1:1' }))
    await expectRefused(enable(token, { primary_api_addr: 'nowhere' }))
    await expectRefused(enable(token, { primary_api_addr: address }))
    await expectRefused(enable(token, { ca_file: '/no/such/file' }))
    await expectRefused(enable(token, { ca_path: '/no/such/folder' }))
    await expectRefused(enable(token, { ca_file: import.meta.filename }))
    bed.cluster.links.cut(0, 1)
    await expectRefused(enable(token))
    bed.cluster.links.heal()
    expect((await enable(token)).status).toBe(204)
    await inStep(second, kind)
  })

  test('no status and no inventory contains the secret of a link', async () => {
    await join(first, second, kind)
    const seen = JSON.stringify([
      await first.status(kind),
      await second.status(kind),
      first.server.inventory(),
      second.server.inventory(),
    ])
    expect(seen).not.toMatch(/[0-9a-f]{64}/)
  })
})
