import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import { expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import {
  at,
  caughtUp,
  inStep,
  join,
  leave,
  makeBed,
  openBed,
  type Party,
  tokenFor,
  until,
  valueAt,
} from '../../test-beds/replication.test-bed.ts'

const bed = await openBed()
const [first, second, third] = bed.parties

const promote = async (party: Party): Promise<void> => {
  await party.do('POST', at('dr', 'secondary/promote'), { dr_operation_token: await party.operationToken() })
}

test('a promoted DR secondary has the namespaces of its primary, with their tokens and local mounts', async () => {
  await first.do('POST', 'sys/namespaces/team-a')
  await first.do('POST', 'team-a/sys/mounts/own', { type: 'kv', local: true })
  await first.do('POST', 'team-a/own/x', { v: 5 })
  const policy = 'path "own/*" { capabilities = ["read"] }'
  await first.do('POST', 'team-a/sys/policies/acl/reader', { policy })
  const { auth } = (await first.do('POST', 'team-a/auth/token/create', { policies: ['reader'] })).body
  await join(first, second, 'dr')
  expect(second.server.inventory().namespaces).toBeUndefined()
  await first.do('POST', at('dr', 'primary/demote'))
  await promote(second)
  second.token = auth.client_token
  expect(await valueAt(second, 'team-a/own/x')).toBe(5)
})

test('a promoted DR secondary of a performance secondary follows the performance primary with the same credentials', async () => {
  await join(first, second, 'performance')
  await first.do('POST', at('performance', `primary/paths-filter/${(await second.status('performance')).cluster_id}`), {
    mode: 'deny',
    paths: ['hidden/'],
  })
  await join(second, third, 'dr')
  await second.do('POST', 'sys/mounts/own', { type: 'kv', local: true })
  await second.do('POST', 'own/mine', { v: 7 })
  await second.do('POST', at('dr', 'primary/demote'))
  await promote(third)
  await inStep(third, 'performance')
  expect((await first.status('performance')).known_secondaries).toEqual(['second'])
  await first.do('POST', 'secret/late', { v: 4 })
  await first.do('POST', 'sys/mounts/hidden', { type: 'kv' })
  third.token = second.token
  await caughtUp(third, first, 'performance')
  expect(await valueAt(third, 'secret/late')).toBe(4)
  expect(await valueAt(third, 'own/mine')).toBe(7)
  expect(third.server.inventory().mounts).not.toContain('hidden/')
})

test('data that reach a performance secondary reach its DR secondary', async () => {
  await join(first, second, 'performance')
  await join(second, third, 'dr')
  await first.do('POST', 'secret/far', { v: 9 })
  await caughtUp(second, first, 'performance')
  await caughtUp(third, second, 'dr')
  await leave(third, 'dr')
  third.token = second.token
  expect(await valueAt(third, 'secret/far')).toBe(9)
})

test('a DR secondary serves only replication, and its health shows its mode', async () => {
  await join(first, second, 'dr')
  for (const path of ['sys/seal-status', 'sys/init', at('dr', 'status'), at('performance', 'status')])
    expect((await second.ask('GET', path)).status).toBe(200)
  for (const path of ['secret/a', 'sys/mounts', 'auth/token/lookup-self'])
    expect((await second.ask('GET', path)).status).toBe(400)
  const health = await second.ask('GET', 'sys/health')
  expect([health.status, health.body.replication_dr_mode]).toEqual([472, 'secondary'])
  expect((await first.ask('GET', 'sys/health')).body.replication_dr_mode).toBe('primary')
})

test('the control listener of the first cluster controls all clusters', async () => {
  const other = await makeBed({ control: true })
  try {
    const [one, two] = other.parties
    const control = (path: string, body: object) =>
      fetch(`${one.server.controlUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await join(one, two, 'performance')
    await control('/links', { action: 'cut', from: 0, to: 1 })
    await until(async () => (await two.status('performance')).state === 'transient-failure', 'cut')
    await control('/links', { action: 'heal' })
    await inStep(two, 'performance')
    await control('/links', { action: 'slow', from: 1, to: 0, ms: 40 })
    const began = performance.now()
    await one.do('POST', 'secret/slow', { v: 1 })
    await caughtUp(two, one, 'performance')
    expect(performance.now() - began).toBeGreaterThan(35)
    expect((await control('/links', { action: 'burn' })).status).toBe(400)
    await control('/mutants', { ids: ['performance-replication/status-shows-secondary-as-primary'] })
    expect((await two.status('performance')).mode).toBe('primary')
    await control('/reset', {})
    expect((await two.status('performance')).mode).toBe('disabled')
  } finally {
    await other.cluster.close()
  }
})

test('roles and links are restored from a state file', async () => {
  const folder = mkdtempSync(pathOf(tmpdir(), 'assay-state-'))
  const stateFile = pathOf(folder, 'state.json')
  try {
    await first.do('POST', at('performance', 'primary/enable'))
    const token = await tokenFor(first, 'performance', 'kept')
    const before = await createMockServer({ stateFile, seed: 9, clock: bed.cluster.clock })
    const ask = (url: string, method: string, path: string, body?: object) =>
      fetch(`${url}/v1/${path}`, {
        method,
        headers: { 'x-vault-token': before.rootToken },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    await ask(before.url, 'POST', at('performance', 'secondary/enable'), { token })
    await until(() => before.inventory().mounts?.includes('secret/') ?? false, 'joined')
    await before.close()
    await first.do('POST', 'secret/meanwhile', { v: 1 })
    const after = await createMockServer({ stateFile, seed: 9, clock: bed.cluster.clock })
    await until(() => after.inventory().values?.includes('secret/meanwhile') ?? false, 'in step again')
    await after.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([1, 2, 3, 4, 5, 6, 7, 8])('clusters with variation %d replicate', async (variation) => {
  const other = await makeBed({ variation })
  try {
    const [one, two] = other.parties
    await one.do('POST', 'secret/a', { v: 1 })
    for (const kind of ['dr', 'performance'] as const) {
      await join(one, two, kind)
      const { last_wal: before } = await one.status(kind)
      await one.do('POST', 'secret/b', { v: kind })
      await until(async () => (await one.status(kind)).last_wal > before, 'the write shows')
      await caughtUp(two, one, kind)
      await leave(two, kind)
      if (kind === 'dr') two.token = one.token
      await until(async () => (await valueAt(two, 'secret/b')) === kind, 'the value has come')
    }
  } finally {
    await other.cluster.close()
  }
})
