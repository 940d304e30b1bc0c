import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createClock } from '../../kernel/state/clock.ts'
import { createMockServer } from '../../server.ts'
import { type Bed, openBed } from '../../test-beds/cloud.test-bed.ts'

let bed: Bed
/** The clocks of some servers stand still at this time, which the provider accepts in signatures. */
const now = Date.now()
let folder: string | undefined
afterEach(async () => {
  await bed.close()
  if (folder) rmSync(folder, { recursive: true })
  folder = undefined
})

const open = async (keys: number): Promise<void> => {
  bed = await openBed({ users: [{ name: 'app', keys }] })
  await bed.configure()
}
const adopt = (more = {}) => bed.post('static-roles/s', { username: 'app', rotation_period: '24h', ...more })
const keysOfApp = async (): Promise<readonly string[]> => (await bed.user('app'))?.keys.map(({ id }) => id) ?? []

test('two roles of one user each have their own key, which the other role does not delete', async () => {
  await open(1)
  await adopt({ rotation_period: 60 })
  expect((await bed.post('static-roles/t', { username: 'app', rotation_period: 90 })).status).toBe(200)
  const keyOf = async (name: string) => (await bed.get(`static-creds/${name}`)).data.access_key
  for (let n = 0; n < 5; n++) {
    expect(await keysOfApp()).toEqual(expect.arrayContaining([await keyOf('s'), await keyOf('t')]))
    await bed.pass(40)
  }
  const third = await bed.post('static-roles/u', { username: 'app', rotation_period: 60 })
  expect([third.status, third.errors[0]]).toEqual([400, expect.stringContaining('those of the static roles s, t')])
})

test('rotations, leases and pending removals continue after a restart from a state file', async () => {
  folder = mkdtempSync(join(tmpdir(), 'cloud-'))
  const stateFile = join(folder, 'state.json')
  bed = await openBed({ users: [{ name: 'app', keys: 0 }] }, { stateFile })
  await bed.configure()
  await adopt()
  const document = '{"Version":"2012-10-17","Statement":[]}'
  await bed.post('roles/r', { credential_type: 'iam_user', policy_document: document })
  await bed.get('creds/r')
  await bed.script({ kind: 'failure', times: 100, skip: 1 })
  await bed.get('creds/r')
  await bed.endScripts()
  expect(await bed.users()).toHaveLength(3)
  await bed.server.close()
  const again = await createMockServer({ stateFile })
  await again.clock.advance(768 * 3600 * 1000)
  await again.close()
  expect(await bed.users()).toMatchObject([{ name: 'app', keys: [{}, {}] }])
})

test('a first key that is made late follows the clock, also after a restart from a state file', async () => {
  folder = mkdtempSync(join(tmpdir(), 'cloud-'))
  const stateFile = join(folder, 'state.json')
  const users = ['app', 'web'].map((name) => ({ name, keys: 0 }))
  bed = await openBed({ users }, { clock: createClock(() => now), stateFile })
  await bed.configure()
  bed.server.vary(0, { firstStaticKey: 'later' })
  await adopt()
  expect((await bed.get('static-creds/s')).data.access_key).toBe('')
  await bed.pass(1)
  expect(await keysOfApp()).toEqual([(await bed.get('static-creds/s')).data.access_key])
  await bed.post('static-roles/w', { username: 'web', rotation_period: '24h' })
  await bed.server.close()
  expect(await bed.user('web')).toMatchObject({ keys: [] })
  const again = await createMockServer({ stateFile, clock: createClock(() => now) })
  await again.clock.advance(1000)
  await again.close()
  expect(await bed.user('web')).toMatchObject({ keys: [{}] })
})

test('a rotation that fails is retried ever less often, at least once an hour', async () => {
  await open(1)
  await adopt({ rotation_period: 60 })
  const given = await keysOfApp()
  await bed.script({ kind: 'failure', times: 1e6 })
  const before = (await bed.calls()).length
  await bed.pass(100)
  const soon = (await bed.calls()).length - before
  expect(soon).toBeGreaterThan(2)
  await bed.pass(4 * 24 * 3600)
  expect((await bed.calls()).length - before).toBeLessThan(4 * 24 * soon)
  expect(await keysOfApp()).toEqual(given)
  await bed.endScripts()
  await bed.pass(3600)
  expect(await keysOfApp()).not.toEqual(given)
})
