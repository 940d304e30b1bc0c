import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { assay, startAssay } from '../commands/child.test-bed.ts'
import { environmentOf, profileOf } from '../commands/serve/serve-profile.ts'
import { type ReferenceServer, startReference } from '../targets/mock.ts'
import type { ResultDocument } from '../vocabulary/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-clusters-'))
const profile = join(folder, 'clusters.json')
let server: ReferenceServer
let ran = 0

beforeAll(async () => {
  server = await startReference({ clusters: 3 })
  writeFileSync(profile, JSON.stringify(profileOf(server)))
})
afterEach(() => server.reset())
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const out = (): string => join(folder, `out-${++ran}`)
const resultIn = (path: string): ResultDocument => JSON.parse(readFileSync(join(path, 'result.json'), 'utf8'))
const statusAt = async (url: string, kind: string): Promise<{ mode: string; cluster_id?: string }> =>
  ((await (await fetch(`${url}/v1/sys/replication/${kind}/status`)).json()) as { data: { mode: string } }).data

const urls = (): string[] => [server.url, ...server.peers.map((peer) => peer.server.url)]
async function modes(): Promise<string[]> {
  const all = urls().flatMap((url) => ['dr', 'performance'].map((kind) => statusAt(url, kind)))
  return [...new Set((await Promise.all(all)).map(({ mode }) => mode))]
}

async function allowance(): Promise<string[]> {
  const health = (await (await fetch(`${server.url}/v1/sys/health`)).json()) as { cluster_id: string }
  return ['--safety', 'disruptive', '--allow-disruptive', health.cluster_id]
}

async function operate(path: string): Promise<void> {
  const reply = await fetch(`${server.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'X-Vault-Token': server.rootToken },
  })
  expect(reply.ok).toBe(true)
}

const few = ['performance', 'dr'].flatMap((kind) => ['--check', `${kind}-replication/transitions-primary/*demoted-*`])

describe('replication, with a profile of three clusters', () => {
  test('is judged, and every cluster is restored', async () => {
    const before = server.inventory()
    const to = out()
    const flags = ['--profile', profile, '--out', to, ...(await allowance())]
    const ended = await assay(['run', ...flags, ...few], environmentOf(server))
    expect({ code: ended.code, output: ended.code === 0 ? '' : ended.out }).toEqual({ code: 0, output: '' })
    expect(resultIn(to).checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(10)
    expect(await modes()).toEqual(['disabled'])
    expect(server.inventory()).toEqual(before)
    const exchanges = resultIn(to).checks.flatMap((check) => check.exchanges)
    expect(exchanges.filter((one) => (one.to === undefined) !== one.url.startsWith(server.url))).toEqual([])
    expect(new Set(exchanges.map((one) => one.to))).toContain('second')
    for (const file of globSync('*', { cwd: to }))
      for (const secret of Object.values(environmentOf(server)))
        expect(readFileSync(join(to, file), 'utf8').includes(secret)).toBe(false)
  })

  test('is not verified if there is only one cluster, and the message names the lines to add', async () => {
    const to = out()
    const flags = ['--target', server.url, '--out', to, ...(await allowance())]
    const ended = await assay(['run', ...flags, ...few], { ASSAY_TOKEN: server.rootToken })
    expect(ended.code).toBe(3)
    expect(ended.out).toContain('does not provide clusters, key-shares (add to the profile: clusters: [{ name: second')
    expect(await modes()).toEqual(['disabled'])
  })

  test('a cluster that is in use is not touched', async () => {
    await operate('sys/replication/performance/primary/enable')
    const before = await statusAt(server.url, 'performance')
    const to = out()
    const flags = ['--profile', profile, '--out', to, ...(await allowance())]
    const ended = await assay(['run', ...flags, ...few], environmentOf(server))
    expect(ended.code).toBe(3)
    expect(ended.out).toContain('on main: the cluster is in use by its owner (primary)')
    const exchanges = resultIn(to).checks.flatMap((check) => check.exchanges)
    const others = exchanges.filter(({ method, url }) => method !== 'GET' && url.startsWith(server.url))
    expect(others).toEqual([])
    expect(await statusAt(server.url, 'performance')).toMatchObject({ mode: 'primary', cluster_id: before.cluster_id })
  })

  test('a cluster that is the target under another name is not used', async () => {
    const { clusters, ...main } = profileOf(server) as { clusters: { url: string }[] }
    const doubled = join(folder, 'doubled.json')
    writeFileSync(
      doubled,
      JSON.stringify({ ...main, clusters: clusters.map((cluster) => ({ ...cluster, url: server.url })) }),
    )
    const flags = ['--profile', doubled, '--out', out(), ...(await allowance())]
    const ended = await assay(['run', ...flags, ...few], environmentOf(server))
    expect(ended.code).toBe(3)
    expect(ended.out).toContain('cluster second: its cluster id is that of the target itself')
  })

  test('clean restores the clusters after a killed run', async () => {
    const before = server.inventory()
    const to = out()
    const flags = ['--profile', profile, '--out', to]
    // Slow enough for the kill to come before the check has taken the role back.
    const slow = [...few, '--max-rps', '20']
    const child = startAssay(['run', ...flags, ...(await allowance()), ...slow], environmentOf(server))
    await expect.poll(modes, { interval: 2 }).toContain('secondary')
    child.process.kill('SIGKILL')
    await child.ended
    expect(await modes()).not.toEqual(['disabled'])
    const cleaned = await assay(['clean', ...flags], environmentOf(server))
    expect({ code: cleaned.code, output: cleaned.code === 0 ? '' : cleaned.out }).toEqual({ code: 0, output: '' })
    expect(await modes()).toEqual(['disabled'])
    expect(server.inventory()).toEqual(before)
  })
})

describe('replication on an edition without it', () => {
  test('is not applicable if it was requested by name, and the run advises to leave it out', async () => {
    const community = await startReference({ edition: 'community' })
    try {
      const to = out()
      const flags = [
        '--target',
        community.url,
        '--out',
        to,
        '--area',
        'dr-replication',
        '--area',
        'performance-replication',
      ]
      const ended = await assay(['run', ...flags], { ASSAY_TOKEN: community.rootToken })
      const { checks } = resultIn(to)
      expect({ code: ended.code, output: ended.code === 3 ? '' : ended.out }).toEqual({ code: 3, output: '' })
      expect(new Set(checks.map(({ verdict, blocker }) => `${verdict} ${blocker?.kind}`))).toEqual(
        new Set(['not-applicable area']),
      )
      expect(ended.err).toMatch(
        /no disaster recovery replication \(.*\): \d+ checks .*; leave the area dr-replication out/,
      )
    } finally {
      await community.close()
    }
  })
})
