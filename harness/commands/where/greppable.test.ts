/** A text search of the source for an id finds it: the id itself, or the fixed text of a pattern. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { topics } from '../../../suites/index.ts'
import { knownMutants } from '../../targets/mock.ts'
import { addressOf } from '../../vocabulary/index.ts'
import { packageRoot } from '../version.ts'
import { literalsOf, weightOf } from './literals.ts'
import { placeOfMutant } from './map.ts'
import { placeOfCall } from './sources.ts'

const lines = new Map<string, readonly string[]>()

/** Returns whether the line at a place contains one of the spellings. */
function isWrittenAt(place: string | undefined, ...ids: readonly string[]): boolean {
  const [, file = '', line] = /^(.+):(\d+)$/.exec(place ?? '') ?? []
  if (file === '') return false
  const text = lines.get(file) ?? readFileSync(join(packageRoot, file), 'utf8').split('\n')
  lines.set(file, text)
  return literalsOf(text[Number(line) - 1] ?? '').some((literal) => ids.some((id) => weightOf(literal, id) > 0))
}

test('every check id is written where its record is made', () => {
  const all = topics.flatMap(({ topic }) => topic.checks.map((check) => ({ topic, check })))
  const hidden = all.filter(({ check }) => !isWrittenAt(placeOfCall(check.madeBy, check.id), check.id))
  expect(hidden.map(({ topic, check }) => addressOf(topic, check))).toEqual([])
})

test('every mutant id is written in the reference server', async () => {
  const hidden = (await knownMutants()).filter(({ id }) => !isWrittenAt(placeOfMutant(id), id, id.split('/')[1] ?? ''))
  expect(hidden.map(({ id }) => id)).toEqual([])
})
