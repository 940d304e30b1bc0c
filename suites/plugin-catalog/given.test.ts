import { describe, expect, test } from 'vitest'
import type { Exchange, Json, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { placedFile } from './given.ts'

/** A target with one plugin file, which tells what it was asked. */
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
  test('that the target files as it is told to is tried once, and taken back', async () => {
    const { scope, asked } = target(() => [200, { data: { command: 'good' } }])
    await placedFile.run(scope)
    await placedFile.run(scope)
    expect(asked).toEqual([`POST ${at}`, `GET ${at}`, `DELETE ${at}`])
  })

  test('that is filed under a version that it reports serves no check, and is taken back by that version', async () => {
    const { scope, undone } = target((asked) => (asked === `GET ${at}` ? [404] : [200, detailed]))
    await expect(placedFile.run(scope)).rejects.toThrow(/v0\.7\.1, which the file itself reports/)
    expect(undone).toContain(`DELETE ${at}?version=v0.7.1`)
    await expect(placedFile.run(scope)).rejects.toThrow(/v0\.7\.1/)
  })

  test('that the target refuses, or does not find again, is left to the checks', async () => {
    for (const answer of [() => [400] as const, (asked: string) => [asked.startsWith('GET') ? 404 : 204] as const])
      await expect(placedFile.run(target(answer).scope)).resolves.toBeUndefined()
  })
})
