import { describe, expect, test } from 'vitest'
import { takeBack } from '../safety/take-back.ts'
import { del, post } from '../vocabulary/index.ts'
import { undoOf } from './undo.ts'

const filled = {
  path: ({ path }: { path: string }) => path.replace('{name}', 'x'),
  query: ({ query }: { query?: Readonly<Record<string, string>> }) => query,
  body: () => undefined,
  url: () => '',
}
const written = post('things/{name}', {}, { undo: del('things/{name}', { query: { version: '{version}' } }) })

describe('an undo', () => {
  test('is asked with its query', async () => {
    const undo = undoOf(written, filled, () => true)
    expect(undo).toEqual({
      ...{ cluster: 'main', method: 'DELETE', path: 'things/x', words: 'POST things/x' },
      query: { version: '{version}' },
    })
    const asked: unknown[] = []
    if (!undo || !('path' in undo)) throw new Error('the undo is not named')
    await takeBack(
      undo,
      async (question) => {
        asked.push(question)
        return { url: '', headers: {}, attempts: [] }
      },
      { id: 'test', prefix: '/v1', tokenHeader: 'X-Token', operations: {} },
    )
    expect(asked).toEqual([{ method: 'DELETE', path: 'things/x', query: { version: '{version}' }, repeatable: true }])
  })

  test('has words alone while a name of its query is not known', () => {
    const isKnown = (template: string) => !template.includes('{version}')
    expect(undoOf(written, filled, isKnown)).toEqual({ cluster: 'main', words: 'POST things/x' })
  })
})
