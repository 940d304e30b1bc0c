import { describe, expect, test } from 'vitest'
import { check, get, type Requirement, succeeds, topic } from '../vocabulary/index.ts'
import { type Filter, select } from './select.ts'

const requirements: Requirement[] = (['must', 'should'] as const).map((level) => ({
  id: `policies.thing.${level}`,
  area: 'policies',
  level,
  says: '',
  source: { document: 1, section: '', row: '' },
}))

const checkOf = (id: string, level: string) =>
  check(id, { requirement: `policies.thing.${level}`, when: get('x'), then: [succeeds], mutants: ['policies/x'] })

const topics = [
  topic('policies/errors', { about: '', checks: [checkOf('a-is-kept', 'must'), checkOf('b-is-kept', 'should')] }),
  topic('policies/fields-egp', { about: '', checks: [checkOf('a-is-kept', 'must')] }),
  topic('pki/errors', { about: '', checks: [checkOf('c-is-gone', 'must')] }),
]

const selected = (filter: Partial<Filter>) =>
  select(
    topics.map((topic) => ({ topic, file: '' })),
    requirements,
    { areas: [], checks: [], level: 'should', ...filter },
  )
const addresses = (filter: Partial<Filter>) => selected(filter).checks.map(({ address }) => address)

describe('select', () => {
  test('an empty filter selects everything, in the order of the topics', () => {
    expect(addresses({})).toEqual([
      'policies/errors/a-is-kept',
      'policies/errors/b-is-kept',
      'policies/fields-egp/a-is-kept',
      'pki/errors/c-is-gone',
    ])
  })

  test.each([
    [{ areas: ['pki'] }, ['pki/errors/c-is-gone']],
    [{ level: 'must', areas: ['policies'] }, ['policies/errors/a-is-kept', 'policies/fields-egp/a-is-kept']],
    [{ checks: ['policies/*'], level: 'must' }, ['policies/errors/a-is-kept', 'policies/fields-egp/a-is-kept']],
    [{ checks: ['policies/errors'] }, ['policies/errors/a-is-kept', 'policies/errors/b-is-kept']],
    [{ checks: ['*/errors/?-is-gone', 'pki/'] }, ['pki/errors/c-is-gone']],
    [{ checks: ['policies/err'] }, []],
    [{ checks: ['!policies/errors'] }, ['policies/fields-egp/a-is-kept', 'pki/errors/c-is-gone']],
    [{ checks: ['policies/*', '!*/a-is-kept'] }, ['policies/errors/b-is-kept']],
  ] as const)('%j', (filter, wanted) => {
    expect(addresses(filter)).toEqual(wanted)
  })

  test('counts each unselected check under the first part that excludes it, and lists the checks that "!" excludes', () => {
    const filter = {
      areas: ['policies'],
      checks: ['*/a-is-kept', '*/b-is-kept', '!policies/fields-egp'],
      level: 'must',
    }
    expect(selected(filter as Partial<Filter>).leftOut).toEqual([
      { cause: 'area', checks: 1 },
      { cause: 'excluded', checks: 1, ids: ['policies/fields-egp/a-is-kept'] },
      { cause: 'level', checks: 1 },
    ])
    expect(selected({ checks: ['pki/*'] }).leftOut).toEqual([{ cause: 'check', checks: 3 }])
    expect(selected({}).leftOut).toEqual([])
  })

  test('reports areas and patterns that match nothing, with similar names', () => {
    expect(selected({ checks: ['polices/*', 'pki/*'] }).unmatched).toEqual([
      { word: 'polices/*', nearest: expect.arrayContaining(['policies/*']) },
    ])
    expect(selected({ checks: ['polices/*'] }).unmatched[0]?.nearest[0]).toBe('policies/*')
    expect(selected({ checks: ['policies/errors/a-is-kpet'] }).unmatched[0]?.nearest[0]).toBe(
      'policies/errors/a-is-kept',
    )
    expect(selected({ checks: ['!polices/*'] }).unmatched[0]?.nearest[0]).toBe('!policies/*')
    expect(selected({ checks: ['b-is-kept'] }).unmatched[0]?.nearest).toEqual(['policies/errors/b-is-kept'])
    expect(selected({ areas: ['cloud'] }).unmatched).toEqual([{ word: 'cloud', nearest: [] }])
    expect(selected({ checks: ['completely-different-words'] }).unmatched[0]?.nearest).toEqual([])
  })

  test('reports a pattern that matches only checks outside the selected areas', () => {
    expect(selected({ areas: ['pki'], checks: ['policies/*'] }).unmatched.map(({ word }) => word)).toEqual([
      'policies/*',
    ])
  })
})
