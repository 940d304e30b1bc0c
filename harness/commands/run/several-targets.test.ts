import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compareCommand } from '../compare.ts'
import type { Terminal } from '../output/terminal.ts'
import { runCommand } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-several-'))
afterAll(() => rmSync(folder, { recursive: true }))

// Nothing listens on these ports.
writeFileSync(join(folder, 'old.yaml'), 'url: http://127.0.0.1:1\nname: old\n')
writeFileSync(join(folder, 'new.yaml'), 'url: http://127.0.0.1:2\nname: new\n')
const both = join(folder, 'both.yaml')
writeFileSync(both, 'targets: [old.yaml, new.yaml]\n')
const tokens = { ASSAY_TOKEN_1: 'token-of-old', ASSAY_TOKEN_2: 'token-of-new' }

async function call(make: typeof runCommand, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const messages: string[] = []
  let code = -1
  const terminal = {
    env: { ...env, ASSAY_STATE_DIR: folder },
    signal: new AbortController().signal,
    say: (line: string) => messages.push(line),
    live: () => {},
  } as unknown as Terminal
  const flags = ['--out', join(folder, 'out'), '--check', 'policies/errors/acl-create-without-policy-is-refused']
  await make(terminal, (settled) => {
    code = settled
  }).parseAsync([...args, ...flags], { from: 'user' })
  return { code, messages: messages.filter((line) => line.startsWith('server ') || line.startsWith('assay: ')) }
}

test('each target of a profile is judged, even after one that does not reply', async () => {
  const { code, messages } = await call(runCommand, tokens, '--profile', both)
  expect(code).toBe(5)
  expect(messages).toEqual([
    'server 1 of 2: old',
    expect.stringContaining('http://127.0.0.1:1 cannot be reached'),
    'server 2 of 2: new',
    expect.stringContaining('http://127.0.0.1:2 cannot be reached'),
  ])
})

test('a comparison uses the targets of a profile, and ends if one does not reply', async () => {
  const { code, messages } = await call(compareCommand, tokens, both)
  expect(code).toBe(5)
  expect(messages.filter((line) => line.startsWith('server '))).toEqual(['server 1 of 2: old'])
})

test.each<[readonly string[], Readonly<Record<string, string>>, string]>([
  [[], { ASSAY_TOKEN: 'for-neither' }, 'there is no token for http://127.0.0.1:1'],
  [[], { ASSAY_TOKEN_1: 'token-of-old' }, 'set ASSAY_TOKEN_2, or'],
  [
    ['--baseline', 'result.json'],
    tokens,
    '--baseline applies to one target, but the profile lists several: leave it out',
  ],
  [['--target', 'http://127.0.0.1:3'], tokens, '--target applies to one target'],
])('%j with %j: %s', async (args, env, words) => {
  await expect(call(runCommand, env, '--profile', both, ...args)).rejects.toThrow(words)
})
