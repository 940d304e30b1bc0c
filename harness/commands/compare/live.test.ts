import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMockServer } from '../../../mock-server/server.ts'
import { compareCommand } from '../compare.ts'
import type { Terminal } from '../output/terminal.ts'

const token = (number: number): string => `canary-token-of-server-${number}`
const folder = mkdtempSync(join(tmpdir(), 'assay-compare-live-'))
type Server = Awaited<ReturnType<typeof createMockServer>>
let good: Server
let bad: Server
beforeAll(async () => {
  good = await createMockServer({ port: 0, rootToken: token(1) })
  bad = await createMockServer({ port: 0, rootToken: token(2), mutants: ['policies/acl-policy-optional'] })
})
afterAll(async () => {
  await Promise.all([good.close(), bad.close()])
  rmSync(folder, { recursive: true })
})

async function compare(env: Readonly<Record<string, string>>, ...args: string[]) {
  const out: string[] = []
  const messages: string[] = []
  let code = -1
  const terminal = {
    env: { ...env, ASSAY_STATE_DIR: folder },
    signal: new AbortController().signal,
    isLive: false,
    out: (line: string) => out.push(line),
    say: (line: string) => messages.push(line),
    live: () => {},
    paint: (_: string, text: string) => text,
  } as unknown as Terminal
  await compareCommand(terminal, (settled) => {
    code = settled
  }).parseAsync([...args, '--check', 'policies/errors/acl-create-without-policy-is-refused'], { from: 'user' })
  return { code, out, messages }
}

const tokens = { ASSAY_TOKEN_1: token(1), ASSAY_TOKEN_2: token(2) }
const out = join(folder, 'out')

test('two targets are judged, each with its own token; a worse second one means exit code 4', async () => {
  const profile = join(folder, 'bad.yaml')
  writeFileSync(profile, `url: ${bad.url}\nname: fork\ntoken: \${env:FORK_TOKEN}\n`)
  const env = { ASSAY_TOKEN: 'meant-for-nobody', ASSAY_TOKEN_1: token(1), FORK_TOKEN: token(2) }
  const { code, ...lines } = await compare(env, good.url, profile, '--out', out)
  expect(code).toBe(4)
  expect(lines.out[0]).toMatch(/^fork is worse than 127\.0\.0\.1:\d+: 1 check that passes there fails here\.$/)
  expect(lines.messages).toContainEqual(expect.stringContaining('server 2 of 2: fork'))
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  expect(files.length).toBeGreaterThan(4)
  for (const file of files) expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain('canary-token')
  for (const { url } of [good, bad]) expect(await policiesOf(url)).toEqual([])
})

async function policiesOf(url: string): Promise<readonly string[]> {
  const headers = { 'x-vault-token': token(url === good.url ? 1 : 2) }
  const reply = await fetch(`${url}/v1/sys/policies/acl?list=true`, { headers })
  const { data } = (await reply.json()) as { readonly data: { readonly keys: readonly string[] } }
  return data.keys.filter((name) => name.startsWith('assay-'))
}

test('a target that does not reply means exit code 5', async () => {
  const { code, messages } = await compare(tokens, join(out, '1'), 'http://127.0.0.1:1', '--out', join(folder, 'gone'))
  expect(code).toBe(5)
  expect(messages.at(-1)).toBe('assay: 127.0.0.1:1 was not judged (exit code 5), so nothing is compared')
})

test.each<[string, string, Readonly<Record<string, string>>]>([
  ['http://127.0.0.1:1', 'set ASSAY_TOKEN_2, or', {}],
  ['http://me:you@127.0.0.1:1', 'the URL of server 2 contains user info', tokens],
  ['nothing.yaml', 'nothing.yaml cannot be read', tokens],
])('%s is rejected before anything is judged: %s', async (other, words, env) => {
  await expect(compare(env, join(out, '1'), other, '--out', join(folder, 'no'))).rejects.toThrow(words)
})
