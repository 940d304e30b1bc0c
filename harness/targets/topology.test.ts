import { describe, expect, onTestFinished, test } from 'vitest'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { asNobody, asOperator } from '../wire/ask.ts'
import { createClient } from '../wire/client.ts'
import { loadDialect } from './dialects/index.ts'
import { type ReferenceOptions, referenceTarget, startReference } from './mock.ts'
import { type Probe, probe } from './probe.ts'
import { performed } from './prober.ts'
import { resolveTarget } from './resolve.ts'
import type { ResolvedTarget } from './target.ts'
import { topologyOf } from './topology.ts'

type Server = Awaited<ReturnType<typeof startReference>>

async function started(options: ReferenceOptions): Promise<Server> {
  const server = await startReference(options)
  onTestFinished(() => server.close())
  return server
}

async function seenAt(url: string, token: string, more: Partial<ResolvedTarget> = {}): Promise<Probe> {
  const named = resolveTarget({ target: url }, { ASSAY_TOKEN: token })
  if (!named) throw new TypeError('a URL makes a target')
  const target = { ...named, ...more }
  const client = createClient(target, { timeoutMs: patient(2000), maxRps: 0, environment: {} })
  onTestFinished(() => client.close())
  const dialect = loadDialect('vault')
  const seen = await probe({ target, dialect, client, wanted: () => [], areas: [], record: () => {} })
  if ('unreachable' in seen) throw new Error(seen.unreachable)
  return seen
}

const standbyOf = ({ standbyUrls: [url = ''] }: Server): string => url

describe('the probe finds out what stands behind the address', () => {
  test('a single server', async () => {
    const server = await started({})
    expect((await seenAt(server.url, server.rootToken)).facts.topology).toBe('single')
  })

  test.each([
    ['forward', 'standby-forwarding', 'active'],
    ['read', 'standby-reading', 'mixed'],
    ['redirect', 'standby-redirecting', 'standby-redirecting'],
  ] as const)('standby nodes that %s', async (standbys, atStandby, atBalancer) => {
    const server = await started({ nodes: 3, standbys, balance: true })
    const active = await seenAt(server.url, server.rootToken)
    expect(active.nodes).toMatchObject({ topology: 'active', activeUrl: server.url })
    const standby = await seenAt(standbyOf(server), server.rootToken)
    expect(standby.nodes).toMatchObject({ topology: atStandby, activeUrl: server.url })
    expect(standby.evidence.topology).toContain('6 of 6 health replies are of a standby node')
    expect((await seenAt(server.balancerUrl ?? '', server.rootToken)).facts.topology).toBe(atBalancer)
  })

  test.each([
    ['advises to name the other nodes', [], true],
    ['does not if some are named', ['127.0.0.1:1'], false],
  ] as const)('the active node, and %s', async (_words, allowedHosts, isAdvised) => {
    const server = await started({ nodes: 3 })
    const { findings } = await seenAt(server.url, server.rootToken, { allowedHosts })
    const said = findings.find(({ code }) => code === 'nodes')?.text
    expect(said).toContain('this is the active node of a cluster')
    expect(said?.includes('"allowedHosts"')).toBe(isAdvised)
  })

  test('standby nodes behind a balancer that answers the requests about nodes itself', async () => {
    for (const [standbys, topology] of [
      ['read', 'mixed'],
      ['forward', 'active'],
    ] as const) {
      const server = await started({ nodes: 3, standbys, balance: true, hidesNodes: true })
      expect((await seenAt(server.balancerUrl ?? '', server.rootToken)).facts.topology).toBe(topology)
      expect(server.inventory().values ?? []).toEqual([])
    }
  })

  test.each([1, 2, 4, 7, 8, 9, 14])('one node that steps down before request %i', async (at) => {
    const server = await started({ nodes: 2, standbys: 'read' })
    const dialect = loadDialect('vault')
    const client = createClient(referenceTarget(server), { timeoutMs: patient(2000), maxRps: 0, environment: {} })
    onTestFinished(() => client.close())
    const [operator, nobody] = [asOperator(client, dialect), asNobody(client, dialect)]
    const headers = { 'x-vault-token': server.rootToken }
    const health = (await nobody({ method: 'GET', path: 'sys/health' })).reply
    let asked = 0
    const { topology } = await topologyOf(health, dialect, async (exchange) => {
      asked += 1
      if (asked === at) await fetch(`${server.url}/v1/sys/step-down`, { method: 'PUT', headers })
      return performed(exchange.as === 'nobody' ? nobody : operator, exchange)
    })
    expect(topology).toBe('standby-reading')
  })

  test('a redirect to a host that the operator has not named is not followed', async () => {
    const server = await started({ nodes: 2, standbys: 'redirect' })
    expect((await seenAt(standbyOf(server), server.rootToken)).nodes.isOutOfReach).toBe(true)
    const allowedHosts = [new URL(server.url).host]
    const followed = await seenAt(standbyOf(server), server.rootToken, { allowedHosts })
    expect(followed.nodes.isOutOfReach).toBeUndefined()
    expect(followed.blocker).toBeUndefined()
  })

  test('the declared topology takes precedence', async () => {
    const server = await started({ nodes: 2, standbys: 'read' })
    const { facts } = await seenAt(server.url, server.rootToken, { declared: { topology: 'mixed' } })
    expect(facts.topology).toBe('mixed')
  })
})
