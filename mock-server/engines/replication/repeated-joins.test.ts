import { describe, expect, test } from 'vitest'
import {
  at,
  authorization,
  caughtUp,
  inStep,
  join,
  type Kind,
  kinds,
  leave,
  openBed,
  tokenFor,
  until,
  valueAt,
} from '../../test-beds/replication.test-bed.ts'

const bed = await openBed()
const [first, second, third] = bed.parties

const triggers = [
  'primary/enable',
  'primary/demote',
  'primary/disable',
  'secondary/enable',
  'secondary/promote',
  'secondary/update-primary',
  'secondary/disable',
] as const
type Mode = 'disabled' | 'primary' | 'secondary'

/** The table of the document, written down independently of the tables of the server. */
const table: Readonly<Record<Mode, Partial<Record<(typeof triggers)[number], Mode>>>> = {
  disabled: { 'primary/enable': 'primary', 'secondary/enable': 'secondary' },
  primary: { 'primary/demote': 'secondary', 'primary/disable': 'disabled' },
  secondary: {
    'secondary/promote': 'primary',
    'secondary/update-primary': 'secondary',
    'secondary/disable': 'disabled',
  },
}

/** Brings the second cluster into a mode. The third cluster is a primary that it may join. */
async function bring(kind: Kind, mode: Mode): Promise<void> {
  await third.do('POST', at(kind, 'primary/enable'))
  if (mode === 'primary') await second.do('POST', at(kind, 'primary/enable'))
  if (mode === 'secondary') await join(first, second, kind)
}

describe.each(kinds)('%s', (kind) => {
  for (const mode of ['disabled', 'primary', 'secondary'] as const)
    for (const trigger of triggers) {
      const next = table[mode][trigger]
      test(`${trigger} of a ${mode} cluster ${next ? `makes it ${next}` : 'is refused and changes nothing'}`, async () => {
        await bring(kind, mode)
        const before = await second.status(kind)
        const shown = kind === 'dr' && mode === 'secondary' ? await authorization(second, kind) : {}
        const token = await tokenFor(third, kind, 'moved')
        const { status } = await second.ask('POST', at(kind, trigger), { token, ...shown })
        if (next) expect([200, 204]).toContain(status)
        else expect(status).toBeGreaterThanOrEqual(400)
        const after = await second.status(kind)
        expect(after.mode).toBe(next ?? mode)
        if (!next) expect([after.cluster_id, after.state]).toEqual([before.cluster_id, before.state])
      })
    }

  test('a cluster that joins has exactly the data of its primary, including later writes', async () => {
    await first.do('POST', 'secret/before', { v: 1 })
    await second.do('POST', 'sys/mounts/own', { type: 'kv', local: true })
    await second.do('POST', 'own/gone', { v: 2 })
    await join(first, second, kind)
    await first.do('POST', 'secret/after', { v: 3 })
    await caughtUp(second, first, kind)
    await leave(second, kind)
    if (kind === 'dr') second.token = first.token
    expect(await valueAt(second, 'secret/before')).toBe(1)
    expect(await valueAt(second, 'secret/after')).toBe(3)
    expect((await second.ask('GET', 'own/gone')).status).toBe(404)
    expect(second.server.keyShares).toEqual(first.server.keyShares)
  })

  test('a demoted primary keeps its cluster id, waits for update-primary and rejoins without a wipe', async () => {
    await first.do('POST', 'sys/mounts/own', { type: 'kv', local: true })
    await first.do('POST', 'own/mine', { v: 1 })
    await join(first, second, kind)
    const { cluster_id } = await first.status(kind)
    await first.do('POST', at(kind, 'primary/demote'))
    expect(await first.status(kind)).toMatchObject({ mode: 'secondary', cluster_id, state: 'idle', primaries: [] })

    await second.do('POST', at(kind, 'secondary/promote'), await authorization(second, kind))
    if (kind === 'dr') second.token = first.token
    await second.do('POST', 'secret/later', { v: 2 })
    const token = await tokenFor(second, kind, 'back')
    await first.do('POST', at(kind, 'secondary/update-primary'), { token, ...(await authorization(first, kind)) })
    await inStep(first, kind)
    await caughtUp(first, second, kind)
    await leave(first, kind)
    expect(await valueAt(first, 'secret/later')).toBe(2)
    if (kind === 'performance') expect(await valueAt(first, 'own/mine')).toBe(1)
  })

  test('disabling ends the cluster id and keeps the data', async () => {
    await first.do('POST', 'secret/a', { v: 1 })
    const ids = new Set<string>()
    for (let round = 0; round < 3; round++) {
      await first.do('POST', at(kind, 'primary/enable'))
      ids.add((await first.status(kind)).cluster_id)
      await first.do('POST', at(kind, 'primary/disable'))
    }
    expect(ids.size).toBe(3)
    expect(await first.status(kind)).toEqual({ mode: 'disabled' })
    expect(await valueAt(first, 'secret/a')).toBe(1)
  })

  test('after a primary is disabled and enabled again, its secondaries must be wiped to rejoin', async () => {
    await first.do('POST', 'secret/a', { v: 1 })
    await join(first, second, kind)
    await first.do('POST', at(kind, 'primary/disable'))
    await until(async () => (await second.status(kind)).state === 'transient-failure', 'disconnected')
    await first.do('POST', at(kind, 'primary/enable'))
    const update = await tokenFor(first, kind, 'again')
    await second.do('POST', at(kind, 'secondary/update-primary'), {
      token: update,
      ...(await authorization(second, kind)),
    })
    await first.do('POST', 'secret/b', { v: 2 })
    expect((await first.status(kind)).secondaries).toEqual([])
    expect((await second.status(kind)).state).toBe('transient-failure')

    await leave(second, kind)
    if (kind === 'dr') second.token = first.token
    expect((await second.ask('GET', 'secret/b')).status).toBe(404)
    await join(first, second, kind, 'anew')
    await leave(second, kind)
    expect(await valueAt(second, 'secret/b')).toBe(2)
  })

  test('update-primary with a blank token forgets the primary, and without a token is refused', async () => {
    await join(first, second, kind)
    const shown = await authorization(second, kind)
    expect((await second.ask('POST', at(kind, 'secondary/update-primary'), shown)).status).toBe(400)
    expect((await second.status(kind)).state).toBe('stream-wals')
    await second.do('POST', at(kind, 'secondary/update-primary'), { token: '', ...shown })
    expect(await second.status(kind)).toMatchObject({ mode: 'secondary', state: 'idle', primaries: [] })
    await until(async () => (await first.status(kind)).secondaries[0].connection_status === 'disconnected', 'parted')
  })

  test('after a promotion the other secondaries need a new token', async () => {
    await join(first, second, kind)
    await join(first, third, kind, 'third')
    await first.do('POST', at(kind, 'primary/demote'))
    await second.do('POST', at(kind, 'secondary/promote'), await authorization(second, kind))
    if (kind === 'dr') second.token = first.token
    await second.do('POST', 'secret/new', { v: 5 })
    expect((await third.status(kind)).state).toBe('transient-failure')
    const token = await tokenFor(second, kind, 'third')
    await third.do('POST', at(kind, 'secondary/update-primary'), { token, ...(await authorization(third, kind)) })
    await inStep(third, kind)
    await leave(third, kind)
    if (kind === 'dr') third.token = first.token
    expect(await valueAt(third, 'secret/new')).toBe(5)
  })

  test('a secondary that cannot reach its primary is promoted only by force', async () => {
    await join(first, second, kind)
    bed.cluster.links.cut(0, 1)
    await until(async () => (await second.status(kind)).state === 'transient-failure', 'cut')
    const shown = await authorization(second, kind)
    expect((await second.ask('POST', at(kind, 'secondary/promote'), shown)).status).toBe(400)
    expect((await second.status(kind)).mode).toBe('secondary')
    await second.do('POST', at(kind, 'secondary/promote'), { force: true, ...shown })
    expect((await second.status(kind)).mode).toBe('primary')
  })

  test('joining and leaving work 20 times in a row', async () => {
    await first.do('POST', at(kind, 'primary/enable'))
    for (let round = 0; round < 20; round++) {
      await first.do('POST', `secret/${round}`, { v: round })
      await join(first, second, kind, `round-${round}`)
      await leave(second, kind)
      if (kind === 'dr') second.token = first.token
      expect(await valueAt(second, `secret/${round}`)).toBe(round)
    }
  })
})
