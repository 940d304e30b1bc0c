import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TargetProof } from '../../faults/on-target.ts'
import { type ReferenceServer, startReference } from '../../targets/mock.ts'
import { assay, startAssay } from '../child.test-bed.ts'
import { type Front, withFront } from '../front.test-bed.ts'

/** Runs the command against a server that was started separately. */
describe('selftest --faults --target', () => {
  const home = mkdtempSync(join(tmpdir(), 'assay-on-target-'))
  let server: ReferenceServer
  beforeAll(async () => {
    server = await startReference({ edition: 'community', seed: 1 })
  })
  afterAll(async () => {
    await server.close()
    rmSync(home, { recursive: true })
  })
  const args = (...more: string[]) => ['selftest', '--faults', '--target', server.url, '--out', home, ...more]
  const env = () => ({ ASSAY_TOKEN: server.rootToken })

  async function policiesThere(): Promise<readonly string[]> {
    const reply = await fetch(`${server.url}/v1/sys/policies/acl?list=true`, {
      headers: { 'X-Vault-Token': server.rootToken },
    })
    const { data } = (await reply.json()) as { data: { keys: string[] } }
    return data.keys
  }

  test('proves what the target can show, and leaves nothing behind', async () => {
    const before = await policiesThere()
    const { code, out, err } = await assay(args('--area', 'policies', '--json'), env())
    const { rows, unmet, idle } = JSON.parse(out) as TargetProof
    expect(err).not.toContain('left behind')
    expect(idle).toEqual([])
    expect(rows.filter(({ state }) => state === 'noticed').length).toBeGreaterThan(15)
    // Governing policies are not served in this edition.
    expect(unmet).toContain('policies/egp.write/hollow')
    expect(code).toBe(rows.some(({ state }) => state === 'not-noticed') ? 6 : 0)
    expect(await policiesThere()).toEqual(before)
    expect(readdirSync(home).toSorted()).toEqual(['faults.html', 'faults.json'])
    expect(JSON.parse(readFileSync(join(home, 'faults.json'), 'utf8')).rows.length).toBe(rows.length)
    expect(readFileSync(join(home, 'faults.html'), 'utf8')).toContain('How do we know that a check can fail?')
  })

  test('names what it could not clean up, keeps the journal, and exits with 7', async () => {
    const out = join(home, 'refused')
    let isRefusing = true
    const front: Front = (asked) =>
      isRefusing && asked.startsWith('DELETE /v1/sys/policies/acl/assay-') ? [403, 'permission denied'] : undefined
    await withFront(server.url, front, async (url) => {
      const to = ['--target', url, '--out', out]
      const { code, err } = await assay(['selftest', '--faults', ...to, '--area', 'policies'], env())
      expect(code).toBe(7)
      expect(readdirSync(out).filter((name) => name.startsWith('journal-')).length).toBe(1)
      expect(err).toMatch(/left behind: .*sys\/policies\/acl\/assay-/)
      isRefusing = false
      expect((await assay(['clean', ...to], env())).code).toBe(0)
    })
    expect((await policiesThere()).filter((name) => name.startsWith('assay-'))).toEqual([])
  })

  test('cleans up when it is interrupted', async () => {
    const before = await policiesThere()
    const child = startAssay(args('--area', 'policies,mfa-identity'), env())
    await expect.poll(async () => (await policiesThere()).length).toBeGreaterThan(before.length)
    child.process.kill('SIGINT')
    expect((await child.ended).code).toBe(130)
    expect(await policiesThere()).toEqual(before)
  })

  test.each([
    [['--target', 'http://127.0.0.1:1', '--mutants'], 'with a target, only faults on the wire can be played'],
    [['--faults', '--insecure'], '--insecure needs a target, but none is given'],
  ])('rejects %j', async (more, message) => {
    const { code, err } = await assay(['selftest', ...more], env())
    expect({ code, message: err.includes(message) ? message : err }).toEqual({ code: 2, message })
  })

  test('exits with 5 if a target cannot be reached', async () => {
    const { code } = await assay(['selftest', '--faults', '--target', 'http://127.0.0.1:1', '--out', home], env())
    expect(code).toBe(5)
  })
})
