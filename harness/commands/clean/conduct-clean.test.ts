import { createSecretKey } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createProxy, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { digestOf, openJournal } from '../../safety/journal.ts'
import { findKey, type JournalKey } from '../../safety/journal-key.ts'
import type { Undo } from '../../safety/journal-lines.ts'
import { readJournal } from '../../safety/journal-record.ts'
import { type ReferenceServer, startReference } from '../../targets/mock.ts'
import { openTerminal } from '../output/terminal.ts'
import { conductCleaning } from './conduct-clean.ts'
import type { CleanFlags } from './flags.ts'
import { journalFile, journalsIn } from './journals.ts'

const runId = 'abcd1234'
const name = `assay-${runId}-1-x`
const home = mkdtempSync(join(tmpdir(), 'assay-clean-'))
const state = join(home, 'state')
let key: JournalKey
let server: ReferenceServer
/** Records every request, and forwards it to the reference server. */
let proxy: Server
let url: string
const seen: string[] = []
const sockets = new Set<Socket>()
let folder: string
let count = 0

beforeAll(async () => {
  const found = findKey(state, 'make')
  if (!('key' in found)) throw new Error(found.unavailable)
  key = found.key
  server = await startReference({ rootToken: 's.root-token-of-these-tests' })
  // The HTTP server of Node does not accept LIST, so this reads the bytes of the connection.
  proxy = createProxy((client) => {
    const upstream = connect(Number(new URL(server.url).port), '127.0.0.1')
    client.on('data', (chunk: Buffer) => {
      for (const [, asked = ''] of chunk.toString('latin1').matchAll(/^([A-Z]+ \S+) HTTP\/1\.1\r$/gm))
        seen.push(asked.replace('/v1/', ''))
    })
    for (const socket of [client, upstream]) {
      socket.on('error', () => {})
      sockets.add(socket)
    }
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => proxy.close(resolve))
  await server.close()
  rmSync(home, { recursive: true })
})
beforeEach(async () => {
  await server.reset()
  seen.length = 0
  folder = join(home, `out-${++count}`)
  mkdirSync(folder)
})

/** Returns the exit code, both streams, and the message of a usage error. */
async function cleaned(flags: Partial<CleanFlags>, env: NodeJS.ProcessEnv = { ASSAY_TOKEN: server.rootToken }) {
  const written = { out: '', err: '' }
  const stream = (to: 'out' | 'err') =>
    ({
      on: () => {},
      write(text: string) {
        written[to] += text
      },
    }) as unknown as NodeJS.WriteStream
  const terminal = openTerminal(
    { stdout: stream('out'), stderr: stream('err') },
    { ASSAY_STATE_DIR: state, ...env },
    new AbortController().signal,
  )
  try {
    const code = await conductCleaning({ out: folder, ...flags }, terminal)
    return { ...written, code, usage: '' }
  } catch (error) {
    return { ...written, code: 2, usage: (error as Error).message }
  }
}

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
const policyOf = (of: string) => deletion(`sys/policies/acl/${of}`)
const makePolicy = (of = name) => operate('POST', `sys/policies/acl/${of}`, '{"policy":"path \\"x\\" {}"}')
const has = (of: string) => (server.inventory().acl ?? []).some((one) => String(one).includes(of))

/** Writes a journal with these undos; if `signed`, as a run of this user would write it. */
function journaled(undos: readonly Undo[], { signed = true, id = runId, at = url, cluster = '' } = {}): string {
  const file = journalFile(folder, id)
  const head = { url: at, runId: id, ...(cluster ? { cluster } : {}) }
  const journal = openJournal(file, head, { key: signed ? key : undefined })
  for (const undo of undos) journal.intend(undo)
  journal.close()
  return file
}

describe('after a run that was killed', () => {
  /** Creates an object and returns its undo; that of a token is known only from the reply. */
  const kinds = {
    token: async (): Promise<Undo> => {
      const { auth } = await operate('POST', 'auth/token/create', JSON.stringify({ display_name: name }))
      const body = JSON.stringify({ accessor: auth?.accessor })
      return { ...deletion('auth/token/revoke-accessor'), method: 'POST', body }
    },
    policy: async (): Promise<Undo> => {
      await makePolicy()
      return policyOf(name)
    },
    mount: async (): Promise<Undo> => {
      await operate('POST', `sys/mounts/${name}`, '{"type":"kv"}')
      return deletion(`sys/mounts/${name}`)
    },
  }
  const known = { token: undefined, policy: policyOf(name), mount: deletion(`sys/mounts/${name}`) }
  const points = ['not yet created', 'created', 'noted in the journal', 'removed', 'removed and noted']
  const all = (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) =>
    points.map((point) => [kind, point] as const),
  )

  test.each(all)('with a %s that was %s, nothing is left', async (kind, point) => {
    const reached = points.indexOf(point)
    const before = server.inventory()
    const journal = openJournal(journalFile(folder, runId), { url, runId }, { key })
    const id = journal.intend(known[kind] ?? { cluster: 'main', words: `POST ${kind}` })
    const undo = reached >= 1 ? await kinds[kind]() : undefined
    if (undo && reached >= 2) journal.resolve(id, undo)
    if (undo && reached >= 3) await operate(undo.method, undo.path, undo.body)
    if (reached >= 4) journal.done(id)
    journal.close()
    expect(await cleaned({ target: url })).toMatchObject({ code: 0 })
    expect(server.inventory()).toEqual(before)
    expect(journalsIn(folder)).toEqual([])
  })

  test('valid lines are used although others are invalid, and the invalid ones are named', async () => {
    for (const at of [1, 2, 3]) await makePolicy(`assay-${runId}-${at}-x`)
    const file = journaled([1, 2, 3].map((at) => policyOf(`assay-${runId}-${at}-x`)))
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [lines[0], lines[1], 'garbage', `${lines[2]?.slice(0, -9)}x"}`, ...lines.slice(3)].join('\n'))
    const { code, out, err } = await cleaned({ target: url })
    expect([1, 2, 3].map((at) => has(`assay-${runId}-${at}-x`))).toEqual([false, true, false])
    expect(code).toBe(7)
    expect(err).toContain('line 3 is not a record of a journal')
    expect(err).toContain('line 4 is not')
    expect(out).toContain(`record 3 is missing: see "npx assay clean --target ${url} --out ${folder} --run ${runId}"`)
    // The object of the lost line is found by its name.
    expect(await cleaned({ target: url, run: runId })).toMatchObject({ code: 7 })
    expect(has(name)).toBe(false)
  })

  test('on another cluster no undo is sent, and the journal is kept', async () => {
    const file = journaled([policyOf(name)], { cluster: digestOf('another') })
    const { usage } = await cleaned({ target: url })
    expect(usage).toContain('belongs to a run on another cluster than the one at')
    expect(usage).toContain(`now: run "npx assay clean --target ${url} --out ${folder}" while that cluster is there`)
    expect(seen).toEqual(['GET sys/health'])
    expect(readJournal(file).open).toHaveLength(1)
  })

  test('on another target nothing is sent', async () => {
    journaled([policyOf(name)], { at: 'http://127.0.0.1:1' })
    const { usage } = await cleaned({ target: url })
    expect(usage).toMatch(/belongs to a run against http:\/\/127\.0\.0\.1:1, not http/)
    expect(seen).toEqual([])
  })

  test('that had created nothing, no token is needed', async () => {
    journaled([], { at: 'http://127.0.0.1:1' })
    writeFileSync(journalFile(folder, 'beef0004'), '')
    expect(await cleaned({}, {})).toMatchObject({ code: 0, out: expect.stringContaining('nothing to clean') })
    expect(journalsIn(folder)).toEqual([])
  })

  test('a token that the target does not know is told once, and the journal is kept', async () => {
    await makePolicy()
    const file = journaled([policyOf(name)])
    const { code, err } = await cleaned({ target: url }, { ASSAY_TOKEN: 's.revoked' })
    expect(code).toBe(7)
    expect(err).toContain(`${url} refuses the token itself: set ASSAY_TOKEN to a valid one, and clean again`)
    expect(readJournal(file).open).toHaveLength(1)
  })

  test('a dry run shows what would be sent, and sends nothing', async () => {
    await makePolicy()
    journaled([policyOf(name)])
    const { code, out } = await cleaned({ target: url, dryRun: true })
    expect({ code, sent: seen, isThere: has(name) }).toEqual({ code: 0, sent: [], isThere: true })
    expect(out).toContain(`DELETE sys/policies/acl/${name}`)
    expect(journalsIn(folder)).toHaveLength(1)
  })
})

describe('a URL that only a file names gets no token', () => {
  test.each([true, false])('if no target is given (signed: %s)', async (signed) => {
    journaled([policyOf(name), { ...deletion('sys/seal'), method: 'POST' }], { signed })
    const { code, out, usage } = await cleaned({})
    expect({ code, sent: seen }).toEqual({ code: 2, sent: [] })
    expect(out).toContain(`  DELETE sys/policies/acl/${name}\n`)
    expect(out).toContain('never sent: POST sys/seal: it is not a request that takes back what the run abcd1234 made')
    expect(usage).toContain(`ASSAY_TOKEN=… npx assay clean --target ${signed ? url : "'<url>'"} --out ${folder}`)
  })

  test('even as the URL of a cluster', async () => {
    const off = { ...deletion('sys/replication/dr/primary/disable'), method: 'POST', body: '{}' }
    journaled([{ ...off, restoration: 'replication-off', url: 'http://127.0.0.1:1' }])
    const { code, out } = await cleaned({ target: url })
    expect({ code, sent: seen }).toEqual({ code: 7, sent: ['GET sys/health', 'GET sys/leader'] })
    expect(out).toContain('and was at http://127.0.0.1:1 in the run: pass the profile that the run used')
  })
})

describe('a journal that this user did not sign', () => {
  const planted = () => [
    policyOf(name),
    policyOf('victim'),
    policyOf(`${name}/../victim`),
    { ...deletion('sys/seal'), method: 'POST' },
    deletion('identity/entity/id/0b1f7a52-8f6a-4f86-9a0e-d6f1c2b3a4e5'),
  ]

  test('is listed, and none of its requests is sent', async () => {
    await makePolicy('victim')
    journaled(planted(), { signed: false })
    const { code, err } = await cleaned({ target: url })
    expect({ code, sent: seen }).toEqual({ code: 2, sent: [] })
    expect(err).toContain(`DELETE sys/policies/acl/${name}`)
    expect(err).toContain('never sent: DELETE sys/policies/acl/victim')
    expect(err).toContain('is not signed by this user')
  })

  test('is not used either if another key signed it', async () => {
    const file = journalFile(folder, runId)
    const journal = openJournal(file, { url, runId }, { key: createSecretKey(Buffer.alloc(32)) })
    journal.intend(policyOf(name))
    journal.close()
    expect((await cleaned({ target: url })).code).toBe(2)
    expect(seen).toEqual([])
  })

  test('is used with --trust-journal, as far as its requests belong to that run; they are shown first', async () => {
    await makePolicy()
    await makePolicy('victim')
    const file = journaled(planted(), { signed: false })
    const { code, out, err } = await cleaned({ target: url, trustJournal: true })
    expect(code).toBe(7)
    expect([has(name), has('victim')]).toEqual([false, true])
    const id = 'identity/entity/id/0b1f7a52-8f6a-4f86-9a0e-d6f1c2b3a4e5'
    const changing = seen.filter((one) => !/^(GET|LIST)/.test(one))
    // The target shows that nothing has this id, so its deletion does no harm.
    expect(changing.sort()).toEqual([`DELETE ${id}`, `DELETE sys/policies/acl/${name}`])
    expect(err).toContain(`DELETE sys/policies/acl/${name}`)
    expect(out).toContain('POST sys/seal was not sent')
    expect(out).toContain('DELETE sys/policies/acl/victim was not sent')
    expect(existsSync(file)).toBe(true)
  })

  test('cannot remove an entity or a token that does not have the name of the run', async () => {
    const entity = (await operate('POST', 'identity/entity', '{"name":"somebody"}')) as { data?: { id: string } }
    const { auth } = await operate('POST', 'auth/token/create', '{"display_name":"somebody"}')
    const own = (await operate('POST', 'auth/token/create', JSON.stringify({ display_name: name }))).auth
    const revocation = (accessor?: string) => ({
      ...deletion('auth/token/revoke-accessor'),
      method: 'POST',
      body: JSON.stringify({ accessor }),
    })
    journaled(
      [deletion(`identity/entity/id/${entity.data?.id}`), revocation(auth?.accessor), revocation(own?.accessor)],
      { signed: false },
    )
    const { code, out } = await cleaned({ target: url, trustJournal: true })
    expect(code).toBe(7)
    expect(out.match(/does not show that this belongs to the run abcd1234/g)).toHaveLength(2)
    expect(seen.filter((one) => one.startsWith('DELETE'))).toEqual([])
    expect(seen.filter((one) => one.includes('revoke'))).toHaveLength(1)
  })

  test('cannot start a line of its own on the console', async () => {
    journaled([policyOf(`${name}\n::error::forged\u202e`)], { signed: false })
    const { err } = await cleaned({ target: url })
    expect(err).not.toMatch(/^\s*::error/m)
    expect(err).not.toContain('\u202e')
  })

  test('a line that was added to a signed journal is not used', async () => {
    await makePolicy('victim')
    const file = journaled([policyOf(name)])
    const line = { n: 3, event: 'intend', id: 2, undo: policyOf(`assay-${runId}-2-x`) }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    await makePolicy(`assay-${runId}-2-x`)
    const { err } = await cleaned({ target: url })
    expect(err).toContain('line 3 is not signed as a line of this journal')
    expect(seen.filter((one) => one.startsWith('DELETE'))).toEqual([`DELETE sys/policies/acl/${name}`])
  })
})

describe('without a journal', () => {
  async function leaveThings(): Promise<void> {
    await makePolicy()
    await operate(
      'POST',
      `sys/policies/egp/${name}`,
      '{"policy":"main = rule { true }","enforcement_level":"advisory","paths":["x"]}',
    )
    await operate('POST', `sys/mounts/${name}`, '{"type":"kv"}')
    await operate('POST', `sys/auth/${name}`, '{"type":"userpass"}')
    await operate('POST', 'identity/entity', JSON.stringify({ name }))
    await operate('POST', 'auth/token/create', JSON.stringify({ display_name: `assay-${runId}` }))
  }

  test('names the runs that left something, with a command to copy', async () => {
    await leaveThings()
    await makePolicy('assay-beef0002-7-x')
    await makePolicy('assay-beefing')
    const { code, out, err } = await cleaned({ target: url })
    expect(code).toBe(7)
    expect(out).toContain(`${name} (mounts)`)
    expect(out).not.toContain('beefing')
    expect(err).toContain(`npx assay clean --target ${url} --out ${folder} --run beef0002`)
    expect(err).toContain(`the run ${runId} left 5 objects`)
    expect(seen.filter((one) => !/^(GET|LIST)/.test(one))).toEqual([])
  })

  test('finds what a run left by its names, shows and removes it, and nothing else', async () => {
    await makePolicy('assay-abcd12345-1-x')
    await makePolicy(`theirs-${name}`)
    await operate('POST', 'auth/token/create', '{"display_name":"somebody"}')
    const before = server.inventory()
    await leaveThings()
    const { code, out, err } = await cleaned({ target: url, run: runId })
    expect({ code, out }).toEqual({ code: 0, out: '6 objects cleaned up, 0 left, 0 journals\n' })
    expect(err).toContain(`found an object of the run ${runId}: ${name} (auth mounts)`)
    expect(server.inventory()).toEqual(before)
  })

  test('a dry run only shows what a run left', async () => {
    await leaveThings()
    const before = server.inventory()
    const { code, out } = await cleaned({ target: url, run: runId, dryRun: true })
    expect({ code, inventory: server.inventory() }).toEqual({ code: 0, inventory: before })
    expect(out).toContain(`${name} (entities)`)
    expect(out).toContain('nothing was cleaned up')
  })

  test('--run needs a target', async () => {
    expect((await cleaned({ run: runId })).usage).toContain('--run needs a server to search')
  })

  test('never claims that a target is clean if nothing can be listed', async () => {
    const other = createServer((_, response) => void response.writeHead(404).end())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    for (const [target, token] of [
      [url, 's.wrong'],
      ['http://127.0.0.1:1', server.rootToken],
      [`http://127.0.0.1:${(other.address() as AddressInfo).port}`, server.rootToken],
    ] as const) {
      const { code, err } = await cleaned({ target, timeout: 1 }, { ASSAY_TOKEN: token })
      expect(code).toBe(3)
      expect(err).toContain(`nothing that ${target} holds could be listed`)
    }
    await new Promise((resolve) => other.close(resolve))
  })
})
