import { describe, expect, it } from 'vitest'
import { bedWithRoot } from '../../test-beds/pki-mount.test-bed.ts'
import { globMatches } from './rules/name-glob.ts'

const bare = { allow_bare_domains: true }
const sub = { allow_subdomains: true }
const glob = { allow_glob_domains: true }
const any = { allow_any_name: true }

type Row = readonly [role: Record<string, unknown>, name: string, passes: boolean]

const domain = { allowed_domains: 'example.com' }
const rows: readonly Row[] = [
  [domain, 'example.com', false],
  [domain, 'a.example.com', false],
  [{ ...domain, ...bare }, 'example.com', true],
  [{ ...domain, ...bare }, 'EXAMPLE.com', true],
  [{ ...domain, ...bare }, 'a.example.com', false],
  [{ ...domain, ...bare }, '*.example.com', false],
  [{ ...domain, ...bare }, 'me@example.com', true],
  [{ ...domain, ...bare }, 'me@a.example.com', false],
  [{ ...domain, ...bare }, 'a@b@example.com', false],
  [{ ...domain, ...sub }, 'example.com', false],
  [{ ...domain, ...sub }, 'a.example.com', true],
  [{ ...domain, ...sub }, 'a.b.example.com', true],
  [{ ...domain, ...sub }, 'badexample.com', false],
  [{ ...domain, ...sub }, 'a.example.com.evil.com', false],
  [{ ...domain, ...sub }, '*.example.com', true],
  [{ ...domain, ...sub }, '*.a.example.com', true],
  [{ ...domain, ...sub }, 'f*.example.com', true],
  [{ ...domain, ...sub }, '*f.example.com', true],
  [{ ...domain, ...sub }, 'f*f.example.com', true],
  [{ ...domain, ...sub }, 'f*f*f.example.com', false],
  [{ ...domain, ...sub }, 'a.*.example.com', false],
  [{ ...domain, ...sub }, '*.*.example.com', false],
  [{ ...domain, ...sub }, 'me@a.example.com', true],
  [{ ...domain, ...sub }, 'me@*.example.com', false],
  [{ ...domain, ...sub, allow_wildcard_certificates: false }, '*.example.com', false],
  [{ ...domain, ...sub, allow_wildcard_certificates: false }, 'f*.example.com', false],
  [{ ...domain, ...sub, allow_wildcard_certificates: false }, 'a.example.com', true],
  [{ ...domain, ...glob }, 'example.com', false],
  [{ allowed_domains: 'ftp*.example.com', ...glob }, 'ftp1.example.com', true],
  [{ allowed_domains: 'ftp*.example.com', ...glob }, 'ftp1.sub.example.com', true],
  [{ allowed_domains: 'ftp*.example.com', ...glob }, 'a.ftp1.example.com', false],
  [{ allowed_domains: 'ftp*.example.com', ...glob, ...sub }, 'a.ftp1.example.com', false],
  [{ allowed_domains: 'ftp*.example.com', ...sub }, 'ftp1.example.com', false],
  [{ allowed_domains: ['a.com', 'b.com'], ...bare }, 'b.com', true],
  [{}, 'localhost', true],
  [{}, 'localdomain', true],
  [{}, 'foo.localhost', false],
  [sub, 'foo.localhost', true],
  [{ allow_localhost: false }, 'localhost', false],
  [{ allow_localhost: false, allowed_domains: 'localhost', ...bare }, 'localhost', true],
  [any, 'whatever.test', true],
  [any, '*.whatever.test', true],
  [any, 'not a host', false],
  [any, 'under_score.test', false],
  [any, '*', false],
  [{ ...any, allow_wildcard_certificates: false }, '*.whatever.test', false],
  [{ ...any, enforce_hostnames: false }, 'not a host', true],
  [{ ...any, enforce_hostnames: false }, 'under_score.test', true],
  [any, 'me@under_score.test', false],
  [any, 'bücher.example', true],
  [{ ...bare, allowed_domains: '{{identity.entity.name}}.example.com' }, 'ada.example.com', false],
  [
    { ...bare, allowed_domains: '{{identity.entity.name}}.example.com', allowed_domains_template: true },
    'ada.example.com',
    true,
  ],
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

  it('are all refused if one alternative name does not match', async () => {
    const bed = await bedWithRoot()
    await bed.post('roles/r', { key_type: 'ec', ...domain, ...sub, ...bare })
    const both = { common_name: 'example.com', alt_names: 'a.example.com,a.test' }
    expect((await bed.post('issue/r', both)).refused?.message).toContain('a.test')
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
