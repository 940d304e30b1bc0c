import { describe, expect, test } from 'vitest'
import { requirements, topics } from '../../suites/index.ts'
import { knownMutants } from '../targets/mock.ts'
import { requirementsOf } from '../vocabulary/index.ts'
import { candidatesOf } from './judged-server.ts'

const candidates = candidatesOf(topics.map(({ topic }) => topic))

describe('register, checks and mutants fit together', () => {
  test('there are checks', () => expect(candidates.length).toBeGreaterThan(50))

  test('each must and should requirement has a check, and info requirements have none', () => {
    const checked = new Set(candidates.flatMap(({ check }) => requirementsOf(check)))
    expect(requirements.filter(({ id, level }) => checked.has(id) === (level === 'info')).map(({ id }) => id)).toEqual(
      [],
    )
  })

  test('each check names known requirements and known mutants', async () => {
    const ids = new Set(requirements.map(({ id }) => id))
    const mutants = new Set((await knownMutants()).map(({ id }) => id))
    const strangers = candidates.flatMap(({ address, check }) => [
      ...requirementsOf(check)
        .filter((id) => !ids.has(id))
        .map((id) => `${address}: ${id}`),
      ...check.mutants.filter((id) => !mutants.has(id)).map((id) => `${address}: ${id}`),
    ])
    expect(strangers).toEqual([])
  })

  test('each mutant of an area that is checked is named by a check', async () => {
    const named = new Set(candidates.flatMap(({ check }) => check.mutants))
    const areas = new Set(candidates.map(({ topic }) => topic.area as string))
    const unnamed = (await knownMutants()).filter(
      ({ id, area }) => (area === 'kernel' || areas.has(area)) && !named.has(id),
    )
    expect(unnamed.map(({ id }) => id)).toEqual([])
  })

  test('addresses are unique', () => {
    expect(new Set(candidates.map(({ address }) => address)).size).toBe(candidates.length)
  })
})
