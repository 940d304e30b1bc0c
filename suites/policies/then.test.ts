import { describe, expect, test } from 'vitest'
import { DoesNotApply, type Expectation, type Json, type Reply, type Scope } from '../../harness/vocabulary/index.ts'
import {
  absent,
  document,
  hasKeys,
  kept,
  level,
  levelOfTheList,
  listsOwn,
  mapped,
  mappedApart,
  notMapped,
  paths,
  returned,
  showing,
  spelled,
} from './then.ts'
import { marked } from './then-paths.ts'

const reply = (status: number, json?: Json): Reply => ({
  status,
  headers: {},
  json,
  text: JSON.stringify(json) ?? '',
  bytes: new Uint8Array(),
  asked: 'GET sys/policies/acl/p1',
  at: 0,
})
const [p1, p2] = ['assay-r-1-policy', 'assay-r-1-other']
const values: Readonly<Record<string, string>> = { policy: p1, other: p2, first: 'path "a" {\n}\n' }
const scope = {
  value: (name: string) => values[name] ?? '',
  fill: (template: string) => template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
} as unknown as Scope

const meets = async (expectation: Expectation, seen: Reply): Promise<boolean> =>
  (await expectation.judge({ reply: seen, scope }, undefined)) === undefined

describe('texts', () => {
  const isDocument = (value: Json | undefined): boolean => document('first').matches(value, scope)

  test('may differ in white space and come back in base64', () => {
    expect(isDocument('path "a" {\n}\n')).toBe(true)
    for (const value of ['path "a" { }', 'path "a" {\r\n}\r\n', "# kept\npath 'a' {}"])
      expect(isDocument(value)).toBe(true)
    expect(isDocument(Buffer.from('path "a" {\n}\n').toString('base64'))).toBe(true)
  })

  test('keep all of their characters beyond ASCII, or none', () => {
    const text = '# für alle\npath "a" {}'
    const isSpelled = (value: Json): boolean =>
      spelled('umlaut').matches(value, { value: () => text } as unknown as Scope)
    for (const value of [text, Buffer.from(text).toString('base64'), 'path "a" {}']) expect(isSpelled(value)).toBe(true)
    for (const value of ['# fÃ¼r alle\npath "a" {}', '# f?r\npath "b" {}', null]) expect(isSpelled(value)).toBe(false)
  })

  test('are otherwise exactly the written text', () => {
    for (const value of ['path "b" {}', 'path "a" { x }', '', undefined, null, { policy: 'path "a" {}' }])
      expect(isDocument(value)).toBe(false)
  })
})

describe('paths', () => {
  const wanted = paths(['a/{policy}', 'b'])
  test.each([[['b', `a/${p1}`]], [`a/${p1},b`], [`/a/${p1}, /b`]])('%j are the paths', (value) => {
    expect(wanted.matches(value, scope)).toBe(true)
  })
  test.each([[[`a/${p1},b`]], [[`a/${p1}`]], [[`a/${p1}`, 'b', 'c']], [`a/${p1}`], [null], [undefined]])(
    '%j are not',
    (value) => {
      expect(wanted.matches(value, scope)).toBe(false)
    },
  )
})

describe('a policy is kept', () => {
  const reading = { kind: 'exchange', method: 'GET', path: 'sys/policies/egp/p1' } as const
  const isKept = async (first: Reply, second: Reply): Promise<boolean> => {
    const replies = [first, second]
    const reader = { ...scope, send: async () => replies.shift() } as unknown as Scope
    const before = await kept(reading).before?.(reader)
    return (await kept(reading).judge({ reply: reply(400), scope: reader }, before)) === undefined
  }
  const egp = (more: object): Reply =>
    reply(200, { policy: 'x', enforcement_level: 'advisory', paths: ['a', 'b'], ...more })

  test('even if added fields differ from one read to the next', async () => {
    expect(await isKept(egp({ request_id: '1', reads: 1 }), egp({ request_id: '2', reads: 2 }))).toBe(true)
    expect(await isKept(egp({}), egp({ paths: 'b, a' }))).toBe(true)
    expect(await isKept(reply(200, { id: '1', data: null }), reply(200, { id: '2', data: null }))).toBe(true)
    expect(await isKept(reply(404), reply(200, { data: { policy: null } }))).toBe(true)
  })
  test.each([{ policy: 'y' }, { enforcement_level: 'soft-mandatory' }, { paths: ['a'] }])('unless %j', async (more) => {
    expect(await isKept(egp({}), egp(more))).toBe(false)
  })
  test('unless it appears or disappears', async () => {
    expect(await isKept(egp({}), reply(404))).toBe(false)
    expect(await isKept(reply(404), egp({}))).toBe(false)
    expect(await isKept(reply(404), reply(200, { policy: '', enforcement_level: 'advisory' }))).toBe(false)
  })
})

describe('absence', () => {
  test.each([reply(404, { errors: [] }), reply(403), reply(200, { data: null }), reply(204)])('is %o', async (seen) => {
    expect(await meets(absent, seen)).toBe(true)
  })
  test('is not a returned policy, nor a redirect', async () => {
    expect(await meets(absent, reply(200, { policy: 'x' }))).toBe(false)
    expect(await meets(absent, reply(200, { data: { policy: 'x' } }))).toBe(false)
    expect(await meets(absent, reply(307))).toBe(false)
  })
})

describe('a field that a read need not show', () => {
  const of = (more: object): Reply => reply(200, { data: { policy: 'path "a" {}', ...more } })
  const one = returned('first', 'enforcement_level', level('advisory'))
  const shows = showing('enforcement_level', level('advisory'))

  test('must be correct if it is shown', async () => {
    for (const expectation of [one, shows]) {
      expect(await meets(expectation, of({ enforcement_level: 'Advisory' }))).toBe(true)
      expect(await meets(expectation, of({ enforcement_level: 'soft-mandatory' }))).toBe(false)
      expect(await meets(expectation, reply(404))).toBe(false)
    }
  })

  test('may be missing, but then the policy must exist', async () => {
    expect(await meets(one, of({}))).toBe(true)
    expect(await meets(one, reply(200, { data: {} }))).toBe(false)
    await expect(meets(shows, of({}))).rejects.toThrow(DoesNotApply)
    await expect(meets(levelOfTheList, of({}))).rejects.toThrow('does not show `enforcement_level`')
  })
})

test('a level is one of the three, or absent', async () => {
  for (const one of ['advisory', 'soft-mandatory', 'Hard-Mandatory', ''])
    expect(await meets(levelOfTheList, reply(200, { data: { enforcement_level: one } }))).toBe(one !== '')
  expect(await meets(levelOfTheList, reply(404))).toBe(true)
  expect(await meets(levelOfTheList, reply(200, { enforcement_level: 'mandatory' }))).toBe(false)
})

describe('lists', () => {
  test('of ACL policies and RGPs may have any format', async () => {
    for (const json of [
      { data: { keys: [p1] } },
      { keys: ['a', `${p1}/`] },
      { policies: [p1] },
      { data: { [p1]: {} } },
    ])
      expect(await meets(listsOwn(['{policy}']), reply(200, json))).toBe(true)
    const others = { keys: [`${p1}-more`, `${p1}0`, `x-${p1}`] }
    expect(await meets(listsOwn(['{policy}']), reply(200, others))).toBe(false)
  })

  test('name exactly the policies of the check', async () => {
    const both = listsOwn(['{policy}', '{other}'])
    expect(await meets(both, reply(200, { keys: ['default', p2, p1, 'assay-r-11-policy'] }))).toBe(true)
    expect(await meets(both, reply(200, { keys: ['default', p1] }))).toBe(false)
    expect(await meets(both, reply(200, { keys: [p1, p2, 'assay-r-1-more'] }))).toBe(false)
  })

  test('of EGPs have names in `keys`, with paths or without', async () => {
    for (const keys of [[p1], [`${p1} (a/b)`], [`${p1}/a`], { [p1]: ['a'] }])
      expect(await meets(listsOwn(['{policy}']), reply(200, { data: { keys } }))).toBe(true)
  })

  test('of EGPs must have `keys`, not only the map', async () => {
    const has = hasKeys('{policy}')
    for (const keys of [[p1], [{ name: p1 }], { [p1]: ['a'] }, [`${p1} (a/b)`]])
      expect(await meets(has, reply(200, { data: { keys } }))).toBe(true)
    const map = { name_path_map: { [p1]: [] } }
    for (const data of [map, { ...map, keys: null }, { ...map, keys: [p2] }])
      expect(await meets(has, reply(200, { data }))).toBe(false)
    expect(await meets(has, reply(404))).toBe(false)
  })

  test('may be a 404 if they are empty, but no other refusal', async () => {
    expect(await meets(listsOwn([]), reply(404, { errors: [] }))).toBe(true)
    expect(await meets(listsOwn([]), reply(200, { data: { keys: null } }))).toBe(true)
    expect(await meets(listsOwn([]), reply(500))).toBe(false)
    expect(await meets(listsOwn([]), reply(200, { keys: [p1] }))).toBe(false)
    expect(await meets(listsOwn(['{policy}']), reply(404))).toBe(false)
  })
})

describe('name_path_map', () => {
  const map = (entries: Json) => reply(200, { data: { name_path_map: entries } })

  test('may have any format', async () => {
    const [a, b] = [`x/${p1}-a`, `x/${p1}-b`]
    const [wantsA, wantsBoth] = [
      mapped('{policy}', ['x/{policy}-a']),
      mapped('{policy}', ['x/{policy}-a', 'x/{policy}-b']),
    ]
    for (const entry of [
      [a, b],
      [{ path: a, glob: false }, { path: `/${b}` }],
      { [a]: false, [b]: true },
      { name: p1, paths: [a, b] },
      `${a}, /${b}`,
    ])
      expect(await meets(wantsBoth, map({ [p1]: entry }))).toBe(true)
    expect(await meets(wantsBoth, map({ [p1]: [a] }))).toBe(false)
    expect(await meets(wantsA, map({ [p1]: [a, b] }))).toBe(false)
    expect(await meets(wantsA, map({ [p2]: [a] }))).toBe(false)
  })

  test('distinguishes globs by a star or by a flag', async () => {
    const apart = mappedApart('{policy}', '{other}')
    expect(await meets(apart, map({ [p1]: ['a'], [p2]: ['a*'] }))).toBe(true)
    expect(await meets(apart, map({ [p1]: [{ path: 'a', glob: false }], [p2]: [{ path: 'a', glob: true }] }))).toBe(
      true,
    )
    expect(await meets(apart, map({ [p1]: [{ path: 'a' }], [p2]: [{ path: 'a' }] }))).toBe(false)
    expect(await meets(apart, map({ [p1]: ['a'] }))).toBe(false)
  })

  test('must mark the paths of one policy correctly if it has marks', async () => {
    const marks = marked('{policy}', 'a', 'b')
    const entry = (exact: boolean, glob: boolean, star = '*') =>
      map({
        [p1]: [
          { path: 'a', is_glob: exact },
          { path: `b${star}`, is_glob: glob },
        ],
      })
    expect(await meets(marks, entry(false, true))).toBe(true)
    expect(await meets(marks, entry(false, true, ''))).toBe(true)
    expect(await meets(marks, entry(false, false))).toBe(false)
    expect(await meets(marks, entry(true, true))).toBe(false)
    expect(await meets(marks, map({}))).toBe(false)
    await expect(meets(marks, map({ [p1]: ['a', 'b*'] }))).rejects.toThrow(DoesNotApply)
  })

  test('must not contain deleted policies, and may be a 404', async () => {
    expect(await meets(notMapped('{policy}'), map({ [p2]: ['a'] }))).toBe(true)
    expect(await meets(notMapped('{policy}'), reply(404))).toBe(true)
    expect(await meets(notMapped('{policy}'), map({ [p1]: [] }))).toBe(false)
    expect(await meets(notMapped('{policy}'), reply(503))).toBe(false)
  })
})
