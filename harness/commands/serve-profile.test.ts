import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReference } from '../targets/mock.ts'
import { loadProfile } from '../targets/profile.ts'
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
    expect(profile.secrets).toEqual([])
    expect(() => writeProfile(server, join(folder, 'no', 'profile.yaml'))).toThrow('mend the path')
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
