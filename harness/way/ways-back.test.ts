import { expect, test } from 'vitest'
import { seenLate } from '../run/rehearsing.ts'
import type { CheckScope } from '../run/scope.ts'
import type { Session } from '../run/session.ts'
import type { Undo } from '../safety/journal-lines.ts'
import { StepFailed } from '../vocabulary/index.ts'
import { WaysBack } from './ways-back.ts'

const inUse = (cluster: string) => new StepFailed('cluster-in-use', { asked: 'GET status', cluster, saw: 'primary' })
const ended = (cluster: string): Undo => ({ cluster, method: 'POST', path: 'off', words: 'on', restoration: 'off' })

function after(error: unknown) {
  const waysBack = new WaysBack()
  for (const cluster of ['main', 'second']) waysBack.end(ended(cluster))
  const expected: { readonly undo: Undo; refused: boolean }[] = []
  const makings = {
    expect(undo: Undo) {
      const made = { undo, refused: true }
      expected.push(made)
      return made
    },
  }
  const session = {
    waysBack,
    accessTo: (cluster: string) => ({ mayBeWiped: cluster !== 'main' }),
  } as unknown as Session
  return { error: seenLate(error, { makings } as unknown as CheckScope, session), expected }
}

test('a role of the run that is reported only after its end is ended once more', () => {
  const { error, expected } = after(inUse('second'))
  expect(error).toMatchObject({ code: 'not-in-time' })
  expect(expected).toEqual([{ undo: ended('second'), refused: false }])
})

test('a role that the run did not give, or that may be somebody else’s, is not touched', () => {
  for (const given of [inUse('third'), inUse('main'), new Error('other')]) {
    const { error, expected } = after(given)
    expect(error).toBe(given)
    expect(expected).toEqual([])
  }
})
