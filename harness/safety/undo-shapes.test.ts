import { describe, expect, test } from 'vitest'
import { del, post } from '../vocabulary/index.ts'
import type { Undo } from './journal-lines.ts'
import { acceptFor, type UndoTemplate } from './undo-shapes.ts'

const isThrowAway = (name: string) => name === 'policy'
const templates: readonly UndoTemplate[] = [
  { undo: del('policies/{policy}'), isThrowAway },
  { undo: del('policies/{policy}-more', { query: { version: 'v1.0.0' } }), isThrowAway },
  { undo: del('entities/{entityId}'), isThrowAway },
  { undo: post('revoke', { accessor: '{accessor}' }), isThrowAway },
  { undo: post('destroy/{policy}', { entity: '{entityId}', kind: 'totp' }), isThrowAway },
  { undo: post('role/off', {}, { restoration: 'role-off' }), isThrowAway },
]
const accept = acceptFor(templates, 'r1')
const undo = (method: string, path: string, more: Partial<Undo> = {}): Undo => ({
  ...{ cluster: 'main', words: 'made', method, path },
  ...more,
})
const body = (value: unknown) => ({ body: JSON.stringify(value) })

describe('an undo of the run', () => {
  test.each([
    [undo('DELETE', 'policies/assay-r1-12-policy'), true],
    [undo('DELETE', 'policies/assay-r1-12-policy-more', { query: { version: 'v1.2.3-rc.1+b' } }), true],
    [undo('DELETE', 'policies/assay-r1-12-polic%79'), true],
    [undo('DELETE', 'policies/assay-r1-12-Policy'), true],
    [undo('DELETE', 'entities/0b1f7a52-8f6a-4f86-9a0e-111111111111'), false],
    [undo('POST', 'revoke', body({ accessor: 'a9Bc.0_x-1' })), false],
    [undo('POST', 'destroy/assay-r1-1-policy', body({ kind: 'totp', entity: 'e-1' })), true],
    [undo('POST', 'role/off', { body: '{}', restoration: 'role-off', url: 'http://x' }), false],
  ])('%o is accepted', (one, isNamed) => expect(accept(one)).toEqual({ isNamed }))
})

describe('anything else is refused', () => {
  const name = 'assay-r1-1-policy'
  test.each([
    undo('POST', 'sys/seal'),
    undo('PUT', 'sys/seal'),
    undo('POST', `policies/${name}`),
    undo('DELETE', 'policies/default'),
    undo('DELETE', 'policies/assay-r2-1-policy'),
    undo('DELETE', 'policies/assay-r11-1-policy'),
    undo('DELETE', 'policies/assay-r1'),
    undo('DELETE', `policies/${name}/../default`),
    undo('DELETE', `policies/${name}/more`),
    undo('DELETE', `policies/${name}%2f..%2fdefault`),
    undo('DELETE', `policies/${name}%2F`),
    undo('DELETE', `policies/${name}%3Fa=b`),
    undo('DELETE', `policies/assay-r2-1-polic%79`),
    undo('DELETE', `policies/${name}?a=b`),
    undo('DELETE', `policies/${name}#a`),
    undo('DELETE', `policies/${name}\\n`),
    undo('DELETE', `policies/${name}\n`),
    undo('DELETE', `/policies/${name}`),
    undo('DELETE', `other/policies/${name}`),
    undo('DELETE', `policies/${name.toUpperCase()}`),
    undo('DELETE', `policies/assay-r1-1-${'x'.repeat(200)}`),
    undo('DELETE', `policies/${name}`, body({})),
    undo('DELETE', `policies/${name}`, { query: { force: 'true' } }),
    undo('DELETE', `policies/${name}-more`, { query: { version: '../v1' } }),
    undo('DELETE', `policies/${name}-more`, { query: { version: 'v1', force: 'true' } }),
    undo('DELETE', `policies/${name}`, { restoration: 'role-off' }),
    undo('DELETE', 'entities/..'),
    undo('DELETE', 'entities/a..b'),
    undo('DELETE', 'entities/a/b'),
    undo('DELETE', `entities/${'a'.repeat(129)}`),
    undo('POST', 'revoke'),
    undo('POST', 'revoke', body({ accessor: 'a', token: 'b' })),
    undo('POST', 'revoke', body({ accessor: ['a'] })),
    undo('POST', 'revoke', body({ accessor: '../a' })),
    undo('POST', 'revoke', body(['a'])),
    undo('POST', 'revoke', { body: '{"accessor":"a"' }),
    undo('POST', 'revoke', body({ accessor: `a${' '.repeat(5000)}` })),
    undo('POST', `destroy/${name}`, body({ kind: 'other', entity: 'e-1' })),
    undo('POST', 'role/off', { body: '{}' }),
    undo('POST', 'role/off', { body: '{}', restoration: 'other' }),
    undo('POST', 'other/off', { body: '{}', restoration: 'role-off' }),
  ])('%o', (one) => expect(accept(one)).toEqual({ refused: expect.stringContaining('what the run r1 made') }))

  test('for a run with an invalid id', () =>
    expect(acceptFor(templates, 'r1|.*')(undo('DELETE', 'policies/assay-r1-1-x'))).toEqual({
      refused: 'its run has no valid id',
    }))
})
