/** A server without a fault reaches exit code 0, both with the first command of the README and with all its areas,
 * without a root token and without disruptive checks. `npm test` judges some checks of each area here, and all of them
 * in `every-check.test.ts`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { assay } from '../commands/child.test-bed.ts'
import { profileOf } from '../commands/serve/serve-profile.ts'
import { type ReferenceServer, startReference } from '../targets/mock.ts'
import { fewOfEachArea, isWhole } from '../tools/prove/sampled.test-bed.ts'
import { type Area, areas, type Edition, type ResultDocument } from '../vocabulary/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-faultless-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function operate(server: ReferenceServer, path: string, body: object) {
  const reply = await fetch(`${server.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'X-Vault-Token': server.rootToken },
    body: JSON.stringify(body),
  })
  return reply.status === 204 ? undefined : ((await reply.json()) as { auth: { client_token: string } })
}

/** Returns a token with exactly the policy that `plan` prints for this selection. */
async function tokenFor(server: ReferenceServer, ...choice: string[]): Promise<string> {
  const { code, out: policy } = await assay(['plan', ...choice, '--policy'], { ASSAY_TOKEN: 'not-sent' })
  expect(code).toBe(0)
  await operate(server, 'sys/policies/acl/planned', { policy })
  const made = await operate(server, 'auth/token/create', { policies: ['planned'], no_default_policy: true })
  return made?.auth.client_token ?? ''
}

async function conformantBy(
  token: string,
  ...args: string[]
): Promise<{ readonly document: ResultDocument; readonly said: string }> {
  const to = mkdtempSync(join(folder, 'out-'))
  const { code, out, err } = await assay(['run', ...args, '--out', to], { ASSAY_TOKEN: token })
  expect({ code, output: code === 0 ? '' : `${out.slice(0, 3000)}${err}` }).toEqual({ code: 0, output: '' })
  expect(err).not.toMatch(/lacks|warning:/)
  return { document: JSON.parse(readFileSync(join(to, 'result.json'), 'utf8')), said: err }
}

const decidedAreas = ({ checks }: ResultDocument): readonly string[] => [
  ...new Set(checks.filter(({ verdict }) => verdict === 'pass').map(({ area }) => area)),
]

const ofPremium: readonly Area[] = ['policies', 'mfa-legacy', 'dr-replication', 'performance-replication']

/** Areas that are equal in both editions are judged on only one of them. */
test.each<[Edition, readonly Area[], readonly string[]]>([
  ['community', areas, ['TOTP methods by name', 'disaster recovery replication', 'performance replication']],
  ['premium', ofPremium, []],
])('a faultless %s server is conformant', async (edition, asked, absent) => {
  const server = await startReference({ edition, control: true, testKeys: true })
  const profile = join(folder, `${edition}.json`)
  writeFileSync(profile, JSON.stringify(profileOf(server)))
  try {
    const policies = isWhole ? ['--area', 'policies'] : ['--check', 'policies/errors/*']
    const few = await tokenFor(server, ...policies)
    const first = await conformantBy(few, '--target', server.url, ...policies)
    expect(decidedAreas(first.document)).toEqual(['policies'])

    const ofAreas = asked === areas ? [] : asked.flatMap((area) => ['--area', area])
    const chosen = [
      '--profile',
      profile,
      ...ofAreas,
      ...(isWhole ? [] : ['--check', fewOfEachArea, '--check', '*-replication/access/*']),
    ]
    const { document, said } = await conformantBy(await tokenFor(server, ...chosen), ...chosen)
    expect(document.checks.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict))).toEqual([])
    expect(decidedAreas(document).length + absent.length).toBe(asked.length)
    expect(said.split('\n').filter((line) => line.startsWith('this target has no '))).toEqual(
      absent.map((name) => expect.stringContaining(`this target has no ${name} (`)),
    )
  } finally {
    await server.close()
  }
})
