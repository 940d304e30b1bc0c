import { describe, expect, test } from 'vitest'
import { compareVersions, outsideOf } from './applicability.ts'
import { fillTemplate } from './template.ts'

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

  test('all hold, or the first that does not is named', () => {
    const facts = { edition: 'enterprise', version: '1.5.0', forms: { cloud: 'newer' } } as const
    expect(
      outsideOf([{ since: '1.5.0', before: '1.6.0' }, { form: { cloud: 'newer' } }, undefined], facts),
    ).toBeUndefined()
    expect(outsideOf([{ before: '1.5.0' }], facts)?.blocker.reason).toBe(
      'holds for versions before 1.5.0; the target is 1.5.0',
    )
    expect(outsideOf([{ form: { cloud: 'older' } }], facts)?.blocker.kind).toBe('form')
  })

  test('a bound that is not met outweighs a fact that is missing', () => {
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
