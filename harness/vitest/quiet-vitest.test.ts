import { existsSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { haveDataFolder } from './quiet-vitest.ts'

const nowhere = '/nowhere/that/is'

test('if neither home nor package is writable, vitest stores its token in a temporary folder', () => {
  const env: NodeJS.ProcessEnv = {}
  haveDataFolder(env, [nowhere, nowhere])
  const { XDG_DATA_HOME: folder = '' } = env
  expect(existsSync(folder)).toBe(true)
  rmSync(folder, { recursive: true })
})

test('a writable folder, or one that the caller has set, is not replaced', () => {
  const env: NodeJS.ProcessEnv = {}
  haveDataFolder(env, [nowhere, import.meta.dirname])
  const own: NodeJS.ProcessEnv = { XDG_DATA_HOME: '/of/the/caller' }
  haveDataFolder(own, [nowhere])
  expect([env, own]).toEqual([{}, { XDG_DATA_HOME: '/of/the/caller' }])
})
