import { expect, test } from 'vitest'
import type { JsonObject, Reply, Scope } from '../harness/vocabulary/index.ts'
import { frames, readRows } from './cloud/ground.ts'
import { readsAsWritten } from './frame.ts'
import { topics } from './index.ts'

const { flawsIn } = readsAsWritten(frames, readRows, (_, value) => value)

/** Returns the rows that a read of the root contradicts, after these writes. */
async function rowsOf(data: JsonObject, served: Readonly<Record<string, readonly JsonObject[]>>) {
  const scope = { served: (path: string) => served[path] ?? [] } as unknown as Scope
  const json = { data }
  const reply: Reply = {
    ...{ status: 200, headers: {}, json, text: JSON.stringify(json), bytes: new Uint8Array(), at: 0 },
    asked: 'GET m/config/root',
  }
  return (await flawsIn({ reply, scope })).map(({ requirement }) => requirement)
}

const written = { 'm/config/root': [{ region: 'eu-north-1', max_retries: 3 }] }

test('what is read is held to what was written once, field by field', async () => {
  expect(await rowsOf({ region: 'eu-north-1', max_retries: 3 }, written)).toEqual([])
  expect(await rowsOf({ region: 'eu-north-1' }, written)).toEqual([])
  expect(await rowsOf({ region: 'eu-north-1', max_retries: 4 }, written)).toEqual(['cloud.root.max-retries.kept'])
  expect(await rowsOf({ max_retries: 4 }, { 'm/config/root': [{ max_retries: 3 }, { max_retries: 4 }] })).toEqual([])
})

test('nothing is said after another write that may change it', async () => {
  expect(await rowsOf({ max_retries: 4 }, { ...written, 'm/config/rotate-root': [{}] })).toEqual([])
  expect(await rowsOf({ max_retries: 4 }, { ...written, 'other/config/rotate-root': [{}] })).toHaveLength(1)
})

test.each([
  'pki {twin}/roles/{use}leaf',
  'pki {twin}/config/urls',
  'pki {twin}/config/crl',
  'cloud {twin}/roles/{use}worker',
  'cloud {twin}/config/root',
  'cloud {twin}/config/lease',
])('some check sees whether %s changes when another mount is written to', (read) => {
  const framed = topics.flatMap(({ topic: { area, checks } }) =>
    checks.flatMap(({ frame = [] }) => frame.map((one) => `${area} ${one.read.path}`)),
  )
  expect(framed).toContain(read)
})
