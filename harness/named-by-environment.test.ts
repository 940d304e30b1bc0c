/** A run whose server only the environment names is as safe as any other, and says what it will do, and where. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assay } from './commands/child.test-bed.ts'
import { type ReferenceServer, startReference } from './targets/mock.ts'
import type { ResultDocument } from './vocabulary/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-environment-'))
const token = 's.root-token-of-the-environment'
let server: ReferenceServer
beforeAll(async () => {
  server = await startReference({ rootToken: token })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const one = 'policies/errors/acl-create-without-policy-is-refused'
const run = (out: string, ...more: readonly string[]) =>
  assay(['run', ...more, '--check', one, '--format', 'json', '--out', join(folder, out)], {
    VAULT_ADDR: server.url,
    VAULT_TOKEN: token,
  })
const resultIn = (out: string): ResultDocument => JSON.parse(readFileSync(join(folder, out, 'result.json'), 'utf8'))

describe('a run with VAULT_ADDR and VAULT_TOKEN', () => {
  test('judges that server within the usual ceiling, and says so before it begins', async () => {
    const before = server.inventory()
    const { code, out, err } = await run('judged')
    expect({ code, err }).toEqual({ code: 0, err: expect.any(String) })
    expect(err.split('\n').slice(0, 4)).toEqual([
      `judging ${server.url}, which is named by VAULT_ADDR: this run creates, changes and deletes objects of its own (named assay-…), and takes them back there`,
      expect.stringContaining('assay run embedded'),
      `from the environment: address ${server.url} (VAULT_ADDR), token set (VAULT_TOKEN)`,
      `1 check against ${new URL(server.url).host}`,
    ])
    const { target, run: made } = resultIn('judged')
    expect([target.url, made.safety]).toEqual([server.url, 'scoped'])
    expect(made.conditions?.command).toContain(`npx assay run --target ${server.url} `)
    expect(`${out}${err}${JSON.stringify(resultIn('judged'))}`).not.toContain(token)
    expect(server.inventory()).toEqual(before)
  })

  test('needs the typed cluster id for disruptive checks', async () => {
    const { code, err } = await run('disruptive', '--safety', 'disruptive')
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('add --allow-disruptive with its cluster id'),
    })
    expect(err).toContain('this run may change what others share')
  })

  test('judges the embedded server if that is named', async () => {
    const { code, err } = await run('embedded', 'embedded')
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('VAULT_') })
    expect(resultIn('embedded').target.url).not.toBe(server.url)
  })

  test('is shown by plan, which sends nothing', async () => {
    const { out } = await assay(['plan', '--check', one], { VAULT_ADDR: 'http://127.0.0.1:1', VAULT_TOKEN: token })
    expect(out).toMatch(/^A run with these flags would use:\n {2}address +http:\/\/127\.0\.0\.1:1 +VAULT_ADDR\n/)
    expect(out).toMatch(/^ {2}token +set +VAULT_TOKEN$/m)
    expect(out).toMatch(/^ {2}timeout +30 s +default$/m)
    expect(out).not.toContain(token)
  })
})
