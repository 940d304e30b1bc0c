import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import * as faults from '../faults/index.ts'
import type { Services } from '../kernel/services.ts'
import { startServer } from '../start.ts'
import * as cloud from './cloud/index.ts'
import { engines } from './index.ts'
import { enginesOnDemand } from './on-demand.ts'
import * as pki from './pki/index.ts'
import * as replication from './replication/index.ts'

const files: Readonly<Record<string, object>> = {
  'pki/index': pki,
  'cloud/index': cloud,
  '../faults/index': faults,
  'replication/index': replication,
}

function watchedLoad() {
  const loaded: string[] = []
  const load = (file: URL): unknown => {
    const name = file.pathname
      .replace(/^.*\/engines\/(.*)\.ts$/, '$1')
      .replace(/^.*(?=\/faults\/)/, '..')
      .replace(/\.ts$/, '')
    loaded.push(name)
    return files[name]
  }
  return { loaded, parts: enginesOnDemand(load) }
}

test('they are the same engines as those that are loaded at once', () => {
  const { loaded, parts } = watchedLoad()
  const kindsOf = ({ mountable }: typeof engines) =>
    mountable.map((create) => create({} as Services)).map(({ type, kind, available }) => ({ type, kind, available }))
  expect(kindsOf(parts)).toEqual(kindsOf(engines))
  expect(loaded).toEqual([])
})

test('a large engine is loaded when it is mounted, and keeps to the mutants that were asked for before', async () => {
  const { loaded, parts } = watchedLoad()
  await using server = await startServer({}, parts)
  const mount = (type: string) =>
    fetch(`${server.url}/v1/sys/mounts/${type}`, {
      method: 'POST',
      headers: { 'x-vault-token': server.rootToken },
      body: JSON.stringify({ type }),
    })
  expect((await mount('kv')).status).toBe(204)
  expect(loaded).toEqual([])
  expect((await mount('pki')).status).toBe(204)
  expect(loaded).toEqual(['pki/index'])
  server.loadMutants(['pki/revoke-refuses-colons'])
  expect(loaded).toContain('../faults/index')
  expect(() => server.loadMutants(['pki/none'])).toThrow(RangeError)
})

async function modeOf(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/sys/replication/dr/status`)
  const { data } = (await response.json()) as { readonly data: { readonly mode: string } }
  return data.mode
}

test('replication is loaded by the first request on it, and not by a reset', async () => {
  const { loaded, parts } = watchedLoad()
  await using server = await startServer({}, parts)
  await server.reset()
  expect((await fetch(`${server.url}/v1/sys/health`)).status).toBe(200)
  expect(loaded).toEqual([])
  expect(await modeOf(server.url)).toBe('disabled')
  expect(loaded).toEqual(['replication/index'])
  await server.reset()
  expect(await modeOf(server.url)).toBe('disabled')
})

test('replication is loaded by the first cluster that connects, and shows its certificate', async () => {
  const { loaded, parts } = watchedLoad()
  await using server = await startServer({}, parts)
  const [host = '', port] = server.clusterAddress.split(':')
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false })
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  expect(socket.getPeerCertificate().subject.CN).toMatch(/^cluster-.*\.listener$/)
  socket.destroy()
  expect(loaded).toEqual(['replication/index'])
})

test('replication takes over a snapshot, and says what is served as if it was loaded', async () => {
  await using primary = await startServer({}, engines)
  const headers = { 'x-vault-token': primary.rootToken }
  await fetch(`${primary.url}/v1/sys/replication/dr/primary/enable`, { method: 'POST', headers, body: '{}' })
  expect(await modeOf(primary.url)).toBe('primary')
  const { parts } = watchedLoad()
  await using server = await startServer({}, parts)
  server.restore(primary.snapshot())
  expect(await modeOf(server.url)).toBe('primary')
  await using other = await startServer({}, watchedLoad().parts)
  expect(other.serves).toEqual(primary.serves)
  expect(Object.keys(JSON.parse(other.snapshot()))).toEqual(Object.keys(JSON.parse(primary.snapshot())))
})
