import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { type Bed, openBed } from '../../test-beds/cloud.test-bed.ts'

let bed: Bed
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
