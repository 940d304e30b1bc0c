import { describe, expect, test } from 'vitest'
import { fillTemplate } from '../safety/names.ts'
import { blockerOf } from '../vocabulary/index.ts'
import { compareVersions, outsideOf } from './applicability.ts'

describe('bounds', () => {
  test.each([
    ['1.2.0', '1.10.0', -1],
    ['v1.2.3+ent', '1.2.3', 0],
    ['1.2', '1.2.0', 0],
    ['2.0.0-rc1', '1.99.99', 1],
    ['soon', '1.0.0', undefined],
  ] as const)('%s against %s', (a, b, sign) => {
    const order = compareVersions(a, b)
    expect(order === undefined ? order : Math.sign(order)).toBe(sign)
  })

  test('all are met, or the first that is not met is named', () => {
    const facts = { edition: 'enterprise', version: '1.5.0', features: { 'cloud.mfa': 'served' } } as const
    expect(outsideOf([{ since: '1.5.0', before: '1.6.0' }, { feature: 'cloud.mfa' }, undefined], facts)).toBeUndefined()
    expect(outsideOf([{ before: '1.5.0' }], facts)?.blocker.reason).toBe(
      'holds for versions before 1.5.0; the target is 1.5.0',
    )
    expect(outsideOf([{ without: 'cloud.mfa' }], facts, { 'feature cloud.mfa': 'as declared' })?.blocker).toMatchObject(
      { kind: 'feature', reason: 'holds for targets without cloud.mfa; cloud.mfa is served (as declared)' },
    )
  })

  test('each feature is judged by itself, and an absent one takes precedence over an unknown one', () => {
    const facts = { features: { 'cloud.external-id': 'absent' } } as const
    expect(outsideOf([{ feature: ['cloud.session-tags', 'cloud.external-id'] }], facts)?.verdict).toBe('not-applicable')
    expect(outsideOf([{ feature: 'cloud.session-tags' }], facts)).toMatchObject({
      verdict: 'not-verified',
      blocker: {
        kind: 'unknown-fact',
        reason: 'this holds for targets with cloud.session-tags, and it is not known whether the target has that',
        mend: 'give declared.features: { cloud.session-tags: served } (or absent) in the profile',
      },
    })
  })

  test('a row holds if it holds for each edition that the target may be of', () => {
    const left = { editions: ['enterprise', 'premium'] } as const
    expect(outsideOf([{ editions: ['enterprise', 'premium'] }], left)).toBeUndefined()
    expect(outsideOf([{ editions: ['community'] }], left)).toMatchObject({
      verdict: 'not-applicable',
      blocker: { reason: 'holds for edition community; the target is enterprise or premium' },
    })
    expect(outsideOf([{ editions: ['premium'] }], left)?.verdict).toBe('not-verified')
    expect(outsideOf([{ editions: ['premium'] }], { ...left, edition: 'premium' })).toBeUndefined()
    expect(outsideOf([{ editions: ['community', 'enterprise', 'premium'] }], {})).toBeUndefined()
  })

  test('an edition that a gateway hid has the gateway as its cause', () => {
    const facts = { asked: 'LIST sys/policies/rgp', status: 404, who: 'nginx, with a page' }
    const hidden = blockerOf('gateway-answered', facts)
    expect(outsideOf([{ editions: ['premium'] }], {}, {}, hidden)?.blocker).toMatchObject({
      code: 'gateway-answered',
      reason: 'LIST sys/policies/rgp was answered 404 by nginx, with a page, and not by the target',
    })
    expect(outsideOf([{ since: '2.0.0' }], {}, {}, hidden)?.blocker.code).toBe('fact-unknown')
  })

  test('a bound that is not met takes precedence over an unknown fact', () => {
    const bounds = [{ editions: ['premium'] as const }, { since: '2.0.0' }]
    expect(outsideOf(bounds, { version: '1.0.0' })?.verdict).toBe('not-applicable')
    expect(outsideOf(bounds, { version: '2.0.0' })).toMatchObject({
      verdict: 'not-verified',
      blocker: { kind: 'unknown-fact', mend: 'give declared.edition in the profile' },
    })
    expect(outsideOf([{ since: '2.0.0' }], { version: 'unreleased' })?.verdict).toBe('not-verified')
  })
})

describe('templates', () => {
  const find = (name: string) => `<${name}>`
  test.each([
    ['sys/{a}/{b-c}', 'sys/<a>/<b-c>'],
    ['{{identity.entity.id}} {{a}}', '{{identity.entity.id}} {{a}}'],
    ['path "x" { capabilities = ["read"] }', 'path "x" { capabilities = ["read"] }'],
    ['{"a":1} {} { a }', '{"a":1} {} { a }'],
  ])('%s', (template, filled) => {
    expect(fillTemplate(template, find)).toBe(filled)
  })
})
