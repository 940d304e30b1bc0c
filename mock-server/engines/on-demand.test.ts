import { execFile } from 'node:child_process'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
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

/** Starts a server in a process of its own, and returns the large parts that are loaded then, the status of a request that a
 * large engine refuses, and the parts that are loaded after it. With `isChanged`, modules are loaded as a test runner
 * does it, so that what is required would be a second copy. */
async function inProcess(isChanged: boolean): Promise<unknown> {
  const script = `
    import { registerHooks } from 'node:module'
    const seen = new Set()
    registerHooks({
      resolve(name, context, next) {
        const { url, ...more } = next(name, context)
        const isOwn = ${isChanged} && context.conditions.includes('import') && url.includes('/mock-server/')
        return { ...more, url: isOwn ? url + '?changed' : url }
      },
      load(url, context, next) {
        const [, part] = /mock-server\\/(?:engines\\/)?(pki|cloud|replication|faults)\\/index/.exec(url) ?? []
        if (part) seen.add(part)
        return next(url, context)
      },
    })
    const { createMockServer } = await import('${new URL('../server.ts', import.meta.url)}')
    await using server = await createMockServer()
    const atFirst = [...seen].sort()
    const post = async (path, body) => {
      const headers = { 'x-vault-token': server.rootToken }
      const { status } = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return status
    }
    await post('/v1/sys/mounts/pki', { type: 'pki' })
    const refused = await post('/v1/pki/revoke', {})
    console.log(JSON.stringify([atFirst, refused, [...seen].sort()]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return JSON.parse(stdout)
}

test('large engines and faults wait until they are needed', async () => {
  expect(await inProcess(false)).toEqual([[], 400, ['pki']])
})

test('where they would be a second copy, they are loaded at once', async () => {
  const all = ['cloud', 'faults', 'pki', 'replication']
  expect(await inProcess(true)).toEqual([all, 400, all])
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
