import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ClusterAccess, type Dialect, get, list, post } from '../vocabulary/index.ts'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { type Ask, asOperator } from '../wire/ask.ts'
import { createClient, type WireClient } from '../wire/client.ts'
import { endpointAt, type Scripted, scriptedServer } from '../wire/scripted-server.ts'
import { cleanUp, type ReachOf } from './clean-up.ts'
import { intendedIn, leftOver, nameSet, nothingIntended, rememberNames, takeInventory } from './inventory.ts'
import { openJournal } from './journal.ts'
import { readJournal } from './journal-record.ts'

const dialect: Dialect = {
  id: 'test',
  prefix: '/v1',
  tokenHeader: 'X-Token',
  operations: {
    inventory: () => ({
      exchanges: [
        list('policies', { words: 'policies' }),
        get('mounts', { words: 'mounts' }),
        list('forbidden', { words: 'forbidden things' }),
        list('accessors', { words: 'token accessors' }),
      ],
    }),
    tokenByAccessor: (args) => ({ exchanges: [post('lookup', { accessor: String(args.accessor) })] }),
    revokeAccessor: (args) => ({ exchanges: [post('revoke', { accessor: String(args.accessor) })] }),
  },
}

const head = { url: 'http://target.invalid', runId: 'r1' }
let folder: string
let file: string
let server: Scripted
let client: WireClient
let policies: Set<string>
let tokens: Map<string, string>
/** The issuers of methods by id. */
let methods: Map<string, string>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-clean-'))
  file = join(folder, 'journal.jsonl')
  policies = new Set(['old', 'assay-r1-1-a', 'assay-r1-2-b', 'assay-other-1-a'])
  tokens = new Map([
    ['acc-1', 'token-assay-r1'],
    ['acc-2', 'somebody'],
  ])
  methods = new Map([
    ['id-1', 'assay-r1-7-label Ltd'],
    ['id-2', 'Acme Ltd'],
    ['id-3', 'assay-r12-7-label Ltd'],
  ])
  // The scripted server uses node:http, whose parser rejects the method LIST.
  const answers: Record<string, (name: string, body: string) => readonly [json: unknown, status?: number]> = {
    'DELETE policies': (name) => [{ errors: [] }, policies.delete(name) ? 204 : 404],
    'DELETE methods': (id) =>
      policies.has(`assay-r1-9-holds-${id}`)
        ? [{ errors: ['still in use'] }, 500]
        : [{ errors: [] }, methods.delete(id) ? 204 : 404],
    'GET methods': (id) => (methods.has(id) ? [{ data: { issuer: methods.get(id) } }] : [{ errors: [] }, 404]),
    'POST methods': () => [{ errors: ['no secret of that entity'] }, 400],
    'GET mounts': () => [{ data: { 'secret/': { type: 'kv' } } }],
    'POST lookup': (_, body) => [{ data: { display_name: tokens.get(JSON.parse(body).accessor) } }],
    'POST revoke': (_, body) => [{}, tokens.delete(JSON.parse(body).accessor) ? 204 : 400],
  }
  server = await scriptedServer(({ method, path, body }, response) => {
    const [, what = '', name = ''] = /^\/v1\/([^/]+)\/?(.*)$/.exec(path) ?? []
    const refused = what === 'stuck' ? ([{ errors: ['no'] }, 403] as const) : ([{ errors: [] }, 405] as const)
    const [json, status = 200] = answers[`${method} ${what}`]?.(name, body) ?? refused
    response.writeHead(status).end(JSON.stringify(json))
  })
  client = createClient(endpointAt(server.url), { timeoutMs: patient(2000), maxRps: 0, environment: {} })
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await client.close()
  await server.close()
})

/** Replies to LIST here, because the scripted server cannot; sends everything else to the server. */
const ask = () => {
  const operator = asOperator(client, dialect)
  const lists: Record<string, () => string[]> = {
    policies: () => [...policies],
    accessors: () => [...tokens.keys()],
    methods: () => [...methods.keys()],
  }
  return async (question: Parameters<typeof operator>[0]) => {
    const keys = question.method === 'LIST' ? lists[question.path]?.() : undefined
    if (!keys) return operator(question.method === 'LIST' ? { ...question, method: 'GET' } : question)
    const json = { data: { keys } }
    const reply = { status: 200, headers: {}, json, text: '', bytes: new Uint8Array(), asked: '', at: 0 }
    return { url: '', headers: {}, attempts: [], reply }
  }
}

const reach = () => ({ ask: ask() })

/** Cleans up with every undo accepted, and records in the journal what is gone. */
async function cleaned(reachOf: ReachOf, by: Dialect, isAmongNodes = false) {
  const notes = openJournal(file, head)
  try {
    const { undone, left } = await cleanUp({
      ...{ record: readJournal(file), reachOf, dialect: by },
      ...{ accept: () => ({ isNamed: true }), isAmongNodes },
      gone: (id) => notes.done(id),
    })
    return { undone, left }
  } finally {
    notes.close()
  }
}

describe('clean-up', () => {
  test('a restoration is left to the dialect', async () => {
    const restored: string[] = []
    const restorations = { 'roles-off': async (_: unknown, path: string) => void restored.push(path) }
    const journal = openJournal(file, head)
    const undo = { cluster: 'main', method: 'POST', path: 'roles/off', words: 'POST roles/on' }
    journal.intend({ ...undo, restoration: 'roles-off' })
    journal.intend({ ...undo, restoration: 'nothing' })
    journal.intend({ ...undo, restoration: 'roles-off', url: 'http://other' })
    journal.close()
    const access = {} as ClusterAccess
    const { undone, left } = await cleaned(() => ({ ...reach(), access, url: 'http://here' }), {
      ...dialect,
      restorations,
    })
    expect({ restored, undone }).toEqual({ restored: ['roles/off'], undone: ['POST roles/on'] })
    expect(left).toEqual([
      'POST roles/on: the cluster "main" is at http://here in this profile, and was at http://other in the run: pass the profile that the run used',
      `POST roles/on: the dialect ${dialect.id} has no restoration nothing`,
    ])
  })

  test('takes back what the journal names, last first, and nothing else', async () => {
    const journal = openJournal(file, head)
    for (const path of ['policies/assay-r1-1-a', 'policies/assay-r1-2-b', 'policies/gone'])
      journal.intend({ cluster: 'main', method: 'DELETE', path, words: `POST ${path}` })
    journal.close()
    const first = await cleaned(reach, dialect)
    expect(first).toEqual({
      undone: ['POST policies/gone', 'POST policies/assay-r1-2-b', 'POST policies/assay-r1-1-a'],
      left: [],
    })
    expect([...policies]).toEqual(['old', 'assay-other-1-a'])
    expect(await cleaned(reach, dialect)).toEqual({ undone: [], left: [] })
  })

  test('what cannot be taken back is reported as left with the reason, and stays in the journal', async () => {
    const journal = openJournal(file, head)
    journal.intend({ cluster: 'main', method: 'DELETE', path: 'stuck/x', words: 'POST stuck/x' })
    journal.intend({ cluster: 'far', method: 'DELETE', path: 'policies/x', words: 'POST policies/x' })
    journal.close()
    const { left } = await cleaned((cluster) => (cluster === 'main' ? reach() : undefined), dialect)
    expect(left).toEqual([
      'POST policies/x: the profile names no cluster "far": pass the profile that the run used',
      'POST stuck/x: DELETE stuck/x answered 403',
    ])
    expect(readJournal(file).open).toHaveLength(2)
  })

  test('a target that cannot be reached is tried once, and everything stays in the journal', async () => {
    const journal = openJournal(file, head)
    for (const path of ['policies/a', 'policies/b', 'policies/c'])
      journal.intend({ cluster: 'main', method: 'DELETE', path, words: `POST ${path}` })
    journal.close()
    const { port } = new URL(server.url)
    await server.close()
    let asked = 0
    const once: Ask = (question) => {
      asked += 1
      return ask()({ ...question, once: true })
    }
    const { left } = await cleaned(() => ({ ask: once }), dialect)
    server = await scriptedServer(() => {})
    expect(left).toHaveLength(3)
    expect(left[2]).toBe(`POST policies/a: nothing listens at 127.0.0.1:${port}`)
    expect(asked).toBe(1)
    expect(readJournal(file).open).toHaveLength(3)
  })

  test('a token whose accessor was never received is found by the name of the run', async () => {
    const journal = openJournal(file, head)
    journal.intend({ cluster: 'main', words: 'POST auth/token/create' })
    journal.close()
    expect(await cleaned(reach, dialect)).toEqual({ undone: ['POST auth/token/create'], left: [] })
    expect([...tokens.keys()]).toEqual(['acc-2'])
  })

  test('an object whose id was never received is found by the field that bears the name of the run', async () => {
    const journal = openJournal(file, head)
    journal.intend({ cluster: 'main', words: 'POST methods' })
    journal.close()
    const marked = [{ list: list('methods'), field: 'issuer' }]
    expect(await cleaned(reach, { ...dialect, marked })).toEqual({ undone: ['POST methods'], left: [] })
    expect([...methods.keys()]).toEqual(['id-2', 'id-3'])
  })

  test('what bears the name of the run is looked for once, whatever number of replies was lost', async () => {
    const journal = openJournal(file, head)
    for (const words of ['POST methods', 'POST methods', 'POST auth/token/create'])
      journal.intend({ cluster: 'main', words })
    journal.close()
    const asked: string[] = []
    const counting: ReachOf = () => {
      const sent = ask()
      return {
        ask(question) {
          asked.push(question.path)
          return sent(question)
        },
      }
    }
    expect((await cleaned(counting, dialect)).left).toEqual([])
    expect(asked.filter((path) => path === 'accessors')).toHaveLength(1)
  })

  test.each([true, false])(
    'what is held by what a node shows again is taken back: several nodes %s',
    async (several) => {
      policies.add('assay-r1-9-holds-id-1')
      const journal = openJournal(file, head)
      journal.intend({ cluster: 'main', method: 'DELETE', path: 'methods/id-1', words: 'POST methods' })
      journal.close()
      const { left } = await cleaned(reach, { ...dialect, marked: [{ list: list('policies') }] }, several)
      expect(left).toHaveLength(several ? 0 : 1)
    },
  )

  test('what a killed run had taken back counts as gone once its parent is', async () => {
    const journal = openJournal(file, head)
    const made = { cluster: 'main', words: 'POST methods' }
    journal.intend({ ...made, method: 'DELETE', path: 'methods/id-1' })
    const body = JSON.stringify({ method_id: 'id-1' })
    journal.intend({ ...made, method: 'POST', path: 'methods/destroy', body, words: 'POST methods/generate' })
    journal.close()
    const { undone, left } = await cleaned(reach, dialect)
    expect({ undone, left }).toEqual({ undone: ['POST methods', 'POST methods/generate'], left: [] })
  })
})

describe('inventory', () => {
  test('lists what can be read, and reports only what the run itself left', async () => {
    policies = new Set(['old'])
    tokens.delete('acc-1')
    expect(await takeInventory(ask(), dialect)).toEqual({
      policies: ['old'],
      mounts: ['secret/'],
      'token accessors': ['acc-2'],
    })
    const before = await rememberNames(ask(), dialect)
    for (const name of ['assay-r1-3-left', 'assay-other-1-a', 'theirs']) policies.add(name)
    tokens.set('acc-3', 'token-assay-r1').set('acc-4', 'theirs')
    const run = { runId: 'r1', ask: ask(), dialect, intended: nothingIntended }
    const left = await leftOver(before, run)
    expect(left.map(({ words }) => words)).toEqual(['assay-r1-3-left (policies)', 'token with accessor acc-3'])
  })

  test('finds objects with server-assigned ids by the journal, and reports what a lost reply may have made', async () => {
    const journal = openJournal(file, head)
    const undo = { cluster: 'main', method: 'DELETE', path: 'policies/id-1', words: 'POST policies' }
    journal.done(journal.intend(undo))
    const seen = intendedIn(readJournal(file))
    const lost = journal.intend({ cluster: 'main', words: 'POST policies' })
    const unseen = intendedIn(readJournal(file))
    journal.done(lost)
    journal.close()
    policies = new Set(['id-1', 'id-2'])
    const before = new Map([['policies', nameSet([])]])
    const left = async (intended: typeof seen) => {
      const found = await leftOver(before, { runId: 'r1', ask: ask(), dialect, intended })
      return found.map(({ words }) => words)
    }
    expect(await left(seen)).toEqual(['id-1 (policies)'])
    expect(await left(unseen)).toEqual([
      'id-1 (policies)',
      'id-2 (policies), perhaps: the run never received the reply to a request there',
    ])
    expect(await left(intendedIn(readJournal(file)))).toEqual(['id-1 (policies)'])
  })
})

test('a role that the run was refused is only read on a cluster that may not be wiped', async () => {
  const sent: string[] = []
  const restorations = {
    'roles-off': async ({ send }: ClusterAccess) => {
      await send(get('role'))
      await send(post('role/off'))
      return 'still a role'
    },
  }
  const access = {
    mayBeWiped: false,
    send: async ({ method, path }: { method: string; path: string }) => void sent.push(`${method} ${path}`),
  } as unknown as ClusterAccess
  const journal = openJournal(file, head)
  const undo = { cluster: 'main', method: 'POST', path: 'roles/off', words: 'POST roles/on', restoration: 'roles-off' }
  journal.intend({ ...undo, refused: true })
  journal.close()
  const { left } = await cleaned(() => ({ ...reach(), access }), { ...dialect, restorations })
  expect(sent).toEqual(['GET role'])
  expect(left).toEqual([
    "POST roles/on: the target refused the run's request, so this may be somebody else's and was not touched: the cluster main is still a role",
  ])
})
