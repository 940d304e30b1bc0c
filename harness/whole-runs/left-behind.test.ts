/** What counts as left behind, and that the commands which a run prints clean it up. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { assay } from '../commands/child.test-bed.ts'
import { withFront } from '../commands/front.test-bed.ts'
import { type ReferenceServer, startReference } from '../targets/mock.ts'
import type { ResultDocument } from '../vocabulary/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-left-'))
const token = 's.root-token-of-these-tests'
let server: ReferenceServer
let ran = 0
beforeAll(async () => {
  server = await startReference({ rootToken: token })
})
afterEach(() => server.reset())
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const env = { ASSAY_TOKEN: token }

async function run(url: string, ...flags: string[]) {
  const out = join(folder, `out-${++ran}`)
  const ended = await assay(['run', '--target', url, '--out', out, ...flags], env)
  const result: ResultDocument = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'))
  return { ...ended, result, out }
}

/** Runs a command line exactly as it was printed. */
const asPrinted = (line: string) => assay(line.trim().split(' ').slice(2), env)

const own = 'policies/transitions/acl-list-drops-what-is-deleted'

test('a check that already fails because of the list is the only one', async () => {
  await server.loadMutants(['policies/acl-list-keeps-deleted'])
  const { code, result } = await run(server.url, '--check', `policies/transitions/acl-list-names-what-exists,${own}`)
  expect({ code, left: result.leftBehind }).toEqual({ code: 1, left: [] })
  expect(result.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([own])
})

test('a list that names what is gone is a finding of that list, and nothing is left behind', async () => {
  await server.loadMutants(['policies/acl-list-keeps-deleted'])
  const { code, result, out } = await run(
    server.url,
    '--check',
    'policies/transitions/acl-list-names-what-exists,policies/fields/acl-*',
  )
  expect({ code, left: result.leftBehind, word: result.verdict.word }).toEqual({
    code: 1,
    left: [],
    word: 'non-conformant',
  })
  const told = result.checks.filter(({ verdict }) => verdict === 'fail')
  expect(told).toHaveLength(1)
  expect(told[0]?.mismatches[0]).toMatchObject({
    asked: 'LIST sys/policies/acl',
    saw: expect.stringMatching(/names? of objects that no longer exist, such as assay-/),
  })
  for (const flags of [[], ['--run', result.run.id]]) {
    const cleaned = await assay(['clean', '--target', server.url, '--out', out, ...flags], env)
    expect(cleaned.code).toBe(0)
    expect(cleaned.out).toMatch(/^(nothing to clean|0 objects cleaned up, 0 left)/)
    expect(cleaned.err).toContain('there is nothing to clean up')
  }
})

test('if no selected check is about that list, the run says so', async () => {
  await server.loadMutants(['policies/acl-list-keeps-deleted'])
  const { result } = await run(server.url, '--check', 'policies/fields/acl-*')
  expect(result.leftBehind).toEqual([])
  expect(result.findings.map(({ code }) => code)).toContain('untrue-list')
})

test.each([
  {
    undo: 'DELETE /v1/sys/policies/acl/',
    check: 'policies/transitions/acl-list-names-what-*',
    kind: 'acl',
    lacks: 'delete on sys/policies/acl/assay-*',
  },
  {
    undo: 'DELETE /v1/identity/entity/',
    check: 'mfa-identity/access-login/login-takes-a-code*',
    kind: 'entities',
    lacks: 'delete on identity/entity/id/+',
  },
  {
    undo: 'POST /v1/auth/token/revoke-accessor',
    check: 'policies/access/acl-create-*',
    kind: 'tokens',
    lacks: 'update on auth/token/revoke-accessor',
  },
])(
  'each of the $kind that were left is told once, and the printed command cleans up, once the target lets it',
  async ({ undo, check, kind, lacks }) => {
    const before = server.inventory()
    const added = () => (server.inventory()[kind]?.length ?? 0) - (before[kind]?.length ?? 0)
    let refuses = true
    await withFront(
      server.url,
      (asked) => (refuses && asked.startsWith(undo) ? [403, 'permission denied'] : undefined),
      async (url) => {
        const { code, err, result } = await run(url, '--check', check)
        const objects = added()
        expect(objects).toBeGreaterThan(0)
        expect({ code, told: new Set(result.leftBehind).size }).toEqual({ code: 7, told: objects })
        expect(result.verdict.reasons[0]).toMatchObject({ code: 'left-behind', facts: { objects } })
        const printed = err.split('\n').find((line) => line.trim().startsWith('npx assay clean')) ?? ''
        expect(err).toContain(`with a token that has ${lacks}:\n  ${printed.trim()}`)
        expect(result.verdict.reasons[0]?.mend).toContain(`with a token that has ${lacks}: \`${printed.trim()}`)
        for (const line of [printed, `${printed} --run ${result.run.id}`])
          expect((await asPrinted(line)).out).toContain(`0 objects cleaned up, ${objects} left, 1 journal`)
        refuses = false
        expect(await asPrinted(printed)).toMatchObject({ code: 0, out: expect.stringContaining(', 0 left') })
      },
    )
    expect(server.inventory()).toEqual(before)
  },
)

/** Creates a token with the policy that a run of these checks needs, without one of its rules or capabilities. */
async function tokenWithout(check: string, path: string, capability?: string): Promise<string> {
  const { out } = await assay(['plan', '--policy', '--check', check])
  const policy = out.replace(/path "([^"]+)" \{[^}]+\}/g, (rule, of) =>
    of !== path ? rule : capability === undefined ? '' : rule.replace(`"${capability}"`, '"read"'),
  )
  expect(policy).not.toBe(out)
  const operate = async (asked: string, body: object) => {
    const [headers, text] = [{ 'X-Vault-Token': token }, JSON.stringify(body)]
    const reply = await fetch(`${server.url}/v1/${asked}`, { method: 'POST', headers, body: text })
    expect(reply.ok).toBe(true)
    return reply
  }
  await operate('sys/policies/acl/of-the-run', { policy })
  const made = await operate('auth/token/create', { policies: ['of-the-run'], no_default_policy: true })
  const { auth } = (await made.json()) as { auth: { client_token: string } }
  return auth.client_token
}

test.each([
  { check: 'policies/transitions/acl-list-names-what-exists', path: 'sys/policies/acl/assay-*', lacks: 'delete' },
  { check: 'mfa-identity/access-login/login-takes-a-code*', path: 'identity/entity/id/+' },
  { check: 'policies/access/acl-create-grants-at-once', path: 'auth/token/revoke-accessor' },
])('without $lacks on $path, no check makes what it could not take back', async ({ check, path, lacks }) => {
  const ASSAY_TOKEN = await tokenWithout(check, path, lacks)
  const before = server.inventory()
  const out = join(folder, `out-${++ran}`)
  const { code } = await assay(['run', '--target', server.url, '--out', out, '--check', check], { ASSAY_TOKEN })
  const { checks, leftBehind }: ResultDocument = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'))
  expect({ code, leftBehind }).toEqual({ code: 3, leftBehind: [] })
  expect(server.inventory()).toEqual(before)
  const blocker = { code: 'not-undoable', mend: expect.stringContaining(`grants ${lacks ?? ''}`) }
  for (const { id, ...judged } of checks) {
    expect([id, judged]).toMatchObject([id, { verdict: 'not-verified', blocker }])
    expect(judged.blocker?.reason).toContain(`on ${path}`)
  }
})
