/** Compares the literal reference server with the law, and checks that the suites find no fault in it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { laws } from '../../fixtures/api/index.ts'
import { endpointsOf } from '../../fixtures/api/json-schema.ts'
import { type Provider, startProvider } from '../../fixtures/servers/provider/index.ts'
import { areas, engines, type Row } from '../../mock-server/literal/documented.ts'
import { requirements, topics } from '../../suites/index.ts'
import { assay } from '../commands/child.test-bed.ts'
import { candidatesOf, openJudgedServer } from '../mutation/judged-server.ts'
import { isWhole } from '../tools/prove/sampled.test-bed.ts'
import { type Area, areas as allAreas } from '../vocabulary/index.ts'

/** What the literal server serves, in the notation of the law. */
const served = new Map<string, Row>(
  [
    ...Object.entries(areas),
    ...(['pki', 'cloud'] as const).map((engine) => [`{${engine}}`, engines[engine] ?? []] as const),
  ].flatMap(([place, rows]) =>
    rows.map((row) => [`${row.verb} ${place}${row.path === '' ? '' : '/'}${row.path}`, row] as const),
  ),
)

const stated = laws.flatMap((law) =>
  endpointsOf(law).map(({ method, path, reply }) => ({
    // `:id?` stands for an optional segment; the path in the document does not show that it is optional.
    site: `${method} ${path.replace(/\?$/, '')}`,
    fields: Object.entries(reply && !('bare' in reply) ? reply : {})
      .filter(([, { presence }]) => presence === 'stated')
      .map(([name]) => name),
  })),
)

describe('the table of what is documented', () => {
  test('has every path of the law, and no other', () => {
    expect([...served.keys()].sort()).toEqual(stated.map(({ site }) => site).sort())
  })

  test('returns every field that a row states', () => {
    const lacking = stated.flatMap(({ site, fields }) =>
      fields.filter((name) => !served.get(site)?.fields.includes(name)).map((name) => `${site}: ${name}`),
    )
    expect(lacking).toEqual([])
  })
})

test('run --literal judges the literal server, and rejects a target', async () => {
  const out = mkdtempSync(join(tmpdir(), 'assay-literal-'))
  try {
    const [judged, refused] = await Promise.all([
      assay(['run', '--literal', '--check', 'policies/fields/acl-*', '--out', out]),
      assay(['run', '--literal', '--target', 'http://127.0.0.1:1', '--out', out], { ASSAY_TOKEN: 'not-sent' }),
    ])
    expect({ code: judged.code, output: judged.code === 0 ? '' : judged.out + judged.err }).toEqual({
      code: 0,
      output: '',
    })
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('--literal is for the embedded server')
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
})

describe('a sample of the checks', () => {
  /** Returns a few checks of an area, spread over its topics; `npm run prove` judges twice as many, and `assay run
   * --literal` all of them. */
  const few = (area: Area) => {
    // Fewer checks on several clusters, because they run one after the other.
    const most = (area.endsWith('-replication') ? 6 : 12) / (isWhole ? 1 : 2)
    const all = candidatesOf(topics.map(({ topic }) => topic)).filter(
      ({ topic, check }) => topic.area === area && !check.needs?.includes('third-cluster'),
    )
    const every = Math.ceil(all.length / most)
    return all.filter((_, index) => index % every === every >> 1)
  }

  let provider: Provider
  beforeAll(async () => {
    provider = await startProvider()
  })
  afterAll(() => provider.close())

  test.each(allAreas)('finds no fault in it: %s', async (area) => {
    const { iam, sts, control } = provider
    const setting = { name: 'literal', edition: 'premium', literal: true } as const
    const judged = await openJudgedServer(setting, requirements, 1, { provider: { iam, sts, control } }, 2)
    try {
      const results = await judged.judgePlainly(few(area), new AbortController().signal)
      const accused = results.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict))
      expect(accused.map(({ id, verdict, blocker, mismatches }) => ({ id, verdict, blocker, mismatches }))).toEqual([])
      expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(results.length / 3)
    } finally {
      await judged.close()
    }
  })
})
