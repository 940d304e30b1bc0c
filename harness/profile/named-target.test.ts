import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { resolveTarget } from '../targets/resolve.ts'
import { findProfile } from './found-profile.ts'
import { nameTarget } from './named-target.ts'

function project(profile?: string) {
  const root = mkdtempSync(join(tmpdir(), 'assay-named-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'below', 'further')
  mkdirSync(folder, { recursive: true })
  if (profile !== undefined) writeFileSync(join(root, 'assay.yaml'), profile)
  return { root, folder }
}
const env = { VAULT_ADDR: 'https://live.example:8200', VAULT_TOKEN: 'hvs.live' }

describe('the target', () => {
  test('is what was typed, whatever the folder and the environment say', () => {
    const { folder } = project('url: http://found\n')
    const named = (flags: object, word?: string) => nameTarget(flags, word, { env, folder }).flags
    expect(named({}, 'http://typed')).toEqual({ target: 'http://typed' })
    expect(named({ target: 'http://typed' })).toEqual({ target: 'http://typed' })
    expect(named({ profile: 'p.yaml' })).toEqual({ profile: 'p.yaml' })
    expect(named({}, 'p.yaml')).toEqual({ profile: 'p.yaml' })
    expect(named({}, 'embedded')).toEqual({})
    expect(named({ literal: true })).toEqual({ literal: true })
  })

  test('is else the profile of the project, then the address in the environment, then the embedded server', () => {
    const { folder } = project('url: http://found\n')
    const path = '../../assay.yaml'
    expect(nameTarget({}, undefined, { env, folder }).flags).toEqual({
      profile: path,
      namedBy: `${path}, the profile found here`,
    })
    const { folder: bare } = project()
    expect(nameTarget({}, undefined, { env, folder: bare }).flags).toEqual({
      target: env.VAULT_ADDR,
      namedBy: 'VAULT_ADDR',
    })
    expect(nameTarget({}, undefined, { env: {}, folder: bare }).flags).toEqual({})
  })

  test('is not the embedded server if the address in the environment is empty', () => {
    const { folder } = project()
    const named = (empty: NodeJS.ProcessEnv, word?: string) => nameTarget({}, word, { env: empty, folder }).flags
    expect(() => named({ VAULT_ADDR: '' })).toThrow('VAULT_ADDR is empty: set it to the address of the server')
    expect(() => named({ BAO_ADDR: '', VAULT_TOKEN: 'hvs.live' })).toThrow('BAO_ADDR is empty')
    expect(named({ BAO_ADDR: '', ...env })).toMatchObject({ target: env.VAULT_ADDR })
    expect(named({ VAULT_ADDR: '' }, 'embedded')).toEqual({})
  })
})

describe('a profile that is found', () => {
  test('gets a token of the environment only if the environment names the same server', () => {
    const { root } = project('url: https://live.example:8200\n')
    const flags = { profile: join(root, 'assay.yaml'), namedBy: 'assay.yaml, the profile found here' }
    expect(resolveTarget(flags, env)?.token).toBe('hvs.live')
    expect(resolveTarget(flags, { VAULT_TOKEN: 'hvs.live' })?.token).toBeUndefined()
    expect(resolveTarget({ profile: flags.profile }, { VAULT_TOKEN: 'hvs.live' })?.token).toBe('hvs.live')
  })

  test('is not used if another account could have put it there', () => {
    const { root, folder } = project('url: http://found\n')
    const own = process.getuid?.() ?? 0
    expect(findProfile(folder, own)).toEqual({ path: '../../assay.yaml' })
    expect(findProfile(folder, own + 1)?.refused).toContain('belongs to another account')
    chmodSync(root, 0o777)
    expect(findProfile(folder, own)?.refused).toContain('anyone may change it')
    const { flags, refused } = nameTarget({}, undefined, { env: {}, folder })
    expect([flags, refused]).toEqual([{}, expect.stringContaining('give it with --profile')])
  })
})
