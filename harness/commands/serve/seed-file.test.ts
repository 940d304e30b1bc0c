import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startReference } from '../../targets/mock.ts'
import { seededOptions } from './seed-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-seed-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (text: string): string => {
  const file = join(folder, 'state.yaml')
  writeFileSync(file, text)
  return file
}

test('a file sets the initial state of the reference server', async () => {
  const policy = `policies:\n  app: path "secret/*" { capabilities = ["read"] }\n`
  const file = fileOf(`tokens: { mine: { policies: [app] } }\n${policy}`)
  const server = await startReference(seededOptions(file))
  const own = await fetch(`${server.url}/v1/auth/token/lookup-self`, { headers: { 'x-vault-token': 'mine' } })
  expect(((await own.json()) as { data: object }).data).toMatchObject({ policies: ['app', 'default'] })
  await server.close()
})

test.each([
  ['user: {}', /unknown key "user"; known keys are mounts, policies, users/],
  ['- x', /it is not a map/],
  ['x: "', /cannot be read: /],
])('rejects %j', (text, message) => {
  expect(() => seededOptions(fileOf(text))).toThrow(message)
})
