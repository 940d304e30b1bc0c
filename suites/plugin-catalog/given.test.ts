import { describe, expect, test } from 'vitest'
import type { Exchange, Expectation, Json, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { DoesNotApply, StepFailed } from '../../harness/vocabulary/index.ts'
import { placedFile, read, returned, shownBefore, unlessUnseen, useAsIs } from './given.ts'
import { absent, isReturned, which } from './then.ts'

/** Plays a target with one plugin file, and records its requests. */
function target(answer: (asked: string) => readonly [status: number, json?: Json]) {
  const file = { command: 'good', sha256: 'ab'.repeat(32), type: 'secret' }
  const asked: string[] = []
  const undone: string[] = []
  const words = ({ method, path, query }: Exchange): string => {
    const text = query ? `?version=${query.version}` : ''
    return `${method} ${path.replace('{plugin}', 'p')}${text}`
  }
  const scope = {
    provided: () => [file],
    save: () => {},
    fill: (text: string) => text.replace('{plugin}', 'p'),
    async send(exchange: Exchange) {
      asked.push(words(exchange))
      if (exchange.undo) undone.push(words(exchange.undo))
      const [status, json] = answer(words(exchange))
      return { ...{ status, json, headers: {}, text: '', bytes: new Uint8Array(), at: 0 }, asked: '' } as Reply
    },
  } as unknown as Scope
  return { scope, asked, undone }
}

const at = 'sys/plugins/catalog/secret/p-trial'
const detailed = { data: { detailed: [{ name: 'p-trial', type: 'secret', version: 'v0.7.1' }] } }

describe('a placed file', () => {
  test('that the target stores as requested is registered once as a trial, and deleted again', async () => {
    const { scope, asked } = target(() => [200, { data: { command: 'good' } }])
    await placedFile.run(scope)
    await placedFile.run(scope)
    expect(asked).toEqual([`POST ${at}`, `GET ${at}`, `DELETE ${at}`])
  })

  test('that the target stores under the version that it reports is not used, and is deleted by that version', async () => {
    const { scope, undone } = target((asked) => (asked === `GET ${at}` ? [404] : [200, detailed]))
    await expect(placedFile.run(scope)).rejects.toThrow(/v0\.7\.1, which the plugin itself reports/)
    expect(undone).toContain(`DELETE ${at}?version=v0.7.1`)
    await expect(placedFile.run(scope)).rejects.toThrow(/v0\.7\.1/)
  })

  test('that the target refuses stops the check with the reason, unless the target requires a version', async () => {
    const refusing = (asked: string) =>
      asked.startsWith('POST') ? ([400, { errors: ['no such file'] }] as const) : ([404] as const)
    await expect(placedFile.run(target(refusing).scope)).rejects.toThrow(
      /cannot be registered: .* answered 400 no such file/,
    )
    let count = 0
    const versioned = target((asked) => (asked.startsWith('POST') && count++ === 0 ? [400] : [204]))
    await expect(placedFile.run(versioned.scope)).resolves.toBeUndefined()
    expect(versioned.asked.at(-1)).toBe(`DELETE ${at}?version=v1.0.0`)
  })

  test('that the target accepts but does not return is left to the checks to judge', async () => {
    const { scope } = target((asked) => [asked.startsWith('GET') ? 404 : 204])
    await expect(placedFile.run(scope)).resolves.toBeUndefined()
  })
})

/** Plays a target that replies to each path with a status and a body. */
const answering = (answers: Readonly<Record<string, readonly [status: number, json?: Json]>>) => {
  const { scope } = target((asked) => answers[asked] ?? [404])
  const kept = new Map<string, string>()
  const names = {
    save: (name: string, value: string) => void kept.set(name, value),
    has: (name: string) => kept.has(name),
  }
  return { ...scope, ...names, value: (name: string) => kept.get(name) ?? name } as Scope
}
const path = 'GET sys/plugins/catalog/secret/p'
const seen = async (expectation: Expectation, scope: Scope) =>
  expectation.judge({ reply: await scope.send(read('secret')), scope }, undefined)

describe('a plugin that is returned', () => {
  test('is recognized by its fields, or by the status if a reply shows none', async () => {
    const byFields = answering({ [path]: [200, { sha256: 'ab' }], [`${path}-none`]: [200, { data: null }] })
    await returned().run(byFields)
    expect(await seen(isReturned('secret'), byFields)).toBeUndefined()
    expect(await seen(absent, byFields)).toBeDefined()
    const byStatus = answering({ [path]: [200, {}] })
    await returned().run(byStatus)
    expect(await seen(isReturned('secret'), byStatus)).toBeUndefined()
    expect(await seen(absent, byStatus)).toBeDefined()
  })

  test('is not recognized on a server that returns the same for everything', async () => {
    const same = answering({ [path]: [200, {}], [`${path}-none`]: [200, {}] })
    await expect(returned().run(same)).rejects.toThrow(DoesNotApply)
    await expect(seen(isReturned('secret'), same)).rejects.toThrow(DoesNotApply)
    const shows = answering({ [path]: [200, { command: 'x' }], [`${path}-none`]: [200, { command: 'x' }] })
    await expect(returned().run(shows)).rejects.toThrow(StepFailed)
    expect(await seen(isReturned('secret'), shows)).toBeDefined()
  })

  test('is distinguished from another registration by any shown field', async () => {
    const of = (json: Json) => answering({ [path]: [200, json] })
    expect(await seen(which(1), of({ args: ['--which=1'] }))).toBeUndefined()
    expect(await seen(which(1), of({ args: ['--which=2'] }))).toBeDefined()
    expect(await seen(which(1), of({ env: ['WHICH=2'] }))).toBeDefined()
    expect(await seen(which(1, 'v1.0.0'), of({ version: '1.0.0', env: ['WHICH=***'] }))).toBeUndefined()
    for (const silent of [{ command: 'x' }, { env: ['WHICH=***'] }])
      await expect(seen(which(1), of(silent))).rejects.toThrow(DoesNotApply)
  })
})

test('a step goes on if the reply shows nothing to judge, and stops if it shows another registration', async () => {
  const before = unlessUnseen(shownBefore(read('secret'), which(1), 'update-replaces-the-plugin'))
  const on = (json: Json) => before.run(answering({ [path]: [200, json] }))
  await on({ command: 'x' })
  await on({ args: ['--which=1'] })
  await expect(on({ args: ['--which=2'] })).rejects.toThrow(StepFailed)
})

test('an old server that stores plugins below their type mounts them by the name that it shows', async () => {
  const operations = {
    mount: () => ({ exchanges: [{ kind: 'exchange', method: 'POST', path: 'mount', body: 'plain' }] }),
    mountByName: ({ type }: { type: string }) => ({
      exchanges: [{ kind: 'exchange', method: 'POST', path: `mount-by-name/${type}` }],
    }),
  }
  const old = answering({
    [path]: [200, { name: 'secret/p' }],
    'POST mount': [400],
    'POST mount-by-name/{plugin}': [400],
    'POST mount-by-name/p': [400],
    'POST mount-by-name/secret/p': [204],
    'POST mount-by-name/secret/{plugin}': [204],
  })
  const scope = { ...old, dialect: { operations } } as unknown as Scope
  expect((await useAsIs().run(scope)).status).toBe(204)
})
