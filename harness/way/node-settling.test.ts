import { describe, expect, onTestFinished, test } from 'vitest'
import { jumpingTimer } from '../differences/jumping-timer.ts'
import { judge } from '../run/judge.ts'
import { learnWhetherSteppedDown } from '../run/learned-nodes.ts'
import { steppedDown } from '../run/rounds.ts'
import { openSession, reachOf, type Session } from '../run/session.ts'
import { cleanUp } from '../safety/clean-up.ts'
import { noJournal } from '../safety/journal.ts'
import type { Change } from '../safety/journal-lines.ts'
import { journalSoFar } from '../safety/journal-record.ts'
import { takeBack } from '../safety/take-back.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import { type ReferenceOptions, referenceTarget, startReference } from '../targets/mock.ts'
import {
  type Check,
  DoesNotApply,
  del,
  get,
  isUnserved,
  list,
  notKeyed,
  post,
  type Reply,
  status,
  type Topic,
  type Topology,
} from '../vocabulary/index.ts'
import { boundMs } from '../wire/bounds.ts'
import type { Timer } from '../wire/timer.ts'

type Server = Awaited<ReturnType<typeof startReference>>

async function started(options: ReferenceOptions): Promise<Server> {
  const server = await startReference(options)
  onTestFinished(() => server.close())
  return server
}

async function sessionOn(
  server: Server,
  url: string | undefined,
  topology: Topology,
  { timer, ...more }: { readonly timer?: Timer; readonly patienceSeconds?: number; allowedHosts?: string[] } = {},
): Promise<Session> {
  const opened = await openSession(
    {
      target: { ...referenceTarget(server), url: url ?? '', patienceSeconds: 2, ...more },
      ...{ facts: { topology }, runId: 'abc', seed: 1, ceiling: 'scoped', jobs: 1, level: 'should' },
      requirements: [{ id: 'x', level: 'must', text: 'a statement', source: { document: 1, section: 'x' } }] as never,
    },
    { dialect: loadDialect('vault'), ...(timer ? { timer } : {}) },
  )
  onTestFinished(() => opened.close())
  return opened
}

/** This is enough for nodes that do not agree however long one waits. */
const impatient = { patienceSeconds: 0.2 }

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
    const server = await started({ nodes: 3, standbys: 'read', readLagMs: 60_000, balance: true })
    const session = await sessionOn(server, server.balancerUrl, 'mixed', impatient)
    const verdicts = new Set<string>()
    for (let round = 0; round < 4; round++) verdicts.add((await judge(topic, madeIsThere, session)).verdict)
    expect(verdicts).toContain('not-verified')
    expect(verdicts).not.toContain('fail')
  })

  test('a check is not verified if the nodes do not agree within the patience', async () => {
    const server = await started({ nodes: 2, standbys: 'read', readLagMs: 60_000 })
    const session = await sessionOn(server, server.standbyUrls[0], 'standby-reading', impatient)
    const result = await judge(topic, madeIsThere, session)
    expect(result).toMatchObject({
      verdict: 'not-verified',
      blocker: { reason: expect.stringContaining('the nodes behind the address did not agree within 0.2 s') },
    })
  })

  test('an object is gone when the active node shows that, not when a standby node has not seen it yet', async () => {
    const server = await started({ nodes: 2, standbys: 'read', readLagMs: 60_000 })
    const active = await sessionOn(server, server.url, 'active')
    const name = 'sys/mounts/assay-abc-1-late'
    await active.ask('main')({ method: 'POST', path: name, body: '{"type":"pki"}' })
    const undo = { cluster: 'main', method: 'DELETE', path: 'assay-abc-1-late/root', words: 'POST' } as const
    const standby = await sessionOn(server, server.standbyUrls[0], 'standby-reading', impatient)
    expect(await takeBack(undo, standby.ask('main'), standby.dialect)).toContain('did not agree')
  })

  test('nothing more is sent to a single server', async () => {
    const server = await started({})
    await verdictsOn(await sessionOn(server, server.url, 'single'))
    expect(server.requests.filter(({ path: asked }) => asked.includes('cubbyhole'))).toEqual([])
  })

  test('a clean-up at a node that stepped down ends in bounded time, and sends everything on', async () => {
    const server = await started({ nodes: 2, standbys: 'read', readLagMs: 600_000 })
    const timer = jumpingTimer()
    const session = await sessionOn(server, server.url, 'active', { timer, patienceSeconds: 60 })
    const undos = Array.from({ length: 40 }, (_, at) => `sys/policies/acl/assay-abc-1-p${at}`)
    const changes: Change[] = undos.map((name, id) => ({
      ...{ event: 'intend', id },
      undo: { cluster: 'main', method: 'DELETE', path: name, words: name },
    }))
    for (const name of undos) await session.ask('main')({ method: 'POST', path: name, body: '{"policy":""}' })
    await session.ask('main')({ method: 'PUT', path: 'sys/step-down' })
    const startedAt = timer.now()
    await learnWhetherSteppedDown(session, session.plan.facts)
    session.nodes?.beginCleanUp(noJournal)
    const record = journalSoFar(undefined, { url: server.url, runId: 'abc' }, undefined, changes)
    const accept = () => ({ isNamed: true })
    const reached = { record, reachOf: reachOf(session), dialect: session.dialect, accept, isAmongNodes: true }
    const { left } = await cleanUp(reached)
    expect(timer.now() - startedAt).toBeLessThan(boundMs('nodesBehind') + 5000)
    expect(left).toHaveLength(undos.length)
    expect(server.inventory()['ACL policies']?.filter((name) => name.startsWith('assay-')) ?? []).toEqual([])
  })
})

describe('after the active node stepped down', () => {
  async function afterStepDown(options: ReferenceOptions, allowed = false): Promise<Session> {
    const server = await started({ nodes: 2, standbys: 'read', ...options })
    const [next = ''] = server.standbyUrls
    const allowedHosts = allowed ? [new URL(next).host] : []
    const session = await sessionOn(server, server.url, 'active', { allowedHosts })
    await session.ask('main')({ method: 'PUT', path: 'sys/step-down' })
    return session
  }

  test.each([
    ['not-verified', 'is not named', false],
    ['fail', 'is named', true],
  ] as const)('what both nodes contradict is %s if the node that took over %s', async (verdict, _, allowed) => {
    const session = await afterStepDown({}, allowed)
    const result = await judge(topic, { ...madeIsThere, then: [status(404)] }, session)
    expect(result.verdict).toBe(verdict)
    if (!allowed) expect(result.blocker?.reason).toContain(steppedDown)
  })

  test('a path that the node does not serve yet is not one that the target lacks', async () => {
    const session = await afterStepDown({ readLagMs: 150 })
    const unserved: Check = {
      ...deletedIsGone,
      given: [post('sys/mounts/{one}', { type: 'pki' }, { undo: del('sys/mounts/{one}') })],
      when: get('{one}/config/urls'),
      then: [
        {
          words: 'is served',
          judge({ reply }: { readonly reply: Reply }) {
            if (isUnserved(reply)) throw DoesNotApply.unserved(reply, 'it does not serve this')
            return undefined
          },
        },
      ],
    } as never
    expect((await judge(topic, unserved, session)).verdict).toBe('pass')
  })
})
