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
let third: Party
let silent: Server
beforeAll(async () => {
  bed = await makeBed()
  ;[first, second, third] = bed.parties
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
  const otherKind = kind === 'dr' ? 'performance' : 'dr'

  /** Expects that the token has no effect and no data are lost. */
  async function expectRefused(reply: Promise<{ readonly status: number }>): Promise<void> {
    await second.do('POST', 'secret/kept', { v: 1 })
    const { status } = await reply
    expect(status).toBe(400)
    expect(await second.status(kind)).toEqual({ mode: 'disabled' })
    expect(await valueAt(second, 'secret/kept')).toBe(1)
  }

  test('a malformed or altered token is refused', async () => {
    await first.do('POST', at(kind, 'primary/enable'))
    const token = await tokenFor(first, kind, 's')
    const middle = Math.floor(token.length / 2)
    const altered = token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1)
    for (const bad of ['none', 'a.b.c', '', altered, `${token}x.y`]) await expectRefused(enable(bad))
    expect((await enable(token)).status).toBe(204)
  })

  test('a token ends after its ttl (30 minutes by default), and when it is used', async () => {
    await first.do('POST', at(kind, 'primary/enable'))
    const { body } = await first.do('POST', at(kind, 'primary/secondary-token'), { id: 'a' })
    expect(body.wrap_info.ttl).toBe(1800)
    await bed.cluster.clock.advance(1801_000)
    await expectRefused(enable(body.wrap_info.token))
    const short = await tokenFor(first, kind, 'b', { ttl: '60s' })
    await bed.cluster.clock.advance(61_000)
    await expectRefused(enable(short))
    const long = await tokenFor(first, kind, 'c', { ttl: '2h' })
    await bed.cluster.clock.advance(7000_000)
    await third.do('POST', at(kind, 'secondary/enable'), { token: long })
    await expectRefused(enable(long))
  })

  test('a token for the other kind, of a revoked id or of a demoted primary is refused', async () => {
    await first.do('POST', at(kind, 'primary/enable'))
    await first.do('POST', at(otherKind, 'primary/enable'))
    await expectRefused(enable(await tokenFor(first, otherKind, 'a')))
    const revoked = await tokenFor(first, kind, 'b')
    await first.do('POST', at(kind, 'primary/revoke-secondary'), { id: 'b' })
    await expectRefused(enable(revoked))
    const late = await tokenFor(first, kind, 'c')
    await first.do('POST', at(kind, 'primary/disable'))
    await expectRefused(enable(late))
  })

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

  test('an id is refused while a secondary is connected with it', async () => {
    await join(first, second, kind, 'a')
    const again = await first.ask('POST', at(kind, 'primary/secondary-token'), { id: 'a' })
    expect(again.status).toBe(400)
    expect((await first.ask('POST', at(kind, 'primary/secondary-token'), {})).status).toBe(400)
    expect((await second.status(kind)).state).toBe('stream-wals')
  })

  test('a revoked secondary is disconnected at once, and the other one stays connected', async () => {
    await join(first, second, kind, 'a')
    await join(first, third, kind, 'b')
    await first.do('POST', at(kind, 'primary/revoke-secondary'), { id: 'a' })
    expect((await first.status(kind)).known_secondaries).toEqual(['b'])
    expect((await third.status(kind)).state).toBe('stream-wals')
    await first.do('POST', 'secret/a', { v: 1 })
    expect((await second.status(kind)).state).toBe('transient-failure')
    expect((await first.ask('POST', at(kind, 'primary/revoke-secondary'), { id: 'a' })).status).toBe(400)
  })

  test('credentials that are encrypted to a cluster work only there, and only once', async () => {
    await first.do('POST', at(kind, 'primary/enable'))
    const { body } = await second.do('POST', at(kind, 'secondary/generate-public-key'))
    const key = body.data.secondary_public_key
    const token = await tokenFor(first, kind, 'a', { secondary_public_key: key, ttl: '60s' })
    expect((await third.ask('POST', at(kind, 'secondary/enable'), { token })).status).toBe(400)
    await bed.cluster.clock.advance(61_000)
    await expectRefused(enable(token))
    expect((await enable(await tokenFor(first, kind, 'a', { secondary_public_key: key }))).status).toBe(204)
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
