import { describe, expect, test } from 'vitest'
import type { Journal } from '../safety/journal.ts'
import { takeBack } from '../safety/take-back.ts'
import { del, post } from '../vocabulary/index.ts'
import { EndedRoles } from '../way/ended-roles.ts'
import { Makings, undoOf } from './undo.ts'

const filled = {
  path: ({ path }: { path: string }) => path.replace('{name}', 'x'),
  query: ({ query }: { query?: Readonly<Record<string, string>> }) => query,
  body: () => undefined,
  url: () => '',
}
const written = post('things/{name}', {}, { undo: del('things/{name}', { query: { version: '{version}' } }) })

describe('an undo', () => {
  test('is sent with its query', async () => {
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

  test('consists of words alone while a name of its query is not known', () => {
    const isKnown = (template: string) => !template.includes('{version}')
    expect(undoOf(written, filled, isKnown)).toEqual({ cluster: 'main', words: 'POST things/x' })
  })
})

describe('makings', () => {
  const undo = (path: string) => ({ cluster: 'main', method: 'DELETE', path, words: `POST ${path}` })
  const journaled = () => {
    const lines: string[] = []
    const journal = {
      intend: ({ words }: { words: string }) => lines.push(`intend ${words}`),
      done: (id: number) => void lines.push(`done ${id}`),
    } as unknown as Journal
    return { lines, makings: new Makings(journal, new EndedRoles(true)) }
  }
  const pathsOf = (makings: Makings) => makings.all.map((made) => made.undo?.path)

  test('an object that was refused at first is taken back before the objects that it may depend on', () => {
    const { lines, makings } = journaled()
    const mount = makings.expect(undo('mount'))
    makings.expect(undo('plugin')).refused = false
    expect(makings.expect(undo('mount'))).toBe(mount)
    mount.refused = false
    expect(pathsOf(makings)).toEqual(['mount', 'plugin'])
    expect(lines).toEqual(['intend POST mount', 'intend POST plugin', 'intend POST mount', 'done 1'])
    expect(mount.id).toBe(3)
  })

  test('an existing object keeps its position when it is written again', () => {
    const { lines, makings } = journaled()
    makings.expect(undo('policy')).refused = false
    makings.expect(undo('token')).refused = false
    makings.expect(undo('policy'))
    expect(pathsOf(makings)).toEqual(['token', 'policy'])
    expect(lines).toHaveLength(2)
  })
})
