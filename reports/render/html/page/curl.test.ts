import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { RecordedExchange } from '../../../../harness/vocabulary/index.ts'
import { curlOf } from './curl.ts'

const exchange = (parts: Partial<RecordedExchange>): RecordedExchange => ({
  phase: 'when',
  method: 'GET',
  url: 'https://vault.example/v1/sys/policies/acl/x',
  requestHeaders: {},
  as: 'operator',
  attempts: [],
  ...parts,
})

/** Runs the command in a shell and returns the arguments that curl receives, and its standard input. */
function run(command: string): { arguments: string[]; input: string } {
  const print = `curl() { printf '%s\\036' "$@"; case "$*" in *@-*) printf '\\035'; cat;; esac; }\n${command}`
  const [before = '', input = ''] = execFileSync('sh', ['-c', print], {
    env: { ASSAY_TOKEN: 's.token', ASSAY_TOKEN_READER_2: 's.reader' },
    encoding: 'utf8',
  }).split('\u001D')
  return { arguments: before.split('\u001E').slice(0, -1), input }
}

describe('copy as curl', () => {
  it('puts the variable in place of the token', () => {
    const command = curlOf(exchange({ requestHeaders: { 'x-vault-token': '[redacted:token]' } }), false)
    expect(command).toBe(
      `curl -sS -i \\\n  'https://vault.example/v1/sys/policies/acl/x' \\\n  -H 'x-vault-token: '"$ASSAY_TOKEN"`,
    )
    expect(run(command).arguments.slice(-2)).toEqual(['-H', 'x-vault-token: s.token'])
  })

  it('uses a variable for a token that a check made, and keeps the text around it', () => {
    const command = curlOf(
      exchange({ as: 'reader-2', requestHeaders: { authorization: 'Bearer [redacted:2]' } }),
      false,
    )
    expect(run(command).arguments.at(-1)).toBe('authorization: Bearer s.reader')
  })

  it('sends the method LIST, and skips verifying the certificate if the run did', () => {
    const command = curlOf(exchange({ method: 'LIST' }), true)
    expect(command).toMatch(/^curl -sS -i --insecure -X LIST /)
  })

  it('passes every byte through the shell', () => {
    const body = `{"a":"it's $HOME \`id\` \\" \\\\ \n %s ! שלום"}`
    const url = 'https://vault.example/v1/a/../[b]/{c}?q=%27;rm'
    const headers = { 'x-$(id)': `v'"$HOME`, 'x-empty': '', 'content-length': '3', host: 'vault.example' }
    const seen = run(curlOf(exchange({ method: 'POST', url, requestHeaders: headers, requestBody: body }), false))
    expect(seen.arguments).toEqual([
      ...['-sS', '-i', '--globoff', '--path-as-is', '-X', 'POST', url],
      ...['-H', `x-$(id): v'"$HOME`, '-H', 'x-empty;', '--data-raw', body],
    ])
  })

  it('quotes a method that is not a plain word', () => {
    expect(run(curlOf(exchange({ method: "A;'B" }), false)).arguments).toContain("A;'B")
  })

  it('pipes a body with a NUL', () => {
    const body = `a\0b 100% \\n 'c'`
    const seen = run(curlOf(exchange({ method: 'POST', requestBody: body }), false))
    expect(seen.arguments.slice(-2)).toEqual(['--data-binary', '@-'])
    expect(seen.input).toBe(body)
  })
})
