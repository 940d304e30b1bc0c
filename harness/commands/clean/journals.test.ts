import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestOf, openJournal, readJournal, type Undo } from '../../safety/journal.ts'
import { type ReferenceServer, startReference } from '../../targets/mock.ts'
import { clean, journalFile, strays } from './journals.ts'

const runId = 'abcd1234'
const name = `assay-${runId}-1-x`
const folder = mkdtempSync(join(tmpdir(), 'assay-journals-'))
let server: ReferenceServer
beforeAll(async () => {
  server = await startReference({ rootToken: 's.root-token-of-these-tests' })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

async function operate(method: string, path: string, body?: string): Promise<{ auth?: { accessor: string } }> {
  const reply = await fetch(`${server.url}/v1/${path}`, {
    method,
    headers: { 'X-Vault-Token': server.rootToken },
    ...(body === undefined ? {} : { body }),
  })
  expect(reply.ok).toBe(true)
  const text = await reply.text()
  return text ? JSON.parse(text) : {}
}

const deletion = (path: string): Undo => ({ cluster: 'main', method: 'DELETE', path, words: `POST ${path}` })

/** What is made, and by what it is taken back; a token is known by its reply only. */
const kinds = {
  token: {
    make: async (): Promise<Undo> => {
      const { auth } = await operate('POST', 'auth/token/create', JSON.stringify({ display_name: name }))
      const body = JSON.stringify({ accessor: auth?.accessor })
      return { ...deletion('auth/token/revoke-accessor'), method: 'POST', body }
    },
  },
  policy: {
    make: async (): Promise<Undo> => {
      await operate('POST', `sys/policies/acl/${name}`, '{"policy":"path \\"x\\" {}"}')
      return deletion(`sys/policies/acl/${name}`)
    },
  },
  mount: {
    make: async (): Promise<Undo> => {
      await operate('POST', `sys/mounts/${name}`, '{"type":"kv"}')
      return deletion(`sys/mounts/${name}`)
    },
  },
}

const points = ['before it is made', 'once it is made', 'once it is named', 'once it is gone', 'once that is noted']
const all = Object.keys(kinds).flatMap((kind) => points.map((point) => [kind, point] as const))

test.each(all)('a run that is killed with a %s %s is cleaned up after', async (kind, point) => {
  const reached = points.indexOf(point)
  const before = server.inventory()
  const file = journalFile(folder, `${runId}-${kind}-${reached}`)
  const journal = openJournal(file, { url: server.url, runId })
  const { make } = kinds[kind as keyof typeof kinds]
  const known: Undo[] = kind === 'policy' ? [deletion(`sys/policies/acl/${name}`)] : []
  if (kind === 'mount') known.push(deletion(`sys/mounts/${name}`))
  const id = journal.intend(known[0] ?? { cluster: 'main', words: `POST ${kind}` })
  const undo = reached >= 1 ? await make() : undefined
  if (undo && reached >= 2) journal.resolve(id, undo)
  if (undo && reached >= 3) await operate(undo.method, undo.path, undo.body)
  if (reached >= 4) journal.done(id)
  journal.close()
  const { left } = await clean(file, {}, { ASSAY_TOKEN: server.rootToken })
  expect(left).toEqual([])
  expect(server.inventory()).toEqual(before)
})

test('a journal of a cluster that is no longer there is kept', async () => {
  const file = journalFile(folder, 'beef0001')
  const journal = openJournal(file, { url: server.url, runId: 'beef0001', cluster: digestOf('another') })
  journal.intend(deletion('sys/mounts/assay-beef0001-1-x'))
  journal.close()
  const cleaning = clean(file, { target: server.url }, { ASSAY_TOKEN: server.rootToken })
  await expect(cleaning).rejects.toThrow(/is of a run on another cluster than the one that is at http/)
  expect(readJournal(file).open).toHaveLength(1)
})

test('objects of runs whose journals are elsewhere are seen, and left alone', async () => {
  await operate('POST', 'sys/mounts/assay-beef0002-7-mount', '{"type":"kv"}')
  const seen = await strays({ target: server.url }, { ASSAY_TOKEN: server.rootToken })
  expect(seen).toEqual({ seen: ['assay-beef0002-7-mount/ (mounts)'] })
  await operate('DELETE', 'sys/mounts/assay-beef0002-7-mount')
})

test('where nothing can be listed, nothing is said to be clean', async () => {
  const other = createServer((_, response) => void response.writeHead(404).end())
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const unread = (url: string) => `nothing that ${url} holds could be listed: see whether it can be reached`
  for (const [url, token] of [
    [server.url, 's.wrong'],
    ['http://127.0.0.1:1', server.rootToken],
    [`http://127.0.0.1:${(other.address() as AddressInfo).port}`, server.rootToken],
  ] as const)
    expect(await strays({ target: url, timeout: 1 }, { ASSAY_TOKEN: token })).toEqual({
      seen: [],
      unread: expect.stringContaining(unread(url)),
    })
  await new Promise((resolve) => other.close(resolve))
})

test('a journal of a run that had made nothing needs no token', async () => {
  const begun = journalFile(folder, 'beef0003')
  openJournal(begun, { url: 'http://127.0.0.1:1', runId: 'beef0003' }).close()
  const blank = journalFile(folder, 'beef0004')
  writeFileSync(blank, '')
  for (const file of [begun, blank]) expect(await clean(file, {}, {})).toEqual({ undone: [], left: [] })
})
