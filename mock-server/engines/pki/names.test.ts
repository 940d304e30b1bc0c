import { describe, expect, it } from 'vitest'
import { bedWithRoot } from '../../test-beds/pki-mount.test-bed.ts'
import { globMatches } from './judging/name-glob.ts'

const bare = { allow_bare_domains: true }
const sub = { allow_subdomains: true }
const any = { allow_any_name: true }

type Row = readonly [role: Record<string, unknown>, name: string, passes: boolean]

const domain = { allowed_domains: 'example.com' }
/** Names that no check sends. */
const rows: readonly Row[] = [
  [{ ...domain, ...bare }, 'me@a.example.com', false],
  [{ ...domain, ...bare }, 'a@b@example.com', false],
  [{ ...domain, ...sub }, 'f*f*f.example.com', false],
  [{ ...domain, ...sub }, 'a.*.example.com', false],
  [{ ...domain, ...sub }, '*.*.example.com', false],
  [{ ...domain, ...sub }, 'me@*.example.com', false],
  [any, '*', false],
  [any, 'bücher.example', true],
  [
    { ...sub, allowed_domains: '{{identity.entity.nothing}}example.com', allowed_domains_template: true },
    'a.example.com',
    false,
  ],
]

describe('names', () => {
  it('are allowed or refused by the options of the role, as common name and as alternative name', async () => {
    const bed = await bedWithRoot({ identity: { 'identity.entity.name': 'ada' } })
    for (const [role, name, passes] of rows) {
      const message = `${JSON.stringify(role)} ${name}`
      await bed.post('roles/r', { key_type: 'ec', ttl: '1h', require_cn: false, ...role })
      expect((await bed.post('issue/r', { common_name: name })).refused === undefined, message).toBe(passes)
      expect((await bed.post('issue/r', { alt_names: name })).refused === undefined, `SAN ${message}`).toBe(passes)
    }
  })
})

describe('globs', () => {
  it('match any characters in place of each star', () => {
    for (const [pattern, text, wanted] of [
      ['*', '', true],
      ['a*b', 'ab', true],
      ['a*a', 'a', false],
      ['*x*y*', 'axbyc', true],
      ['*x*y*', 'aybxc', false],
      ['a*b*b', 'ab', false],
      ['abc', 'abc', true],
      ['abc', 'abcd', false],
    ] as const)
      expect(globMatches(pattern, text), `${pattern} ${text}`).toBe(wanted)
  })
})
