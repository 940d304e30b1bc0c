// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how profiles name variables
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadProfile } from './profile.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-profile-'))
afterAll(() => rmSync(folder, { recursive: true }))

const env = { ROOT: 'hvs.root-token', HOST: 'server.example', SHARE: 'share-one' }
writeFileSync(join(folder, 'token'), 'hvs.from-file\n')
writeFileSync(join(folder, 'shares'), 'share-two\nshare-three\n')
writeFileSync(join(folder, 'empty'), '\n')

function load(text: string) {
  const file = join(folder, 'profile.yaml')
  writeFileSync(file, text)
  return loadProfile(file, env)
}

const faultOf = (text: string): string => {
  try {
    load(text)
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '')
  }
  return 'no fault'
}

describe('a profile', () => {
  test('substitutes variables and reads files', () => {
    const profile = load(
      [
        'url: https://${env:HOST}:8200/',
        'tokenFile: token',
        'headers: { X-Vault-Namespace: team, X-Api-Key: "${env:ROOT}" }',
        'keyShares: ["${env:SHARE}"]',
        'clusters: [{ name: other, url: https://other.example, keySharesFile: shares, mayBeWiped: true }]',
      ].join('\n'),
    )
    expect(profile).toMatchObject({
      url: 'https://server.example:8200',
      token: 'hvs.from-file',
      headers: { 'X-Vault-Namespace': 'team', 'X-Api-Key': 'hvs.root-token' },
      clusters: [{ name: 'other', keyShares: ['share-two', 'share-three'], tls: { insecure: false } }],
    })
    expect([...profile.secrets].sort()).toEqual([
      'hvs.from-file',
      'hvs.root-token',
      'share-one',
      'share-three',
      'share-two',
    ])
  })

  test('may give a cluster the name that the suites use at the same position', () => {
    const names = load('url: http://a\nclusters: [{ name: second, url: http://b }, { name: third, url: http://c }]\n')
    expect(names.clusters?.map(({ name }) => name)).toEqual(['second', 'third'])
  })

  test('may use keys such as "token" in maps with free keys', () => {
    const profile = load('url: http://a\nmounts: { token: auth/x, tokenFile: auth/y }\nheaders: { X-File: z }\n')
    expect(profile).toMatchObject({ mounts: { token: 'auth/x', tokenFile: 'auth/y' }, headers: { 'X-File': 'z' } })
    expect(profile.secrets).toEqual([])
  })

  test.each([
    ['url: http://a\ntokn: x', 'profile.yaml:2:1: unknown key "tokn"; did you mean "token"?'],
    [
      'url: http://a\nnamespace: x',
      'profile.yaml:2:1: unknown key "namespace"; did you mean "headers.X-Vault-Namespace"?',
    ],
    ['url: http://a\nca_cert: x', 'profile.yaml:2:1: unknown key "ca_cert"; did you mean "tls.ca"?'],
    ['url: http://a\ntls: { caCert: x }', 'profile.yaml:2:8: unknown key "caCert"; did you mean "ca"?'],
    ['name: a', 'profile.yaml:1:1: "url" is missing: add it'],
    ['', 'profile.yaml:1:1: "url" is missing: add it'],
    ['url: http://a\nmaxRps: many', 'profile.yaml:2:9: "maxRps" must be a number'],
    [
      'url: http://a\ndeclared:\n  edition: gold',
      'profile.yaml:3:12: "declared.edition" must be one of community, enterprise, premium',
    ],
    [
      'url: http://a\ndeclared: { editon: premium }',
      'profile.yaml:2:13: unknown key "editon"; did you mean "edition"?',
    ],
    [
      'url: http://a\ndeclared:\n  forms: { cloud: newest }',
      'profile.yaml:3:19: "declared.forms.cloud" must be one of newer, older; did you mean "newer"?',
    ],
    [
      'url: http://a\ndeclared:\n  features: { cloud.static-role: served }',
      'profile.yaml:3:15: unknown key "cloud.static-role"; did you mean "cloud.static-roles"?',
    ],
    [
      'url: http://a\ndeclared: { forms: { clouds: newer } }',
      'profile.yaml:2:22: unknown key "clouds"; did you mean "cloud"?',
    ],
    [
      'url: http://a\nclusters: [{ name: two, url: http://b, tls: { insecur: true } }]',
      'profile.yaml:2:47: unknown key "insecur"; did you mean "insecure"?',
    ],
    ['url: http://a\npluginFiles: [{ command: a, sha: b }]', 'profile.yaml:2:29: unknown key "sha"'],
    [
      'url: http://a\nenvironment: { CLOUD_REGIONS: eu-west-3 }',
      'profile.yaml:2:16: unknown key "CLOUD_REGIONS"; did you mean "CLOUD_REGION"?',
    ],
    [
      'url: http://a\ndeclared: { version: 99.1.0 }',
      'profile.yaml:2:22: no version of the vault family begins with 99 (known are 0, 1, 2): correct "declared.version", or',
    ],
    [
      'url: ftp://a',
      'profile.yaml:1:6: "url" is invalid: expected an http or https URL without user info, query or fragment',
    ],
    [
      'url: https://me:hvs.secret@a',
      'profile.yaml:1:6: "url" is invalid: expected an http or https URL without user info, query or fragment',
    ],
    ['url: ["a"', 'profile.yaml:1:10: this is not YAML: Flow sequence in block collection must be'],
    ['url: https://${env:MISSING}', 'profile.yaml:1:6: the environment variable MISSING is not set: export it first'],
    [
      'url: http://a\ntoken: hvs.literal',
      'profile.yaml:2:8: "token" contains a secret in plain text: write ${env:NAME}, or use "tokenFile"',
    ],
    [
      'url: http://a\nkeyShares:\n  - ${env:SHARE}\n  - literal',
      'profile.yaml:4:5: "keyShares.1" contains a secret in plain text: write ${env:NAME}, or use "keySharesFile"',
    ],
    [
      'url: http://a\nheaders: { X-Api-Key: literal }',
      'profile.yaml:2:23: "headers.X-Api-Key" contains a secret in plain text: write ${env:NAME}',
    ],
    [
      'url: http://a\nheaders: { X-Vault-Token: "${env:ROOT}" }',
      'profile.yaml:2:12: "headers.X-Vault-Token" would be sent with every request, even those that must be unauthenticated: use "token"',
    ],
    [
      'url: http://a\ntoken: ${env:ROOT}\ntokenFile: token',
      'profile.yaml:3:1: "tokenFile" and "token" are both given: remove one of them',
    ],
    [
      'url: http://a\ntokenFile: nowhere',
      'profile.yaml:2:12: "tokenFile" names nowhere, which cannot be read (ENOENT): fix the path',
    ],
    ['url: http://a\ntokenFile: empty', 'profile.yaml:2:12: "tokenFile" names empty, which is empty: write the value'],
    ['url: http://a\nclusters: [{ name: x }]', 'profile.yaml:2:12: "clusters.0.url" is missing: add it'],
    ...[
      [
        '[{ name: a, url: http://b }, { name: a, url: http://c }]',
        48,
        '"a" cannot be the name of this cluster: another',
      ],
      ['[{ name: main, url: http://b }]', 20, '"main" cannot be the name of this cluster: it is reserved'],
      ['[{ name: third, url: http://b }]', 20, '"third" cannot be the name of this cluster: it is reserved'],
      ['[{ name: a b, url: http://b }]', 20, '"a b" cannot be the name of this cluster: it contains white space'],
    ].map(([clusters, column, words]) => [
      `url: http://a\nclusters: ${clusters}`,
      `profile.yaml:2:${String(column)}: ${words}`,
    ]),
  ])('%j is refused', (text = '', fault = '') => {
    expect(faultOf(text)).toContain(fault)
  })

  test.each([
    ['url: http://a\nmounts: *none\n', /^profile\.yaml: .*: write the value out instead$/],
    ['url: http://a\nheaders: { "X Bad": a }\n', /^profile\.yaml:2:\d+: "headers" /],
    ['url: http://a\nheaders: { X-Bad: "a\\r\\nb" }\n', /^profile\.yaml:2:\d+: "headers.X-Bad" is invalid: /],
  ])('%j is an error in the file', (text, words) => {
    expect(faultOf(text).split('\n')[0]).toMatch(words)
  })

  test('another product may have any version', () => {
    const { declared } = load('url: http://a\ndeclared: { version: 99.1.0, product: another }\n')
    expect(declared).toEqual({ version: '99.1.0', product: 'another' })
  })

  test('never repeats a secret in an error message', () => {
    expect(faultOf('url: http://a\ntoken: hvs.literal')).not.toContain('hvs.literal')
  })
})
