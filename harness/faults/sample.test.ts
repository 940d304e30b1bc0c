import { describe, expect, test } from 'vitest'
import { startProvider } from '../../fixtures/servers/provider/index.ts'
import { faultExcuses, wireFaults } from '../../suites/faults.ts'
import { requirements, topics } from '../../suites/index.ts'
import { proofs } from '../../suites/proofs.ts'
import { wideFaults } from '../../suites/wide-faults.ts'
import { addressOf, areas } from '../vocabulary/index.ts'
import { linesOf, prove } from './proof.ts'
import { sampleOf } from './sample.ts'

/** Leaves out the replication areas, whose checks need clusters and are slow. `assay selftest --faults` proves
 * those. */
const sampled = areas.filter((area) => !area.endsWith('-replication'))
const all = topics.map(({ topic }) => topic)
/** The seed of the sample. Another number proves another part. */
const seed = Number(process.env.ASSAY_FAULT_SEED ?? 1)

describe('a sample of the faults', () => {
  const faults = wireFaults()

  test('differs by seed, and all seeds together select every fault once', () => {
    const own = faults.filter(({ area }) => area === 'policies')
    const step = Math.ceil(own.length / 5)
    const ids = Array.from({ length: step }, (_, seed) =>
      sampleOf(faults, all, { seed, areas: ['policies'], most: 5 }).faults.map(({ id }) => id),
    )
    expect(ids.flat().toSorted()).toEqual(own.map(({ id }) => id).toSorted())
    expect(Math.max(...ids.map(({ length }) => length))).toBeLessThanOrEqual(5)
  })

  test('has only the checks about the objects of its faults', () => {
    const { topics: few, faults: chosen } = sampleOf(faults, all, { seed: 0, areas: ['cloud'], most: 1 })
    expect(chosen.map(({ at }) => at.path)).toEqual(['{cloud}/config/root'])
    const decided = few.flatMap(({ checks }) => checks.flatMap(({ requirement }) => requirement))
    expect(decided).toContain('cloud.root.region.kept')
    expect(decided).not.toContain('cloud.static-role.reads')
  })

  test('has only faults that are noticed or excused', async () => {
    const provider = await startProvider()
    try {
      const { iam, sts, control } = provider
      const { rows } = await prove({
        ...sampleOf(faults, all, { seed, areas: sampled, most: 1 }),
        ...{ excuses: faultExcuses, requirements, noticedBy: proofs.noticedBy, signal: new AbortController().signal },
        provides: { provider: { iam, sts, control } },
      })
      expect(rows.length).toBeGreaterThan(5)
      expect(rows.filter(({ state }) => state === 'not-noticed').map(({ fault }) => fault.id)).toEqual([])
      expect(rows.flatMap(({ defect }) => defect ?? [])).toEqual([])
    } finally {
      await provider.close()
    }
  })
})

// Rows can be counted only if all checks of an area are judged, so this area is a small one.
test('a sample of the faults makes few rows red', async () => {
  const own = wireFaults().filter(({ area }) => area === 'mfa-legacy')
  const taking = 'mfa-legacy/method.write/accept'
  const faults = own.filter(({ id }, index) => id === taking || index % 40 === seed % 40)
  const { widths } = await prove({
    ...{ faults, rowsOfEach: 1, wide: wideFaults },
    ...{ excuses: faultExcuses, requirements, signal: new AbortController().signal },
    topics: all.filter(({ area }) => area === 'mfa-legacy'),
  })
  expect(widths.faults).toBeGreaterThan(1)
  expect(widths.problems).toEqual([])
  // This fault contradicts each of the eleven statements about values that are refused there.
  expect(widths.worst.find(({ fault }) => fault === taking)?.rows).toHaveLength(2)
})

test('a common name that is not taken is reported under few of the rows that look at names', async () => {
  const { widths } = await prove({
    ...{ faults: wireFaults().filter(({ id }) => id === 'pki/root.common-name/ignore-field'), rowsOfEach: 1 },
    ...{ wide: wideFaults, excuses: faultExcuses, requirements, signal: new AbortController().signal },
    topics: all.filter(({ id }) => /^pki\/fields-(subject|sans-everywhere)$/.test(id)),
  })
  expect(widths.worst.map(({ rows }) => rows.toSorted())).toEqual([
    ['pki.root.common-name.subject', 'pki.root.exclude-cn', 'pki.root.whole', 'pki.san.alt-names.default'],
  ])
})

test('the report of an interrupted proof says so, and calls no fault unnoticed', async () => {
  const proof = await prove({
    ...sampleOf(wireFaults(), all, { seed, areas: ['policies'], most: 1 }),
    ...{ excuses: [], requirements, signal: AbortSignal.abort() },
  })
  expect(proof).toMatchObject({ interrupted: true, rows: [{ state: 'not-noticed' }] })
  const [first, ...others] = linesOf(proof)
  expect(first).toMatch(/^interrupted: /)
  expect(others.filter((line) => line.startsWith('not noticed: '))).toEqual([])
})

test('the record of proofs names only faults and checks that exist, both of one area', () => {
  const faults = new Set(wireFaults().map(({ id }) => id))
  const checks = new Set(topics.flatMap(({ topic }) => topic.checks.map((check) => addressOf(topic, check))))
  const areaIn = (id: string) => id.slice(0, id.indexOf('/'))
  const unknown = Object.entries(proofs.noticedBy).filter(
    ([id, check]) => !faults.has(id) || !checks.has(check) || areaIn(id) !== areaIn(check),
  )
  expect(unknown, 'update suites/proofs.json with "assay selftest --faults --update"').toEqual([])
})
