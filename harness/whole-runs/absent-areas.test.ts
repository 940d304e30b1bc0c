import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assay } from '../commands/child.test-bed.ts'
import { type Front, withFront } from '../commands/front.test-bed.ts'
import { type ReferenceServer, startReference } from '../targets/mock.ts'
import { fewOfEachArea } from '../tools/prove/sampled.test-bed.ts'
import type { ResultDocument } from '../vocabulary/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-areas-'))
let server: ReferenceServer
let ran = 0

beforeAll(async () => {
  server = await startReference({ edition: 'community' })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const withoutCloud: Front = (asked, body) => {
  if (/GET \/v1\/sys\/mounts$|LIST .*catalog/.test(asked)) return [403, 'permission denied']
  const [, type] = /"type":"(aws|assay-no-such-engine)"/.exec(body) ?? []
  return asked.startsWith('POST /v1/sys/mounts/') && type
    ? [400, `plugin not found in the catalog: ${type}`]
    : undefined
}

interface Ended {
  readonly code: number | null
  readonly err: string
  readonly result: ResultDocument
}

async function runAt(url: string, ...args: string[]): Promise<Ended> {
  const to = join(folder, `out-${++ran}`)
  const named = ['run', '--target', url, '--format', 'json', '--out', to]
  const { code, err } = await assay([...named, ...args], { ASSAY_TOKEN: server.rootToken })
  return { code, err, result: JSON.parse(readFileSync(join(to, 'result.json'), 'utf8')) }
}

const fewCloud = ['--check', 'cloud/fields-*']
const fewPolicies = ['--check', 'policies/transitions/acl-*']

describe('an area that the target does not have', () => {
  test('is reported first, in one line, and its checks do not apply, whatever they need', async () => {
    const before = server.inventory()
    const { code, err, result } = await withFront(server.url, withoutCloud, (url) =>
      runAt(url, ...fewCloud, ...fewPolicies),
    )
    expect(code).toBe(0)
    const lines = err.split('\n').filter((line) => line.includes('cloud engine'))
    expect(lines).toEqual([
      expect.stringMatching(
        /^this target has no cloud engine \(mounting the type aws answered 400 "plugin not found in the catalog: aws"\): \d+ checks of cloud do not apply$/,
      ),
    ])
    const cloud = result.checks.filter(({ area }) => area === 'cloud')
    expect(cloud.length).toBeGreaterThan(150)
    expect(new Set(cloud.map(({ verdict, blocker }) => `${verdict} ${blocker?.kind}`))).toEqual(
      new Set(['not-applicable area']),
    )
    expect(cloud[0]?.blocker?.reason).toMatch(/^the target has no cloud engine: .*plugin not found/)
    expect(result.checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(3)
    expect(server.inventory()).toEqual(before)
  })

  test('makes the run incomplete if it was requested by name, with the advice to leave it out', async () => {
    const { code, err } = await runAt(server.url, '--area', 'mfa-legacy')
    expect(code).toBe(3)
    expect(err).toMatch(
      /this target has no TOTP methods by name \(.*"unsupported path: .*\): \d+ checks .*; leave the area mfa-legacy out\n/,
    )
  })

  test('is not inferred from a denied or failing reply', async () => {
    const denied = (status: number) => (asked: string) =>
      asked.includes('/v1/identity/mfa/method/totp') ? ([status, 'not available'] as const) : undefined
    for (const status of [403, 500]) {
      const { code, err, result } = await withFront(server.url, denied(status), (url) =>
        runAt(url, '--check', 'mfa-identity/errors/*-without-*'),
      )
      expect(code).not.toBe(0)
      expect(err).not.toContain('this target has no')
      expect(result.counts['not-applicable']).toBe(0)
    }
  })
})

test('a server that has no area at all is not conformant', async () => {
  const nothing: Front = (asked) =>
    /health|seal-status|lookup-self|capabilities-self/.test(asked) ? undefined : [404, 'unsupported path']
  const { code, result } = await withFront(server.url, nothing, (url) => runAt(url, '--check', fewOfEachArea))
  expect(code).toBe(3)
  expect(result.counts.pass).toBe(0)
})
