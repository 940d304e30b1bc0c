/** Runs the example tests of clients in other languages against `assay serve`. An example is skipped where its
 * toolchain or its packages are not installed, because tests install nothing. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, startAssay } from './commands/child.test-bed.ts'
import { patient } from './whole-runs/patience.test-bed.ts'

const folder = resolve(import.meta.dirname, '../fixtures/examples/clients')
const output = mkdtempSync(join(tmpdir(), 'assay-clients-'))

interface Example {
  /** Succeeds if what the example needs is installed. */
  readonly probe: readonly string[]
  readonly run: readonly string[]
}

const offline = ['env', 'GOPROXY=off', 'GOFLAGS=-mod=readonly', 'GOTOOLCHAIN=local']
const maven = ['mvn', '--quiet', '--batch-mode', '--offline', `-DbuildDirectory=${join(output, 'java')}`]
const examples: Readonly<Record<string, Example>> = {
  python: {
    probe: ['python3', '-c', 'import hvac, pytest'],
    run: ['python3', '-B', '-m', 'pytest', '-p', 'no:cacheprovider'],
  },
  go: { probe: [...offline, 'go', 'list', '-deps', '-test', '.'], run: [...offline, 'go', 'test', '-count=1', '.'] },
  java: { probe: [...maven, 'test-compile'], run: [...maven, 'test'] },
}

const environment = { PATH: process.env.PATH, HOME: homedir() }

const isInstalled = (name: string, [command = '', ...args]: readonly string[]): boolean =>
  spawnSync(command, args, { cwd: join(folder, name), env: environment, timeout: patient(60_000) }).status === 0

let server: Child
let variables: Readonly<Record<string, string>>
beforeAll(async () => {
  server = startAssay(['serve', '--port', '0', '--seed-file', join(folder, 'state.yaml'), '--json'])
  const line = await new Promise<string>((resolve) => server.process.stdout?.once('data', (text) => resolve(`${text}`)))
  const { url, token, control } = JSON.parse(line)
  variables = { VAULT_ADDR: url, VAULT_TOKEN: token, ASSAY_CONTROL_URL: control }
})
afterAll(async () => {
  server.process.kill()
  await server.ended
  rmSync(output, { recursive: true, force: true })
})

test.each(Object.entries(examples))('the example in %s passes', async (name, { probe, run }) => {
  if (!isInstalled(name, probe)) return expect(process.env.ASSAY_CLIENTS, `${name} lacks its packages`).toBeUndefined()
  const [command = '', ...args] = run
  const child = spawn(command, args, { cwd: join(folder, name), env: { ...environment, ...variables } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code, said).toBe(0)
})
