import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, expect, test } from 'vitest'
import type { ResultDocument } from '../vocabulary/index.ts'
import { startReplay } from './replay.ts'
import { writeRecording } from './run/recording.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))

const exchange = (method: string, path: string, status: number, responseBody: string, more: object = {}) => ({
  ...{ phase: 'when', method, url: `https://vault.example/v1/${path}`, requestHeaders: {}, as: 'operator' },
  attempts: [{ status, responseBody, responseHeaders: { 'Content-Type': 'application/json' }, ...more }],
})

const document = {
  target: { name: 'mine', probe: [exchange('GET', 'sys/health', 200, '{"sealed":false}')] },
  run: { startedAt: '2026-01-01T00:00:00Z' },
  checks: [
    {
      exchanges: [
        exchange('LIST', 'sys/policies/acl', 200, '{"data":{"keys":["default"]}}'),
        exchange('POST', 'sys/policies/acl/one', 204, ''),
        exchange('GET', 'sys/policies/acl/one', 200, '{"data":{"policy":"cut', { responseCut: true }),
      ],
    },
  ],
} as unknown as ResultDocument

test('serves what a run recorded, without truncated replies', async () => {
  const file = writeRecording(join(folder, 'answers'), document)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const server = await startReplay(join(folder, 'answers'), { port: 0, host: '127.0.0.1' })
  const ask = async (method: string, path: string, body?: string) => {
    const reply = await request(`${server.url}/v1/${path}`, { method: method as 'GET', ...(body ? { body } : {}) })
    return [reply.statusCode, await reply.body.text()]
  }
  expect(await ask('GET', 'sys/health')).toEqual([200, '{"sealed":false}'])
  expect(await ask('LIST', 'sys/policies/acl')).toEqual([200, '{"data":{"keys":["default"]}}'])
  expect(await ask('PUT', 'sys/policies/acl/two', '{"policy":"x"}')).toEqual([204, ''])
  expect(await ask('GET', 'sys/policies/acl/one')).toEqual([404, '{"errors":["no answer was recorded"]}'])
  await server.close()
})

test('a recording replaces a planted link or a readable file, and writes through neither', () => {
  const planted = join(folder, 'planted')
  mkdirSync(planted)
  writeFileSync(join(folder, 'theirs'), 'theirs')
  symlinkSync(join(folder, 'theirs'), join(planted, 'recording.json'))
  const file = writeRecording(planted, document)
  expect(statSync(join(folder, 'theirs')).size).toBe(6)
  chmodSync(file, 0o644)
  expect(statSync(writeRecording(planted, document)).mode & 0o777).toBe(0o600)
  expect(readdirSync(planted)).toEqual(['recording.json'])
})

test('rejects a folder without a recording', async () => {
  await expect(startReplay(folder, { port: 0, host: '127.0.0.1' })).rejects.toThrow(
    'recording.json cannot be read (ENOENT): give the folder of a recording',
  )
})
