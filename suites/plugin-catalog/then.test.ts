import { describe, expect, test } from 'vitest'
import type { Json, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { assignments, command, digest, empty, entries, nameIfShown, version, versionOf } from './then.ts'
import { filesOwn, listsOwn } from './then-lists.ts'

const values: Readonly<Record<string, string>> = {
  plugin: 'assay-r-1-plugin',
  command: 'good.sh',
  sha256: 'ab'.repeat(32),
}
const scope = {
  value: (name: string) => values[name] ?? '',
  fill: (text: string) => text.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? ''),
} as Scope
const seen = (json: Json, status = 200) => ({
  scope,
  reply: { ...{ status, json, headers: {}, text: '', bytes: new Uint8Array(), asked: 'GET x', at: 0 } } as Reply,
})
const p1 = 'assay-r-1-plugin'
const met = async (expectation: ReturnType<typeof listsOwn>, json: Json, status = 200): Promise<boolean> =>
  (await expectation.judge(seen(json, status), undefined)) === undefined

describe('the catalog', () => {
  test.each<[string, Json]>([
    ['names under types', { data: { auth: [p1, 'p2'], secret: [] } }],
    ['names under types at the top level', { auth: [p1], secret: ['p2'] }],
    ['objects under types', { data: { auth: { [p1]: { builtin: false } }, secret: {} } }],
    ['entries that show their type', { data: { detailed: [{ type: 'auth', name: p1 }] } }],
    ['both', { data: { auth: [p1], secret: [], detailed: [{ type: 'auth', name: p1 }] } }],
  ])('shows the type of a plugin by %s', async (_how, json) => {
    expect(await met(filesOwn('auth', ['{plugin}']), json)).toBe(true)
    expect(await met(filesOwn('auth', []), json)).toBe(false)
    expect(await met(filesOwn('secret', []), json)).toBe(true)
    expect(await met(filesOwn('secret', ['{plugin}']), json)).toBe(false)
  })

  test('shows it in each part about the type, and no other plugin of the check', async () => {
    const entry = { type: 'auth', name: p1 }
    expect(await met(filesOwn('auth', ['{plugin}']), { auth: [], detailed: [entry] })).toBe(false)
    expect(await met(filesOwn('auth', ['{plugin}']), { auth: [p1], detailed: [] })).toBe(true)
    expect(await met(filesOwn('auth', ['{plugin}']), { auth: [p1, `${p1}-more`], detailed: [entry] })).toBe(false)
    expect(
      await met(filesOwn('auth', ['{plugin}']), { runtimes: [{ type: 'container', name: 'x' }], auth: [p1] }),
    ).toBe(true)
  })
})

describe('the version under which a plugin is stored', () => {
  const detailed = [{ name: 'p0' }, { name: 'p1', version: 'v0.7.1' }]
  test.each<[string, Json, number, string]>([
    ['is beside its name', { data: { secret: ['p0'], detailed } }, 200, 'v0.7.1'],
    ['may be empty', { data: { detailed: [{ name: 'p1', version: '' }] } }, 200, ''],
    ['is unknown if only names are shown', { data: { secret: ['p1'] } }, 200, ''],
    ['is unknown after a refusal', { detailed }, 403, ''],
  ])('%s', (_how, json, status, wanted) => expect(versionOf(seen(json, status).reply, 'p1')).toBe(wanted))
})

describe('a list', () => {
  test('is compared by whole names', async () => {
    expect(await met(listsOwn(['{plugin}']), { data: { keys: [p1, 'kv', 'assay-r-10-plugin'] } })).toBe(true)
    expect(await met(listsOwn(['{plugin}']), { data: { keys: [`${p1}0`] } })).toBe(false)
    expect(await met(listsOwn(['{plugin}']), { data: { keys: [p1, `${p1}0`] } })).toBe(false)
    expect(await met(listsOwn([]), { data: { keys: ['kv'] } })).toBe(true)
  })

  test('that is empty may be a 404, and no other refusal', async () => {
    expect(await met(listsOwn([]), { errors: [] }, 404)).toBe(true)
    expect(await met(listsOwn(['{plugin}']), { errors: [] }, 404)).toBe(false)
    expect(await met(listsOwn([]), { errors: ['no'] }, 403)).toBe(false)
  })
})

test('a plugin shows its own name, perhaps below its type, or none', async () => {
  for (const json of [{ data: { name: p1 } }, { name: `secret/${p1}` }, { command: 'x' }])
    expect(await met(nameIfShown, json)).toBe(true)
  expect(await met(nameIfShown, { name: `${p1}-more` })).toBe(false)
})

describe('a field', () => {
  test.each<[ReturnType<typeof version>, Json | undefined, boolean]>([
    [command, 'good.sh', true],
    [command, '/opt/plugins/good.sh', true],
    [command, 'notgood.sh', false],
    [digest, 'AB'.repeat(32), true],
    [digest, Buffer.from('ab'.repeat(32), 'hex').toString('base64'), true],
    [digest, 'cd'.repeat(32), false],
    [version('v1.2.3'), '1.2.3', true],
    [version('v1.2.3'), 'v1.2.4', false],
    [empty, null, true],
    [empty, undefined, true],
    [empty, [], true],
    [empty, ['a'], false],
    [entries(['a', 'b']), ['b', 'a'], false],
    [assignments(['A=1', 'B=2']), ['B=2', 'A=1'], true],
    [assignments(['A=1', 'B=2']), ['A=***', 'B=<hidden>'], true],
    [assignments(['A=1', 'B=2']), ['A=1', 'B=3'], false],
    [assignments(['A=1', 'B=2']), ['A=1', 'B='], false],
    [assignments(['A=1', 'B=2']), { B: '2', A: '1' }, true],
    [assignments(['A=1', 'B=2']), { A: '1', B: '3' }, false],
    [empty, {}, true],
    [assignments(['A=1', 'B=2']), ['A=1'], false],
  ])('%o of %j: %s', (matcher, value, wanted) => expect(matcher.matches(value, scope)).toBe(wanted))
})
