import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReference } from '../targets/mock.ts'
import { loadProfile } from '../targets/profile.ts'
import { startAssay } from './child.test-bed.ts'
import { writeProfile } from './serve-profile.ts'

test('a profile that a server writes of itself can be loaded, and says what cannot be seen', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-profile-'))
  const server = await startReference({ control: true, forms: { 'plugin-catalog': 'older' } })
  try {
    const file = join(folder, 'profile.yaml')
    writeProfile(server, file)
    const profile = loadProfile(file, {})
    expect(profile).toMatchObject({ url: server.url, control: server.controlUrl })
    expect(profile.declared.forms).toEqual(server.forms)
    expect(profile.pluginFiles).toEqual(server.pluginFolder?.files)
    expect(profile.provider).toEqual({ listen: '127.0.0.1:0' })
    expect(profile.secrets).toEqual([])
    expect(() => writeProfile(server, join(folder, 'no', 'profile.yaml'))).toThrow('mend the path')
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('of several clusters, what the profile takes from the environment is printed for a shell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-profile-'))
  const file = join(folder, 'profile.yaml')
  const child = startAssay(['serve', '--clusters', '2', '--port', '0', '--write-profile', file], {
    ASSAY_ROOT_TOKEN: "root's-own",
  })
  try {
    await child.said('export ASSAY_SECOND_SHARE_5=')
    child.process.kill('SIGINT')
    const { code, out } = await child.ended
    expect(code).toBe(0)
    const { stdout } = spawnSync('sh', ['-c', `${out.slice(out.indexOf('  export'))}\nenv`], {
      encoding: 'utf8',
      env: {},
    })
    const env = Object.fromEntries([...stdout.matchAll(/^(ASSAY_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
    expect(env.ASSAY_TOKEN).toBe("root's-own")
    const profile = loadProfile(file, env)
    expect(profile.keyShares).toHaveLength(5)
    expect(profile.clusters?.map(({ token, keyShares }) => [token?.length, keyShares?.length])).toEqual([
      [expect.any(Number), 5],
    ])
  } finally {
    child.process.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
