import { afterEach, describe, expect, test } from 'vitest'
import { judge } from '../run/judge.ts'
import { openSession, type Session } from '../run/session.ts'
import { takeBack } from '../safety/take-back.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import { type ReferenceOptions, referenceTarget, startReference } from '../targets/mock.ts'
import { type Check, del, get, list, notKeyed, post, status, type Topic, type Topology } from '../vocabulary/index.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

type Server = Awaited<ReturnType<typeof startReference>>

async function started(options: ReferenceOptions): Promise<Server> {
  const server = await startReference(options)
  open.push(server)
  return server
}

async function sessionOn(server: Server, url: string | undefined, topology: Topology): Promise<Session> {
  const opened = await openSession(
    {
      target: { ...referenceTarget(server), url: url ?? '', patienceSeconds: 2 },
      ...{ facts: { topology }, runId: 'abc', seed: 1, ceiling: 'scoped', jobs: 1, level: 'should' },
      requirements: [{ id: 'x', level: 'must', text: 'a statement', source: { document: 1, section: 'x' } }] as never,
    },
    { dialect: loadDialect('vault') },
  )
  open.push(opened)
  return opened
}

const path = 'sys/policies/acl/{one}'
const made = post(path, { policy: 'path "a" {}' }, { undo: del(path) })
const deletedIsGone: Check = {
  ...{ id: 'one', requirement: 'x', mutants: ['x'] },
  given: [made, del(path)],
  when: get(path),
  then: [status(404)],
} as never
const madeIsThere: Check = { ...deletedIsGone, given: [made], then: [status(200)] } as never
const topic = { id: 'policies/errors', area: 'policies', about: 'x', names: ['one'], checks: [] } as unknown as Topic

const verdictsOn = async (session: Session) => {
  const verdicts: string[] = []
  for (const check of [madeIsThere, deletedIsGone]) verdicts.push((await judge(topic, check, session)).verdict)
  return verdicts
}

describe('where nodes may lag', () => {
  test.each([20, 150])(
    'a standby node that is %d ms behind is judged by what it shows in the end',
    async (readLagMs) => {
      const server = await started({ nodes: 2, standbys: 'read', readLagMs })
      const [standby] = server.standbyUrls
      expect(await verdictsOn(await sessionOn(server, standby, 'standby-reading'))).toEqual(['pass', 'pass'])
      expect(
        Object.values(server.inventory())
          .flat()
          .filter((name) => name.startsWith('assay-')),
      ).toEqual([])
    },
  )

  test('which would fail if nothing waited for it', async () => {
    const server = await started({ nodes: 2, standbys: 'read', readLagMs: 60_000 })
    expect(await verdictsOn(await sessionOn(server, server.standbyUrls[0], 'single'))).not.toEqual(['pass', 'pass'])
  })

  test('so is a load balancer that mixes three nodes', async () => {
    const server = await started({ nodes: 3, standbys: 'read', readLagMs: 100, balance: true })
    expect(await verdictsOn(await sessionOn(server, server.balancerUrl, 'mixed'))).toEqual(['pass', 'pass'])
  })

  test('a server that keeps what was deleted never passes', async () => {
    const server = await started({
      ...{ nodes: 2, standbys: 'read', readLagMs: 20, mutants: ['policies/acl-list-keeps-deleted'] },
    })
    const listed = { ...deletedIsGone, when: list('sys/policies/acl'), then: [notKeyed('{one}')] } as never
    const session = await sessionOn(server, server.url, 'mixed')
    expect((await judge(topic, listed, session)).verdict).toBe('fail')
  })

  test('a check that only some nodes contradict is not verified', async () => {
    const server = await started({
      ...{ nodes: 3, standbys: 'read', readLagMs: 20, balance: true, mutants: ['policies/acl-list-keeps-deleted'] },
    })
    const listed = { ...deletedIsGone, when: list('sys/policies/acl'), then: [notKeyed('{one}')] } as never
    const session = await sessionOn(server, server.balancerUrl, 'mixed')
    const verdicts: string[] = []
    for (let round = 0; round < 12; round++) verdicts.push((await judge(topic, listed, session)).verdict)
    expect(verdicts).toContain('not-verified')
  })

  test('a check is not verified if the nodes do not agree within the patience', async () => {
    const server = await started({ nodes: 2, standbys: 'read', readLagMs: 60_000 })
    const session = await sessionOn(server, server.standbyUrls[0], 'standby-reading')
    const result = await judge(topic, madeIsThere, session)
    expect(result).toMatchObject({
      verdict: 'not-verified',
      blocker: { reason: expect.stringContaining('the nodes behind the address did not agree within 2 s') },
    })
  })

  test('an object is gone when the active node shows that, not when a standby node has not seen it yet', async () => {
    const server = await started({ nodes: 2, standbys: 'read', readLagMs: 60_000 })
    const active = await sessionOn(server, server.url, 'active')
    const name = 'sys/mounts/assay-abc-1-late'
    await active.ask('main')({ method: 'POST', path: name, body: '{"type":"pki"}' })
    const undo = { cluster: 'main', method: 'DELETE', path: 'assay-abc-1-late/root', words: 'POST' } as const
    const standby = await sessionOn(server, server.standbyUrls[0], 'standby-reading')
    expect(await takeBack(undo, standby.ask('main'), standby.dialect)).toContain('did not agree')
  })

  test('nothing more is sent to a single server', async () => {
    const server = await started({})
    await verdictsOn(await sessionOn(server, server.url, 'single'))
    expect(server.requests.filter(({ path: asked }) => asked.includes('cubbyhole'))).toEqual([])
  })
})
