/** Runs on clusters of several nodes: what a run says first, what it judges, and what it leaves. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assay } from '../commands/child.test-bed.ts'
import { withFront } from '../commands/front.test-bed.ts'
import { type ReferenceOptions, type ReferenceServer, startReference } from '../targets/mock.ts'
import { sampled } from '../tools/prove/sampled.test-bed.ts'
import type { ResultDocument } from '../vocabulary/index.ts'

let home: string
let server: ReferenceServer | undefined
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-nodes-'))
})
afterEach(async () => {
  await server?.close()
  rmSync(home, { recursive: true })
})

async function started(options: ReferenceOptions): Promise<ReferenceServer> {
  server = await startReference({ nodes: 3, balance: true, ...options })
  return server
}

const tokenOf = ({ rootToken }: ReferenceServer) => ({ ASSAY_TOKEN: rootToken })
const standbyOf = ({ standbyUrls: [url = ''] }: ReferenceServer): string => url
const ownNames = (one: ReferenceServer) =>
  Object.values(one.inventory())
    .flat()
    .filter((name) => name.startsWith('assay-'))

const some = ['--check', 'policies/transitions/acl-delete-*']
const run = (one: ReferenceServer, args: readonly string[], checks = some) =>
  assay(['run', ...checks, '--format', 'json', '--out', join(home, 'out'), ...args], tokenOf(one))

function profile(one: ReferenceServer, url: string, topology: string, more: object = {}): readonly string[] {
  const file = join(home, 'profile.json')
  const allowedHosts = [one.url, ...one.standbyUrls].map((node) => new URL(node).host)
  writeFileSync(file, JSON.stringify({ url, declared: { topology }, patienceSeconds: 10, allowedHosts, ...more }))
  return ['--profile', file]
}

/** Runs a command exactly as it was printed. */
const printed = (one: ReferenceServer, text: string, start: string) => {
  const line = text.split('\n').find((each) => each.trim().startsWith(start)) ?? ''
  return assay(line.trim().split(' ').slice(2), tokenOf(one))
}

describe('a run refuses to begin, and names the command for the active node', () => {
  const refused = [
    ['a standby node that reads', 'read', 'is a standby node that answers reads by itself', standbyOf],
    [
      'nodes that read behind a balancer',
      'read',
      'is a load balancer before nodes',
      (one: ReferenceServer) => one.balancerUrl,
    ],
    ['a standby node that redirects', 'redirect', 'is a standby node that redirects', standbyOf],
  ] as const
  test.each(sampled(refused, 2))('%s', async (_, standbys, reason, urlOf) => {
    const one = await started({ standbys })
    const { code, err } = await run(one, ['--target', urlOf(one) ?? ''])
    expect(code).toBe(2)
    expect(err).toContain(reason)
    const asks = ['GET', 'LIST']
    const sent = one.requests.filter(
      ({ method, path }) => !asks.includes(method) && !path.endsWith('capabilities-self'),
    )
    expect(sent).toEqual([])
    const [, command = ''] = /(npx assay run --target \S+ .*?--seed \d+)/.exec(err) ?? []
    expect(command).toContain(one.url)
    const words = command.split(' ').map((word) => word.replaceAll("'", ''))
    const again = await assay([...words.slice(2), '--format', 'json', '--out', join(home, 'out')], tokenOf(one))
    expect(again.code).toBe(0)
  })

  test('but not before nodes that send everything on to the active one', async () => {
    const one = await started({})
    for (const url of [standbyOf(one), one.balancerUrl ?? '']) {
      const { code, err } = await run(one, ['--target', url])
      expect({ code, left: ownNames(one) }).toEqual({ code: 0, left: [] })
      expect(err).toContain('sends reads on to the active node')
    }
  })
})

test('a declared topology needs the host of the active node, where the run takes back what it made', async () => {
  const one = await started({ standbys: 'read' })
  const { code, err } = await run(one, profile(one, standbyOf(one), 'standby-reading', { allowedHosts: [] }))
  expect({ code, err }).toMatchObject({
    code: 2,
    err: expect.stringContaining(`"allowedHosts": ["${new URL(one.url).host}"`),
  })
})

test('a standby node that answers removals by itself decides nothing, and nothing is left', async () => {
  const one = await started({ standbys: 'read' })
  const { code } = await withFront(
    standbyOf(one),
    (asked) => (asked.startsWith('DELETE /v1/sys/policies/acl/assay-') ? [204, ''] : undefined),
    (url) => run(one, profile(one, url, 'standby-reading')),
  )
  const { checks, counts } = JSON.parse(readFileSync(join(home, 'out', 'result.json'), 'utf8')) as ResultDocument
  expect({ code, left: ownNames(one) }).toEqual({ code: 3, left: [] })
  expect(counts).toMatchObject({ fail: 0, warn: 0, error: 0 })
  expect(checks.find(({ id }) => id === 'policies/transitions/acl-delete-ends-reading')).toMatchObject({
    blocker: { code: 'nodes-differ', reason: expect.stringContaining('the active node does what the documents say') },
  })
})

test('what a node that takes over shows again is deleted again', async () => {
  const one = await started({})
  const swallowed: string[] = []
  let hasTakenOver = false
  const { code } = await withFront(
    one.url,
    (asked) => {
      const [method = '', path = ''] = asked.split(' ')
      hasTakenOver ||= swallowed.length > 0 && method === 'LIST'
      if (hasTakenOver || !path.startsWith('/v1/sys/policies/acl/assay-')) return undefined
      if (method === 'DELETE') swallowed.push(path)
      return swallowed.includes(path) ? [method === 'DELETE' ? 204 : 404, ''] : undefined
    },
    (url) => run(one, ['--target', url], ['--check', 'policies/transitions/acl-delete-ends-reading']),
  )
  expect(swallowed).not.toEqual([])
  expect({ code, left: ownNames(one) }).toEqual({ code: 0, left: [] })
})

const lagging = [
  ['a standby node', 'standby-reading', standbyOf],
  ['a balancer', 'mixed', (one: ReferenceServer) => one.balancerUrl ?? ''],
] as const

describe('where the operator declares nodes that lag', () => {
  test.each(
    sampled(
      lagging.flatMap(([words, topology, urlOf]) => [20, 200].map((lag) => [words, lag, topology, urlOf] as const)),
      4,
      3,
    ),
  )('%s that is %d ms behind is conformant', async (_, readLagMs, topology, urlOf) => {
    const one = await started({ standbys: 'read', readLagMs })
    const { code, err, out } = await run(one, profile(one, urlOf(one), topology))
    expect({ code, err, out }).toMatchObject({ code: 0 })
    expect(ownNames(one)).toEqual([])
  })

  test('also when the active node steps down in mid-run', async () => {
    const one = await started({ standbys: 'read', readLagMs: 50 })
    const judged = run(one, profile(one, one.balancerUrl ?? '', 'mixed'))
    await expect.poll(() => ownNames(one).length).toBeGreaterThan(0)
    await fetch(`${one.url}/v1/sys/step-down`, { method: 'PUT', headers: { 'X-Vault-Token': one.rootToken } })
    expect((await judged).code).toBe(0)
    expect(one.standbyUrls).toContain(one.url)
    expect(ownNames(one)).toEqual([])
  })

  const lags = [
    [300, 0, 10],
    [60_000, 3, 1],
  ] as const
  test.each(sampled(lags, 2))(
    'also when the node steps down that was the active one, and is then %d ms behind',
    async (...each) => {
      const [readLagMs, wanted, patienceSeconds] = each
      const one = await started({ standbys: 'read', readLagMs })
      // Slow enough for the node to step down while checks are being judged.
      const judged = run(one, [
        ...profile(one, one.url, 'active', { declared: {}, patienceSeconds }),
        '--max-rps',
        '40',
      ])
      await expect.poll(() => ownNames(one).length, { interval: 2 }).toBeGreaterThan(0)
      await fetch(`${one.url}/v1/sys/step-down`, { method: 'PUT', headers: { 'X-Vault-Token': one.rootToken } })
      const { code, err, out } = await judged
      expect({ code, err, out }).toMatchObject({ code: wanted })
      expect(ownNames(one)).toEqual([])
    },
  )
})

const leaving = [
  ...lagging.map(([words, topology, urlOf]) => [words, 'read', topology, urlOf] as const),
  ['a standby node that redirects', 'redirect', 'standby-redirecting', standbyOf],
  ['a standby node that sends on', 'forward', 'standby-forwarding', standbyOf],
] as const
test.each(sampled(leaving, 2))(
  'the printed command takes back what was left at %s',
  async (_, standbys, topology, urlOf) => {
    const one = await started({ standbys, ...(standbys === 'read' ? { readLagMs: 30 } : {}) })
    one.setFaults([{ fault: 'refuse', status: 500, path: 'sys/policies/acl/*', method: 'DELETE' }])
    const { code, err } = await run(one, profile(one, urlOf(one), topology))
    expect(code).toBe(7)
    expect(ownNames(one)).not.toEqual([])
    one.setFaults([])
    const cleaned = await printed(one, err, 'npx assay clean')
    expect({ ...cleaned, left: ownNames(one) }).toMatchObject({ code: 0, left: [] })
  },
)

const demoted = [
  ['redirects', 'redirect'],
  ['is behind for good', 'read'],
] as const
test.each(sampled(demoted, 2))(
  'the printed command names the node that took over from one that %s',
  async (_, standbys) => {
    const one = await started({ standbys, ...(standbys === 'read' ? { readLagMs: 600_000 } : {}) })
    const named = (allowedHosts: readonly string[]) =>
      profile(one, one.url, 'active', { allowedHosts, declared: {}, patienceSeconds: 1, outageSeconds: 1 })
    const judged = run(one, [...named([]), '--max-rps', '40'])
    await expect.poll(() => ownNames(one).length, { interval: 2 }).toBeGreaterThan(0)
    await fetch(`${one.url}/v1/sys/step-down`, { method: 'PUT', headers: { 'X-Vault-Token': one.rootToken } })
    const { code, err } = await judged
    expect({ code, err }).toMatchObject({ code: 7, err: expect.stringContaining('the active node says that it is at') })
    const [, host = ''] = /add (\S+) to "allowedHosts"/.exec(err) ?? []
    expect(one.standbyUrls).not.toContain(`http://${host}`)
    named([host])
    const cleaned = await printed(one, err, 'npx assay clean')
    expect({ ...cleaned, left: ownNames(one) }).toMatchObject({ code: 0, left: [] })
  },
)

test('a journal belongs to a cluster, so another node of it can be named', async () => {
  const one = await started({})
  one.setFaults([{ fault: 'refuse', status: 500, path: 'sys/policies/acl/*', method: 'DELETE' }])
  expect((await run(one, ['--target', standbyOf(one)])).code).toBe(7)
  one.setFaults([])
  const other = await startReference({})
  const clean = (url: string, token: string) =>
    assay(['clean', '--target', url, '--out', join(home, 'out')], { ASSAY_TOKEN: token })
  const refused = await clean(other.url, other.rootToken)
  await other.close()
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('does not show that it is the same cluster') })
  expect(await clean(one.url, one.rootToken)).toMatchObject({ code: 0 })
  expect(ownNames(one)).toEqual([])
})
