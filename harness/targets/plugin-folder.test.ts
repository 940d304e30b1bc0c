import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { referenceTarget, startReference } from './mock.ts'
import { makePluginFolder } from './plugin-folder.ts'

test('a plugin folder contains executables with the given digests until it is removed', () => {
  const folder = makePluginFolder()
  for (const { command, sha256 } of folder.files) {
    const file = join(folder.path, command)
    expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(sha256)
    expect(statSync(file).mode & 0o100).toBe(0o100)
  }
  folder.remove()
  expect(existsSync(folder.path)).toBe(false)
})

test('a reference server creates a plugin folder, and removes it when it is closed', async () => {
  const server = await startReference()
  expect(referenceTarget(server).provides['plugin-files']).toEqual(server.pluginFolder?.files)
  const path = server.pluginFolder?.path ?? ''
  expect(existsSync(path)).toBe(true)
  await server.close()
  expect(existsSync(path)).toBe(false)
})

test('a reference server does not remove a plugin folder that it was given', async () => {
  const folder = makePluginFolder()
  const server = await startReference({ pluginDirectory: folder.path })
  expect(server.pluginFolder).toBeUndefined()
  await server.close()
  expect(existsSync(folder.path)).toBe(true)
  folder.remove()
})
