import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runTopics, type TopicRun } from '../run/run-topics.ts'
import {
  type CheckBody,
  check,
  del,
  type Expectation,
  get,
  keysOf,
  list,
  post,
  type Requirement,
  refused,
  type SharedGround,
  succeeds,
  topic,
  unseen,
} from '../vocabulary/index.ts'
import { type Scripted, scriptedServer } from '../wire/scripted-server.ts'

const requirements: readonly Requirement[] = [
  {
    ...{ id: 'pki.example.made', area: 'pki', level: 'must', says: 'Roles are made.' },
    source: { document: 2, section: 'Roles', row: 'one' },
  },
]

/** A server of mounts with roles. */
let things: Map<string, string>
let server: Scripted
/** What the server does besides. */
let besides: (method: string, path: string) => number | undefined
beforeEach(async () => {
  things = new Map()
  besides = () => undefined
  server = await scriptedServer(({ method, path: asked, body }, response) => {
    const path = asked.replace('/v1/', '')
    const status = besides(method, path) ?? (path.includes('assay-') ? undefined : 404)
    const [code, text] = status === undefined ? answerTo(method, path, body) : [status, '{"errors":["no"]}']
    response.writeHead(code).end(text)
  })
})
afterEach(() => server.close())

function answerTo(method: string, path: string, body: string): readonly [number, string | undefined] {
  const [, folder] = /^([^?]*?)\/?\?list=true$/.exec(path) ?? []
  if (folder !== undefined) return [200, JSON.stringify({ data: { keys: below(folder) } })]
  if (method === 'POST') things.set(path, body)
  if (method === 'DELETE') for (const one of [path, ...below('').filter(isOfMount(path))]) things.delete(one)
  const found = things.get(path)
  return [found !== undefined ? 200 : method === 'DELETE' ? 204 : 404, found]
}

const below = (folder: string): readonly string[] => {
  const start = folder === '' ? '' : `${folder}/`
  return [...things.keys()].filter((one) => one.startsWith(start)).map((one) => one.slice(start.length))
}
const isOfMount = (path: string) => (one: string) => one.startsWith(`${path.replace('sys/mounts/', '')}/`)

const mounted = () => post('sys/mounts/{mount}', { type: 'pki' }, { undo: del('sys/mounts/{mount}') })
const caMade = () => post('{mount}/ca', { name: 'root' })
const role = (name = 'leaf') => post(`{mount}/roles/{use}${name}`, { name })
const read = get('{mount}/roles/{use}leaf')
const listed = list('{mount}/roles')

const shared: SharedGround = {
  givens: [[mounted(), caMade()]],
  leave: /^(POST|GET) \{mount\}\/roles\/\{use\}\w+$/,
  grows: /^LIST \{mount\}\/roles$/,
  frame: [get('{mount}/ca')],
}
const listsOne: Expectation = {
  words: 'the list has one role',
  touches: [listed],
  async judge({ reply, scope }) {
    const keys = keysOf(await scope.send(listed)) ?? []
    return keys.length === 1 ? undefined : { ...reply, at: 'keys', wanted: 'one', saw: String(keys.length) }
  },
}
const listsOneMore: Expectation = {
  ...listsOne,
  before: async (scope) => (keysOf(await scope.send(listed)) ?? []).length,
  async judge({ reply, scope }, before) {
    const keys = keysOf(await scope.send(listed)) ?? []
    return keys.length === Number(before) + 1 ? undefined : { ...reply, at: 'keys', wanted: 'more', saw: '' }
  },
}

const of = (id: string, more: Partial<CheckBody> = {}) =>
  check(id, {
    ...{ requirement: 'pki.example.made', mutants: ['pki/example'], given: [mounted(), caMade(), role()] },
    ...{ when: read, then: [succeeds] },
    ...more,
  })
const judged = async (
  checks: readonly ReturnType<typeof of>[],
  more: Partial<TopicRun> = {},
  ground = shared,
  told: Partial<TopicRun['target']> = {},
) => {
  server.asked.length = 0
  const topics = [topic('pki/errors-example', { about: 'Roles.', names: ['mount'], grounds: [ground], checks })]
  const target = { url: server.url, token: 'operator-token-0001', declared: { edition: 'community' }, ...told } as const
  const { results, leftBehind } = await runTopics(topics, { target, requirements, jobs: 1, ...more })
  expect(leftBehind).toEqual([])
  expect([...things.keys()]).toEqual([])
  const sent = server.asked.map(({ method, path }) => `${method} ${path.replace(/\/v1\/|assay-[a-z0-9]+-\d+-/g, '')}`)
  return {
    results: results.map(({ id, verdict, onShared }) => [id.split('/').at(-1), verdict, onShared]),
    sent,
    mounts: sent.filter((one) => one === 'POST sys/mounts/mount').length,
    whole: results,
  }
}

const four = ['one', 'two', 'three', 'four'].map((id) => of(id))

test('checks that begin alike share one mount, under names of their own, and it is taken back once', async () => {
  const { results, sent, mounts, whole } = await judged(four)
  expect(results.map(([, ...found]) => found)).toEqual(Array(4).fill(['pass', 'pass']))
  expect(mounts).toBe(1)
  expect(sent.filter((one) => one === 'DELETE sys/mounts/mount')).toHaveLength(1)
  expect(sent.filter((one) => /^POST mount\/roles/.test(one))).toEqual(
    [1, 2, 3, 4].map((use) => `POST mount/roles/n${use}leaf`),
  )
  // Each result tells the whole: also what was sent for the first check.
  for (const [at, { exchanges }] of whole.entries())
    expect(
      exchanges
        .slice(0, 3)
        .map(({ method, url, isShared = false }) => [`${method} ${url.split('-').at(-1)}`, isShared]),
    ).toEqual([
      ['POST mount', at > 0],
      ['POST mount/ca', at > 0],
      [`POST mount/roles/n${at + 1}leaf`, false],
    ])
})

test('each check can be given its own', async () => {
  const { results, sent, mounts } = await judged(four, { ground: 'own' })
  expect(results.map(([, ...found]) => found)).toEqual(Array(4).fill(['pass', undefined]))
  expect(mounts).toBe(4)
  expect(sent.filter((one) => one === 'POST mount/roles/leaf')).toHaveLength(4)
})

test.each<[string, Partial<CheckBody>]>([
  ['says so', { ground: 'own' }],
  ['holds a lock', { lock: 'clock' }],
  ['begins otherwise', { given: [mounted(), post('{mount}/ca', { name: 'other' }), role()] }],
  [
    'writes under a name that others may have',
    { given: [mounted(), caMade(), post('{mount}/roles/leaf', {})], when: get('sys/mounts/{mount}') },
  ],
  ['changes the ground', { given: [mounted(), caMade(), role(), caMade()] }],
  ['judges a list', { when: listed }],
  ['judges a list as a whole', { then: [listsOne] }],
])('a check that %s gets ground of its own', async (_, more) => {
  const { results, mounts } = await judged([...four, of('alone', more)])
  expect(results.at(-1)).toEqual(['alone', 'pass', undefined])
  expect(mounts).toBe(2)
})

describe('a ground of a lock', () => {
  const locked: SharedGround = { ...shared, lock: 'clusters' }
  const clusters = { lock: 'clusters', rehearsals: [{ id: 'none', acts: [] }] }
  const ofClusters = Array.from({ length: 8 }, (_, at) => of(`check-${at}`, clusters))
  const taken = (sent: readonly string[]) => sent.filter((one) => / sys\/mounts\/mount$/.test(one))
  const [made, back] = ['POST sys/mounts/mount', 'DELETE sys/mounts/mount']
  test('is shared by checks of that lock only', async () => {
    const { results } = await judged([...ofClusters, of('free'), of('clock', { lock: 'clock' })], {}, locked)
    expect(results.filter(([, , onShared]) => onShared === 'pass').map(([id]) => id)).toEqual(
      ofClusters.map(({ id }) => id),
    )
  })

  test('is taken back before a check of that lock that needs another one', async () => {
    const alone = of('alone', { ...clusters, ground: 'own' })
    const { sent } = await judged([...ofClusters.slice(0, 4), alone, ...ofClusters.slice(4)], {}, locked)
    expect(taken(sent)).toEqual([made, back, made, back, made, back])
  })

  test('stays while a check without the lock is judged', async () => {
    const { sent } = await judged([...ofClusters.slice(0, 4), of('free'), ...ofClusters.slice(4)], {}, locked)
    expect(taken(sent)).toEqual([made, made, back, back])
  })

  test('is taken back before a check that did not pass on it is judged again', async () => {
    const reads = () => server.asked.filter(({ method, path }) => method === 'GET' && path.endsWith('leaf')).length
    besides = (method, path) => (method === 'GET' && path.endsWith('leaf') && reads() === 2 ? 404 : undefined)
    const { results, sent } = await judged(ofClusters, {}, locked)
    expect(results[1]).toEqual(['check-1', 'pass', 'fail'])
    expect(taken(sent)).toEqual([made, back, made, back, made, back])
  })
})

test('a list that is compared with that before may be shared', async () => {
  const { results } = await judged([...four, of('grows', { when: role('second'), then: [listsOneMore] })])
  expect(results.at(-1)).toEqual(['grows', 'pass', 'pass'])
})

test('a ground that a check changed is thrown away', async () => {
  besides = (method, path) => {
    // The second write of a role also changes the authority.
    const writes = server.asked.filter((one) => one.method === 'POST' && one.path.includes('/roles/')).length
    if (method === 'POST' && path.includes('/roles/') && writes === 2)
      things.set(path.replace(/\/roles.*/, '/ca'), '{"data":{"name":"changed"}}')
    return undefined
  }
  const { results, mounts, sent } = await judged(Array.from({ length: 8 }, (_, at) => of(`check-${at}`)))
  expect(results.map(([, ...found]) => found)).toEqual(Array(8).fill(['pass', 'pass']))
  expect(mounts).toBe(2)
  // The frame is read when each ground is new, and after each check.
  expect(sent.filter((one) => one === 'GET mount/ca')).toHaveLength(2 + 8)
})

const restoring: SharedGround = {
  ...{ givens: [[mounted()]], grows: /^LIST \{mount\}\/roles$/, frame: [], needs: ['provider'] },
  leave: /^POST \{mount\}\/ca$|^(POST|GET) \{mount\}\/roles\/\{use\}\w+$/,
  restores: [{ after: /^POST \{mount\}\/ca$/, sends: del('{mount}/ca') }],
}
const anew = ['one', 'two', 'three', 'four'].map((id) => of(id, { given: [mounted(), role(), caMade()] }))

test('what a check sets on a ground is removed after it, and one that sets nothing has nothing removed', async () => {
  const { results, sent, mounts } = await judged([...anew, of('five', { given: [mounted(), role()] })], {}, restoring)
  expect(results.map(([, ...found]) => found)).toEqual(Array(5).fill(['pass', 'pass']))
  expect(mounts).toBe(1)
  expect(sent.filter((one) => one === 'DELETE mount/ca')).toHaveLength(4)
  expect(sent.indexOf('DELETE mount/ca')).toBeLessThan(sent.lastIndexOf('POST mount/ca'))
})

test('a ground has its settings when it is new, and again after each check that may have changed them', async () => {
  const setting = {
    after: /^POST \{mount\}\/ca$/,
    sends: post('{mount}/ca', { name: 'setting' }),
    isFirst: true,
  } as const
  const having = { ...restoring, frame: [get('{mount}/ca')], restores: [setting] }
  const checks = anew.map(({ id, given = [] }) => of(id, { given }))
  const { sent } = await judged(checks, {}, having)
  // Each frame is read after the setting was written, and each check writes another one before.
  const ofSetting = sent.filter((one) => one.endsWith(' mount/ca'))
  const [writes, reads] = [['POST mount/ca'], ['GET mount/ca']]
  expect(ofSetting).toEqual([
    ...writes,
    ...reads,
    ...Array(4)
      .fill([...writes, ...writes, ...reads])
      .flat(),
  ])
})

test('a ground on which something could not be removed is thrown away', async () => {
  besides = (method, path) => (method === 'DELETE' && path.endsWith('/ca') ? 500 : undefined)
  const { results, mounts } = await judged(anew, {}, restoring)
  expect(results.map(([, verdict]) => verdict)).toEqual(Array(4).fill('pass'))
  expect(mounts).toBe(4)
})

test('a check shares ground although it needs something if the ground allows that need', async () => {
  const target = { provides: { provider: {} } }
  const needing = () => anew.map(({ id, given = [] }) => of(id, { needs: ['provider'], given }))
  expect((await judged(needing(), {}, restoring, target)).mounts).toBe(1)
  expect((await judged(needing(), {}, { ...restoring, needs: [] }, target)).mounts).toBe(4)
})

test('a check that another one spoiled is judged again on ground of its own, and that counts', async () => {
  const isSecond = (path: string) => /\/roles\/n2/.test(path)
  besides = (method, path) => (method === 'GET' && isSecond(path) ? 404 : undefined)
  const { results, mounts } = await judged([...four, of('five'), of('six')])
  expect(results.map(([, ...found]) => found)).toEqual([
    ['pass', 'pass'],
    ['pass', 'fail'],
    // The ground on which it differed is not used again.
    ['pass', 'pass'],
    ['pass', 'fail'],
    ['pass', undefined],
    ['pass', undefined],
  ])
  expect(mounts).toBe(6)
})

test('a check that fails on ground of its own as well keeps the shared one for others', async () => {
  const failing = of('failing', { when: get('{mount}/roles/{use}none') })
  const { results, mounts, whole } = await judged([failing, ...four])
  expect(results[0]).toEqual(['failing', 'fail', 'fail'])
  expect(whole[0]?.mismatches).toHaveLength(1)
  expect(whole[0]?.exchanges.some(({ isShared }) => isShared)).toBe(false)
  expect(mounts).toBe(2)
})

test('where the ground cannot be prepared, each check tells so itself', async () => {
  besides = (method, path) => (method === 'POST' && path.endsWith('/ca') ? 400 : undefined)
  const { results, mounts, whole } = await judged(four)
  expect(results.map(([, ...found]) => found)).toEqual(Array(4).fill(['not-verified', undefined]))
  expect(new Set(whole.map(({ blocker }) => blocker?.code))).toEqual(new Set(['step-refused']))
  expect(mounts).toBe(5)
})

test('checks wait for a ground that another one uses if they are too few for a further one', async () => {
  const ten = Array.from({ length: 10 }, (_, at) => of(`check-${at}`))
  const { results, mounts } = await judged(ten, { jobs: 4 })
  expect(results.map(([, ...found]) => found)).toEqual(Array(10).fill(['pass', 'pass']))
  expect(mounts).toBe(1)
})

test('checks that wait for a ground that is thrown away get ground of their own', async () => {
  // Of the second check, the first request on the mount is refused, so the ground may be why.
  besides = (method, path) => (method === 'GET' && path.includes('/roles/n2') ? 404 : undefined)
  const { results, mounts } = await judged([...four, of('five'), of('six')], { jobs: 6 })
  expect(results.map(([, verdict]) => verdict)).toEqual(Array(6).fill('pass'))
  expect(results.map(([, , onShared]) => onShared)).toEqual(['pass', 'fail', ...Array(4).fill(undefined)])
  expect(mounts).toBe(6)
})

test.each([
  [2, [2, 2]],
  [1, [1, 2]],
])(
  'with %i jobs, a check that waits for long on shared ground is judged on ground of its own meanwhile',
  async (jobs, mountsThen) => {
    const mounts = () =>
      server.asked.filter(({ method, path }) => method === 'POST' && path.includes('sys/mounts')).length
    const seen: number[] = []
    const overlaps: Expectation = {
      words: 'another mount is made while it waits',
      touches: [read],
      async judge({ reply, scope }) {
        await scope.time.pass(0.001, 'it waits')
        await scope.poll(read, () => mounts() > 1, jobs > 1 ? 5 : 0)
        seen.push(mounts())
        return { ...reply, at: 'mounts', wanted: 'none', saw: 'some' }
      },
    }
    const { whole } = await judged([...four, of('five', { then: [overlaps] })], { jobs }, shared, { maxWaitSeconds: 1 })
    const [last] = whole.filter(({ id }) => id.endsWith('/five'))
    expect([last?.verdict, last?.onShared, seen]).toEqual(['fail', 'fail', mountsThen])
  },
)

test('few checks are not worth a shared ground', async () => {
  const { results } = await judged([
    of('one'),
    of('two', { when: get('{mount}/roles/{use}x'), then: [refused(unseen('it reads'))], control: read }),
  ])
  expect(results.map(([, , onShared]) => onShared)).toEqual([undefined, undefined])
})
