import { expect, test } from 'vitest'
import { engines } from '../engines/index.ts'
import { startServer } from '../start.ts'

async function openServer() {
  const server = await startServer({}, engines)
  const send = (method: string, path: string, body?: object) =>
    fetch(`${server.url}/v1/${path}`, {
      ...{ method, headers: { 'x-vault-token': server.rootToken } },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const mount = async (path: string, type = 'cloud') => {
    expect((await send('POST', `sys/mounts/${path}`, { type })).status).toBe(204)
    expect((await send('POST', `${path}/config/lease`, { lease: '1h', lease_max: '2h' })).status).toBe(204)
  }
  const statusOf = async (path: string) => (await send('GET', `${path}/config/lease`)).status
  return { server, send, mount, statusOf }
}

test('faults are in mounts that were there before, in later ones and in moved ones, under each name of the engine', async () => {
  const { server, send, mount, statusOf } = await openServer()
  await using _ = server
  await mount('before')
  expect(await statusOf('before')).toBe(200)
  server.loadMutants(['cloud/config-lease-unread'])
  await mount('after', 'aws')
  await send('POST', 'sys/remount', { from: 'before', to: 'moved' })
  expect(await Promise.all(['moved', 'after'].map(statusOf))).toEqual([404, 404])
  server.loadMutants([])
  expect(await Promise.all(['moved', 'after'].map(statusOf))).toEqual([200, 200])
})

test('a mounted engine tells which faults would change something', async () => {
  const { server, mount, statusOf } = await openServer()
  await using _ = server
  const met = new Set<string>()
  server.watchMutants((id) => met.add(id))
  await mount('one')
  expect(met).not.toContain('cloud/config-lease-unread')
  await statusOf('one')
  expect(met).toContain('cloud/config-lease-unread')
})

test('a fault of an engine that is not mounted can be loaded', async () => {
  const { server } = await openServer()
  await using _ = server
  expect(() => server.loadMutants(['cloud/config-lease-unread'])).not.toThrow()
  expect(() => server.loadMutants(['cloud/none'])).toThrow(RangeError)
})
