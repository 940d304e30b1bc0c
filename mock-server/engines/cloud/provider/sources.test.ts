import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { provider, type Source } from '../rules/provider.ts'
import { rootFields } from '../rules/root.ts'
import { keysInFile, type Surroundings, sources } from './sources.ts'

const nothing = Object.fromEntries(
  Object.entries(rootFields).map(([name, { fallback }]) => [name, fallback]),
) as unknown as Surroundings['config']
const around = (more: Partial<Surroundings> = {}): Surroundings => ({
  ...{ config: nothing, environment: {} },
  federated: async () => ({ accessKeyId: 'federated', secretAccessKey: 's' }),
  ...more,
})

test('no source has credentials by default', async () => {
  for (const source of Object.values(sources)) expect(await source(around())).toBeUndefined()
})

test('the sources with the highest precedence come first', async () => {
  const environment = { CLOUD_ACCESS_KEY: 'environment', CLOUD_SECRET_KEY: 's' }
  const full = { ...nothing, access_key: 'static', secret_key: 's', identity_token_audience: 'a' }
  const found: (string | undefined)[] = []
  for (const source of provider.sources.slice(0, 3) as readonly Source[])
    found.push((await sources[source](around({ config: full, environment })))?.accessKeyId)
  expect(found).toEqual(['static', 'federated', 'environment'])
})

test('a shared credentials file is read if the environment names one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'))
  const path = join(folder, 'credentials')
  writeFileSync(path, '[other]\naws_access_key_id=o\n\n[default]\naws_access_key_id = f\naws_secret_access_key = s\n')
  const environment = { CLOUD_SHARED_CREDENTIALS_FILE: path }
  expect(await sources.files(around({ environment }))).toEqual({ accessKeyId: 'f', secretAccessKey: 's' })
  rmSync(folder, { recursive: true })
  expect(keysInFile('[other]\naws_access_key_id=o\naws_secret_access_key=s')).toBeUndefined()
})

test('an assigned role is asked for credentials if the environment names its address', async () => {
  const answer = JSON.stringify({ AccessKeyId: 'r', SecretAccessKey: 's', Token: 't' })
  const server = createServer((_, response) => response.end(answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const environment = { CLOUD_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}` }
  const keys = await sources['assigned-role'](around({ environment }))
  expect(keys).toEqual({ accessKeyId: 'r', secretAccessKey: 's', sessionToken: 't' })
  server.close()
})

test.each([
  [{ CLOUD_REGION: 'r1', CLOUD_DEFAULT_REGION: 'r2' }, 'eu', 'eu'],
  [{ CLOUD_REGION: 'r1', CLOUD_DEFAULT_REGION: 'r2' }, '', 'r1'],
  [{ CLOUD_DEFAULT_REGION: 'r2' }, '', 'r2'],
  [{}, '', 'us-east-1'],
])('with the environment %j and the configured region %j, the region is %s', (environment, region, expected) => {
  const config = { ...nothing, region }
  expect(provider.region.map((of) => of(config, environment)).find(Boolean)).toBe(expected)
})
