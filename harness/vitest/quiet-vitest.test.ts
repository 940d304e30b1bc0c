import { existsSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { haveDataFolder } from './quiet-vitest.ts'

const nowhere = '/nowhere/that/is'

test('where neither home nor package can be written to, vitest keeps its token in a temporary folder', () => {
  const env: NodeJS.ProcessEnv = {}
  haveDataFolder(env, [nowhere, nowhere])
  const { XDG_DATA_HOME: folder = '' } = env
  expect(existsSync(folder)).toBe(true)
  rmSync(folder, { recursive: true })
})

test('a folder that can be written to, or one of the caller, is left to vitest', () => {
  const env: NodeJS.ProcessEnv = {}
  haveDataFolder(env, [nowhere, import.meta.dirname])
  const own: NodeJS.ProcessEnv = { XDG_DATA_HOME: '/of/the/caller' }
  haveDataFolder(own, [nowhere])
  expect([env, own]).toEqual([{}, { XDG_DATA_HOME: '/of/the/caller' }])
})
