import { describe, expect, test } from 'vitest'
import type { Exchange, Expectation, Json, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { StepFailed } from '../../harness/vocabulary/index.ts'
import { reply } from '../replication/reply.test-bed.ts'
import {
  authStays,
  comes,
  filterId,
  isServed,
  leaves,
  leavesSecondOnly,
  listsNone,
  modeOfTheList,
  noFilter,
  paths,
  remains,
} from './filters.ts'

/** Makes a scope in which every read gets this reply. */
const reading = (seen: Reply): Scope =>
  ({
    value: (name: string) => `assay-${name}`,
    fill: (template: string) => template.replaceAll(/\{(\w+)\}/g, 'assay-$1'),
    poll: async () => seen,
    admit: async () => true,
  }) as unknown as Scope
const scope = reading(reply())
const meets = async (expectation: Expectation, seen: Reply, by = scope, before?: unknown): Promise<boolean> =>
  (await expectation.judge({ reply: seen, scope: by }, before)) === undefined

describe('paths', () => {
  const wanted = paths('{a}', '{b}/')
  test.each([[['assay-a/', 'assay-b/']], [['assay-b', '/assay-a/']], ['assay-a,assay-b/']] as Json[][])(
    '%j are the paths that were set',
    (value) => expect(wanted.matches(value, scope)).toBe(true),
  )
  test.each([[[]], [['assay-a/']], [['assay-a/', 'assay-b/', 'c/']], [undefined], [null], ['']] as Json[][])(
    '%j are not',
    (value) => expect(wanted.matches(value, scope)).toBe(false),
  )
})

describe('the id of a secondary', () => {
  /** Returns the id that filters use if the statuses show these ids and filters are accepted under the ids `accepted`.
   * `token` is the id of the activation token. */
  async function idWhere(second: Json, main: Json, accepted: readonly string[]): Promise<string | undefined> {
    const saved = new Map<string, string>()
    const scope = {
      save: (name: string, value: string) => saved.set(name, value),
      fill: () => 'token',
      send: async ({ method, cluster }: Exchange) => {
        if (method !== 'GET') return reply({}, accepted.includes(saved.get('filterId') ?? '') ? 204 : 400)
        return reply({ data: cluster === 'second' ? second : main })
      },
    } as unknown as Scope
    await filterId.run(scope)
    return saved.get('filterId')
  }
  const [secondary, primary] = [{ cluster_id: 'set', secondary_id: 'own' }, { cluster_id: 'set' }]

  test('is the one that its status reports', async () => {
    expect(await idWhere({ cluster_id: 'a', secondary_id: 'own' }, primary, ['own', 'token'])).toBe('a')
    expect(await idWhere({ cluster_id: 'set' }, primary, [])).toBe('set')
  })
  test('is its own id, if the status reports that of the set and filters are accepted under its own id', async () => {
    expect(await idWhere(secondary, primary, ['own', 'set', 'token'])).toBe('own')
  })
  test('is that of the set, rather than an id that no document names', async () => {
    expect(await idWhere(secondary, primary, ['set', 'token'])).toBe('set')
    expect(await idWhere({ cluster_id: 'set' }, primary, ['set', 'token'])).toBe('set')
  })
  test('is that of its token, if filters are accepted under no other id', async () => {
    expect(await idWhere(secondary, primary, ['token'])).toBe('token')
    expect(await idWhere({ cluster_id: 'set' }, primary, ['token'])).toBe('token')
    expect(await idWhere(secondary, primary, [])).toBe('set')
  })
})

describe('no filter', () => {
  test('is not shown by a refused read', async () => {
    for (const status of [403, 405, 500])
      await expect(meets(noFilter, reply({}, status))).rejects.toBeInstanceOf(StepFailed)
  })
  test('is a missing filter, an empty body, or no paths', async () => {
    for (const seen of [
      reply({}, 404),
      reply(undefined, 204),
      reply({ data: null }),
      reply({ data: { mode: 'allow', paths: [] } }),
    ])
      expect(await meets(noFilter, seen)).toBe(true)
    expect(await meets(noFilter, reply({ data: { mode: 'allow', paths: ['a/'] } }))).toBe(false)
  })
})

describe('a filter set without paths', () => {
  const sending = (seen: Reply): Scope => Object.assign(reading(seen), { send: async () => seen })
  test('lists none', async () => {
    expect(await meets(listsNone('deny'), reply(), sending(reply({ data: null })))).toBe(true)
    expect(await meets(listsNone('deny'), reply(), sending(reply({ paths: ['a/'] })))).toBe(false)
  })
  test('shows its mode, or none', async () => {
    const showing = (mode?: string) => sending(reply({ data: { ...(mode === undefined ? {} : { mode }), paths: [] } }))
    for (const mode of ['allow', '', undefined])
      expect(await meets(listsNone('allow'), reply(), showing(mode))).toBe(true)
    expect(await meets(listsNone('allow'), reply(), showing('deny'))).toBe(false)
    // Where a target has no filter, it may show the defaults.
    expect(await meets(listsNone('deny'), reply(), showing('allow'))).toBe(true)
  })
  test('is wrongly refused if the empty list is accepted', async () => {
    expect(await meets(listsNone('deny'), reply({}, 400), sending(reply()), [])).toBe(false)
    await expect(meets(listsNone('deny'), reply({}, 400), sending(reply({}, 400)), [])).rejects.toBeInstanceOf(
      StepFailed,
    )
  })
  test('changes nothing if it is refused', async () => {
    const kept = reply({ paths: ['a/'] })
    const refusing = Object.assign(reading(kept), {
      send: async ({ method }: Exchange) => (method === 'GET' ? kept : reply({}, 400)),
    })
    await expect(meets(listsNone('deny'), reply({}, 400), refusing, ['a'])).rejects.toBeInstanceOf(StepFailed)
    expect(await meets(listsNone('deny'), reply({}, 400), refusing, ['a', 'b'])).toBe(false)
  })
})

test('a mode is allow or deny, or absent', async () => {
  for (const json of [{ mode: 'allow' }, { data: { mode: 'deny' } }, { data: null }])
    expect(await meets(modeOfTheList, reply(json))).toBe(true)
  expect(await meets(modeOfTheList, reply({ mode: '', paths: [] }))).toBe(true)
  expect(await meets(modeOfTheList, reply({ mode: 'include' }))).toBe(false)
  expect(await meets(modeOfTheList, reply({ mode: '', paths: ['a/'] }))).toBe(false)
})

test('a dynamic filter may appear a little later, but then it stays', async () => {
  const get = { kind: 'exchange', method: 'GET', path: 'filter' } as Exchange
  const shown = (first: Reply, then = first) => Object.assign(reading(first), { send: async () => then })
  expect(await meets(isServed(get), reply({}, 404), shown(reply()))).toBe(true)
  expect(await meets(isServed(get), reply({}, 404), shown(reply({}, 404)))).toBe(false)
  expect(await meets(isServed(get), reply(), shown(reply(), reply({}, 404)))).toBe(false)
})

describe('a mount', () => {
  const value = reply({ data: { value: 'assay-shared' } })
  const none = reply({ errors: [] }, 404)

  test('is gone if its value can no longer be read, and present if it can', async () => {
    expect(await meets(leaves('shared'), reply(), reading(none))).toBe(true)
    expect(await meets(leaves('shared'), reply(), reading(value))).toBe(false)
    expect(await meets(comes('shared'), reply(), reading(value))).toBe(true)
    expect(await meets(comes('shared'), reply(), reading(none))).toBe(false)
    await expect(meets(leaves('shared'), reply(), reading(reply({}, 500)))).rejects.toBeInstanceOf(StepFailed)
  })

  /** Makes a scope that reads other values on each cluster, and later ones in turn. */
  const readings = (of: Readonly<Record<string, readonly Reply[]>>): Scope => {
    const left = new Map(Object.entries(of).map(([cluster, replies]) => [cluster, [...replies]]))
    const poll = async ({ cluster = 'main' }: Exchange) => {
      const replies = left.get(cluster) ?? []
      return (replies.length > 1 ? replies.shift() : replies[0]) ?? none
    }
    return Object.assign(reading(none), { poll, patience: 1 })
  }

  test('must not disappear, even after a while', async () => {
    expect(await meets(remains('shared'), reply(), readings({ second: [value] }))).toBe(true)
    expect(await meets(remains('shared'), reply(), readings({ second: [value, none] }))).toBe(false)
  })

  test('is removed from one secondary only', async () => {
    const only = leavesSecondOnly('shared')
    expect(await meets(only, reply(), readings({ second: [none], third: [value] }))).toBe(true)
    expect(await meets(only, reply(), readings({ second: [none], third: [none] }))).toBe(false)
    expect(await meets(only, reply(), readings({ second: [value], third: [value] }))).toBe(false)
  })

  test('is not awaited after a refusal', async () => {
    expect(await meets(leaves('shared'), reply({}, 400), reading(none))).toBe(false)
  })

  test('of an auth method is in the list of auth mounts', async () => {
    expect(await meets(authStays('shared'), reply(), reading(reply({ data: { 'assay-shared/': {} } })))).toBe(true)
    expect(await meets(authStays('shared'), reply(), reading(reply({ 'assay-shared/': {} })))).toBe(true)
    expect(await meets(authStays('shared'), reply(), reading(reply({ data: { 'token/': {} } })))).toBe(false)
  })
})
