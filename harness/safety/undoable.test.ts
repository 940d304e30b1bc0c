import { expect, test } from 'vitest'
import { topics } from '../../suites/index.ts'
import type { Task } from '../run/session.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import { type Capability, del, post } from '../vocabulary/index.ts'
import { notUndoable, removalLost } from './undoable.ts'

const dialect = loadDialect('vault')
const made = post('things/{thing}', {}, { undo: del('things/{thing}') })
const inMount = post('{thing}/roles/a', {}, { undo: del('{thing}/roles/a') })
const may = (path: string, ...capabilities: string[]): Capability => ({ path, capabilities })

function whyNot(held: readonly Capability[] | undefined, when = made) {
  const topic = { id: 'area/topic', names: ['thing'], checks: [] }
  const check = { id: 'a-check', when, then: [] }
  return notUndoable({ topic, check, session: { plan: { held }, dialect } } as unknown as Task)?.blocker?.reason
}

const barred =
  "what POST things/assay-* makes could not be taken back: the operator's token lacks delete on things/assay-*"

test.each([
  { what: 'may make but not delete', held: [may('things/assay-probe', 'create', 'update')], why: barred },
  { what: 'may not make it either', held: [may('things/assay-probe', 'deny')] },
  { what: 'may do both, without create', held: [may('things/assay-probe', 'update', 'delete')] },
  { what: 'is of root', held: [may('things/assay-probe', 'root')] },
  { what: 'is not told about', held: undefined },
  { what: 'is told nothing about the path', held: [may('others', 'deny')] },
])('a token that $what', ({ held, why }) => {
  expect(whyNot(held)).toBe(why)
})

test('a name that goes on is covered by the same rule', () => {
  const second = post('things/{thing}-2', {}, { undo: del('things/{thing}-2') })
  expect(whyNot([may('things/assay-probe', 'create', 'update')], second)).toBe(barred)
})

test('what is in a mount goes with it, and a policy need not be about the name of the mount', () => {
  expect(whyNot([may('assay-probe', 'update')], inMount)).toBe(undefined)
})

test('an undo on another cluster needs another token', () => {
  const elsewhere = post('things/{thing}', {}, { cluster: 'second', undo: del('things/{thing}') })
  expect(whyNot([may('things/assay-probe', 'update')], elsewhere)).toBe(undefined)
})

test('each removal that is asked for before a check bears the name of the run, so that nobody loses anything', async () => {
  const sent: string[] = []
  const ask = async ({ path }: { readonly path: string }) => {
    sent.push(path)
    return {}
  }
  const session = { plan: { runId: 'abcd1234' }, dialect, ask: () => ask }
  for (const { topic } of topics)
    for (const check of topic.checks) await removalLost({ topic, check, session } as unknown as Task)
  expect(sent.length).toBeGreaterThan(15)
  expect(sent.filter((path) => !/(^|\/)assay-abcd1234-nobody$/.test(path))).toEqual([])
})
