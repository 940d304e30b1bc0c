import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadProfile } from '../../profile/profile.ts'
import { startReference } from '../../targets/mock.ts'
import { startAssay } from '../child.test-bed.ts'
import { profileOf, writeProfile } from './serve-profile.ts'

test('the profile that a server writes can be loaded, and declares what a probe cannot see', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-profile-'))
  const server = await startReference({ control: true, forms: { 'plugin-catalog': 'older' } })
  try {
    const file = join(folder, 'profile.yaml')
    writeFileSync(file, 'of an earlier start', { mode: 0o644 })
    writeProfile(server, file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const profile = loadProfile(file, {})
    expect(profile).toMatchObject({ url: server.url, control: server.controlUrl })
    expect(profile.declared.forms).toEqual(server.forms)
    expect(profile.pluginFiles).toEqual(server.pluginFolder?.files)
    expect(profile.provider).toEqual({ listen: '127.0.0.1:0' })
    expect(profile.secrets).toEqual([])
    expect(() => writeProfile(server, join(folder, 'no', 'profile.yaml'))).toThrow('fix the path')
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the profile of a literal server declares what that server does not report', async () => {
  const server = await startReference({ literal: true, edition: 'community' })
  try {
    const facts = { edition: 'community', product: 'reference server', forms: server.forms }
    expect(profileOf(server)).toMatchObject({ declared: facts })
  } finally {
    await server.close()
  }
})

test('the root token is new at every start, unless a seed is given', async () => {
  const tokenOf = async (...flags: string[]): Promise<string> => {
    const child = startAssay(['serve', '--port', '0', '--verbose', ...flags])
    try {
      await child.said('ASSAY_CONTROL_URL')
      child.process.kill('SIGINT')
      const { out } = await child.ended
      const [, token = '', words = ''] = /^root token: (\S+) {2}\((.*)\)$/m.exec(out) ?? []
      expect(words).toMatch(flags.length === 0 ? 'new at every start' : 'the same at the next start')
      return token
    } finally {
      child.process.kill('SIGKILL')
    }
  }
  const [one, other, seeded, again] = await Promise.all([
    ...[tokenOf(), tokenOf()],
    ...[tokenOf('--seed', '1'), tokenOf('--seed', '1')],
  ])
  expect(one).toMatch(/^s\.\w{24}$/)
  expect(other).not.toBe(one)
  expect([seeded, again]).toEqual([seeded, seeded])
  expect(seeded).not.toBe(one)
})

test('what a client needs is printed as shell commands, and the rest only on demand', async () => {
  const child = startAssay(['serve', '--port', '0'], { ASSAY_ROOT_TOKEN: "root's-own" })
  try {
    await child.said('export VAULT_TOKEN=')
    child.process.kill('SIGINT')
    const { out } = await child.ended
    expect(out.trim().split('\n')).toHaveLength(4)
    const exports = out.slice(out.indexOf('  export'))
    const { stdout } = spawnSync('sh', ['-c', `${exports}\nenv`], { encoding: 'utf8', env: {} })
    expect(stdout).toContain("VAULT_TOKEN=root's-own\n")
    expect(stdout).toMatch(/^VAULT_ADDR=http:\/\/127\.0\.0\.1:\d+$/m)
  } finally {
    child.process.kill('SIGKILL')
  }
})

test('with several clusters, the variables of the profile are printed as shell commands', async () => {
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
    const { stdout } = spawnSync('sh', ['-c', `${out.slice(out.indexOf('  export ASSAY_'))}\nenv`], {
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
