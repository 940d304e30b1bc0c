import { describe, expect, it } from 'vitest'
import type { PageCheck, PageRequirement } from '../page-data.ts'
import { matchesCheck, matchesRequirement, readHash, writeHash } from './view.ts'

const empty = readHash('')

describe('the hash', () => {
  it('is empty for the whole list', () => {
    expect(writeHash(empty)).toBe('#')
  })

  it('restores the view from which it was made', () => {
    const view = {
      list: 'requirements' as const,
      verdict: ['fail', 'not-verified'],
      area: 'pki' as const,
      kind: 'errors' as const,
      level: 'must' as const,
      blocker: 'need',
      coverage: 'not decided',
      section: 'Endpoints, Role & CA',
      request: 'POST {pki}/roles/:name?',
      text: 'a&b=c #d ü+',
      open: 'pki/errors/x',
    }
    expect(readHash(writeHash(view))).toEqual(view)
    expect(writeHash(view)).toContain('open=pki/errors/x')
    expect(writeHash(view)).toContain('verdict=fail,not-verified')
  })
})

describe('filters', () => {
  const check = {
    verdict: 'not-verified',
    area: 'pki',
    kind: 'errors',
    level: 'must',
    blocker: { kind: 'need', reason: '' },
  } as PageCheck
  const requirement = {
    verdict: 'fail',
    area: 'pki',
    level: 'must',
    fate: 'decided',
    source: { document: 2, section: 'Errors, Role', row: 'a' },
    requests: ['POST {pki}/roles/:name'],
  } as unknown as PageRequirement
  const cases: [string, boolean, boolean][] = [
    ['', true, true],
    ['#verdict=fail', false, true],
    ['#list=requirements&coverage=decided', true, true],
    ['#list=requirements&coverage=open', true, false],
    ['#verdict=fail,not-verified', true, true],
    ['#area=policies', false, false],
    ['#area=pki&kind=errors&level=must', true, true],
    ['#kind=limits', false, false],
    ['#level=should', false, false],
    ['#blocker=need', true, true],
    ['#blocker=safety', false, false],
    ['#section=Errors%2C%20Role', true, true],
    ['#section=Errors', true, false],
    ['#request=POST%20{pki}/roles/:name', true, true],
    ['#request=POST%20{pki}/roles', true, false],
    ['#text=Second+ONE', true, true],
    ['#text=second+third', false, false],
  ]
  for (const [hash, ofCheck, ofRequirement] of cases)
    it(`apply ${hash || 'nothing'}`, () => {
      expect(matchesCheck(check, 'one and a second', readHash(hash))).toBe(ofCheck)
      expect(matchesRequirement(requirement, [check], 'one and a second', readHash(hash))).toBe(ofRequirement)
    })
})
