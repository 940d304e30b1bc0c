import { describe, expect, test } from 'vitest'
import type { Area, Exchange, Json, Reply } from '../vocabulary/index.ts'
import { areaAttempted, areasServed } from './areas-served.ts'
import { vault } from './dialects/vault.ts'

type Answer = readonly [status: number, json?: Json] | undefined

const replyOf = (answer: Answer): Reply | undefined =>
  answer && {
    ...{ status: answer[0], headers: {}, json: answer[1], text: JSON.stringify(answer[1] ?? '') },
    ...{ bytes: Buffer.alloc(0), asked: '', at: 0 },
  }

const unsupported: Answer = [404, { errors: ['unsupported path'] }]
const isStranger = ({ path, body }: Exchange): boolean =>
  /assay-probe\/|assay-probe$/.test(path.replace(/totp\/(assay-probe|\{probe\})$/, '')) ||
  JSON.stringify(body ?? '').includes('no-such')

const answering =
  (answer: Answer, stranger: Answer = unsupported) =>
  async (exchange: Exchange) =>
    replyOf(isStranger(exchange) ? stranger : answer)

const signOf = async (area: Area, answer: Answer, stranger?: Answer) =>
  (await areasServed(vault, [area], answering(answer, stranger)))[area]?.sign

const attempted = async (area: Area, answer: Answer, stranger: Answer) => {
  const attempt = vault.areas?.[area]?.attempt
  if (!attempt) throw new TypeError(`${area} is not attempted`)
  return (await areaAttempted(attempt, answering(answer, stranger))).sign
}

const byPath: readonly Area[] = [
  'dr-replication',
  'performance-replication',
  'policies',
  'plugin-catalog',
  'mfa-legacy',
  'mfa-identity',
]

describe.each(byPath)('%s', (area) => {
  test('is served if it has content, or if an empty reply differs from that of a made-up path', async () => {
    expect(await signOf(area, [200, { data: { keys: [], mode: 'disabled' } }])).toBe('served')
    expect(await signOf(area, [404, { errors: [] }])).toBe('served')
  })

  test('is absent if the reply says so', async () => {
    for (const text of ['unsupported path', 'no handler for route "x"', 'enterprise-only feature'])
      expect(await signOf(area, [404, { errors: [text] }])).toBe('absent')
    expect(await signOf(area, [501, { errors: ['not implemented'] }])).toBe('absent')
  })

  test.each<Answer>([
    [401, { errors: ['missing client token'] }],
    [403, { errors: ['permission denied'] }],
    [404, { message: 'not found' }],
    [404],
    [404, { errors: ['no such method'] }],
    [405, { errors: ['unsupported operation'] }],
    [429, { errors: ['rate limited: not available now'] }],
    [500, { errors: ['unsupported'] }],
    [502, { errors: ['bad gateway'] }],
    [503, { errors: ['not available'] }],
    undefined,
  ])('stays open if the reply is %j', async (...answer) => {
    expect(await signOf(area, answer[0] === undefined ? undefined : (answer as unknown as Answer))).toBeUndefined()
  })
})

const empty: Answer = [404]
test.each(['dr-replication', 'performance-replication', 'plugin-catalog'] as const)(
  '%s always answers, and is absent where it is refused just as a made-up path is',
  async (area) => {
    for (const answer of [empty, [404, { errors: [] }], [404, { error: 'Router mount not found.' }]] as const)
      expect(await signOf(area, answer, answer)).toBe('absent')
    expect(await signOf(area, [404, { error: 'no such thing' }], empty)).toBeUndefined()
    expect(await signOf(area, [403], [403])).toBeUndefined()
    expect(await signOf(area, [503], [503])).toBeUndefined()
  },
)

test('an empty list of plugins does not show absence if the catalog is served', async () => {
  const literal = async ({ method, path }: Exchange) =>
    replyOf(method === 'GET' && path === 'sys/plugins/catalog' ? [200, {}] : empty)
  expect((await areasServed(vault, ['plugin-catalog'], literal))['plugin-catalog']?.sign).toBe('served')
})

describe.each(['policies', 'mfa-legacy', 'mfa-identity'] as const)('%s', (area) => {
  test('stays open if every path gets the same empty reply', async () => {
    expect(await signOf(area, [404, { errors: [] }], [404, { errors: [] }])).toBeUndefined()
    expect(await signOf(area, empty, empty)).toBeUndefined()
  })
})

describe.each(['mfa-legacy', 'mfa-identity'] as const)('an attempt at %s', (area) => {
  test('shows that the area is served, or that it is refused in the same way as a made-up path', async () => {
    expect(await attempted(area, [204], empty)).toBe('served')
    expect(await attempted(area, empty, empty)).toBe('absent')
    expect(await attempted(area, unsupported, empty)).toBe('absent')
  })

  test.each<Answer>([[400, { errors: ['invalid issuer'] }], [403], [404, { errors: ['no such name'] }], [500], [503]])(
    'leaves it open where it answers %j',
    async (...answer) => {
      expect(await attempted(area, answer as unknown as Answer, empty)).toBeUndefined()
    },
  )
})

test('replication that calls itself unsupported is absent', async () => {
  expect(await signOf('dr-replication', [200, { data: { mode: 'unsupported' } }])).toBe('absent')
})

test('an area is served if one of several paths is', async () => {
  const older = async ({ path }: Exchange) =>
    replyOf(path === 'sys/policy' ? [200, { keys: ['default'] }] : [404, { errors: ['unsupported path'] }])
  expect((await areasServed(vault, ['policies'], older)).policies?.sign).toBe('served')
})

test('the same request is sent only once', async () => {
  const sent: string[] = []
  await areasServed(vault, ['pki', 'plugin-catalog', 'cloud'], async ({ method, path }) => {
    sent.push(`${method} ${path}`)
    return replyOf([200, { data: { keys: ['aws', 'kv'] } }])
  })
  expect(new Set(sent).size).toBe(sent.length)
})

describe.each([
  ['pki', 'pki'],
  ['cloud', 'aws'],
] as const)('the engine of %s', (area, type) => {
  const unknown = (name: string): Answer => [400, { errors: [`plugin not found in the catalog: ${name}`] }]
  const stranger = unknown('assay-no-such-engine')

  test('is served if a mount has its type', async () => {
    expect(await signOf(area, [200, { 'x/': { type } }])).toBe('served')
    expect(await signOf(area, [200, { data: { 'x/': { type } } }])).toBe('served')
    expect(await signOf(area, [200, { data: { 'x/': { type: 'kv' } } }])).toBeUndefined()
  })

  test('is absent only if mounting it is refused in the same way as mounting a made-up type', async () => {
    expect(await attempted(area, unknown(type), stranger)).toBe('absent')
    expect(await attempted(area, [204], stranger)).toBe('served')
    expect(
      await attempted(area, [400, { errors: ['mount table is full'] }], [400, { errors: ['mount table is full'] }]),
    ).toBe(undefined)
    expect(await attempted(area, unknown(type), [204])).toBeUndefined()
    expect(await attempted(area, [400, { errors: [`${type} is not available: no license`] }], stranger)).toBeUndefined()
    const failing: Answer = [500, { error: 'Core logical backend does not exist.' }]
    expect(await attempted(area, failing, failing)).toBe('absent')
    for (const status of [401, 403, 429, 500, 502, 503])
      expect(
        await attempted(area, [status, { errors: ['unknown'] }], [status, { errors: ['unknown'] }]),
      ).toBeUndefined()
  })
})
