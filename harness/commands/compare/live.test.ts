import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMockServer } from '../../../mock-server/server.ts'
import { compareCommand } from '../compare.ts'
import type { Terminal } from '../terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-compare-live-'))
type Server = Awaited<ReturnType<typeof createMockServer>>
let good: Server
let bad: Server
beforeAll(async () => {
  good = await createMockServer({ port: 0, rootToken: 'test-token-of-the-first' })
  bad = await createMockServer({ port: 0, rootToken: 'test-token-of-the-other', mutants: ['policies/acl-policy-optional'] })
})
afterAll(async () => {
  await Promise.all([good.close(), bad.close()])
  rmSync(folder, { recursive: true })
})

async function compare(env: Record<string, string>, ...args: string[]) {
  const lines: string[] = []
  const said: string[] = []
  let code = -1
  const terminal = { env: { ...env, ASSAY_STATE_DIR: folder }, signal: new AbortController().signal, isLive: false, out: (line: string) => lines.push(line), say: (line: string) => said.push(line), live: () => {}, paint: (_: string, text: string) => text } as unknown as Terminal
  await compareCommand(terminal, (settled) => {
    code = settled
  }).parseAsync(args, { from: 'user' })
  return { code, lines, said }
}

test('two servers', async () => {
  const out = join(folder, 'out')
  const t = Date.now()
  const { code, lines, said } = await compare({ ASSAY_TOKEN_1: 'test-token-of-the-first', ASSAY_TOKEN_2: 'test-token-of-the-other' }, good.url, bad.url, '--check', 'policies/errors/acl-create-without-policy-is-refused,policies/errors/acl-update-*', '--out', out)
  console.log(code, lines, said, Date.now() - t)
  expect(code).toBe(4)
}, 60000)
