import { describe, expect, test } from 'vitest'
import { startProvider } from '../../fixtures/servers/provider/index.ts'
import { differences } from '../../suites/differences/index.ts'
import { lists, requirements, spellings, topics } from '../../suites/index.ts'
import { addressOf, areas } from '../vocabulary/index.ts'
import { proveLegal } from './proof.ts'
import { sampleOf } from './sample.ts'

const all = topics.map(({ topic }) => topic)
const leftOut = all.flatMap((topic) => topic.checks.map((check) => addressOf(topic, check)))
/** Leaves out the replication areas, whose checks need clusters and are slow. `assay selftest --legal` proves those. */
const sampled = areas.filter((area) => !area.endsWith('-replication'))
/** The seed of the sample. Another number proves another part. */
const seed = Number(process.env.ASSAY_LEGAL_SEED ?? 1)
/** Only one of this many differences is played. */
const step = 9

describe('a sample of the checks', () => {
  test('differs by seed, and all seeds together select every check once', () => {
    const own = all.filter(({ area }) => area === 'policies').flatMap(({ checks }) => checks)
    const steps = Math.ceil(own.length / 10)
    const seen = Array.from({ length: steps }, (_, seed) =>
      sampleOf(all, { seed, areas: ['policies'], most: 10 }).flatMap(({ checks }) => checks),
    )
    expect(new Set(seen.flat()).size).toBe(own.length)
    expect(seen.flat()).toHaveLength(own.length)
  })

  test('passes on correct servers that differ', async () => {
    const provider = await startProvider()
    try {
      const { iam, sts, control } = provider
      const { cells, changes, idle, leftBehind } = await proveLegal({
        differences: differences.filter(({ id }, index) => index % step === seed % step && id !== 'latency-100-ms'),
        topics: sampleOf(all, { seed, areas: sampled, most: 1 }),
        ...{ requirements, lists, spellings, leftOut, signal: new AbortController().signal },
        provides: { provider: { iam, sts, control } },
      })
      expect(cells.some(({ judged }) => judged > 0)).toBe(true)
      expect(changes.filter(({ stated }) => stated === undefined)).toEqual([])
      expect([idle, leftBehind]).toEqual([[], []])
    } finally {
      await provider.close()
    }
  })

  test('reports a stated loss that does not occur, unless a check that is not judged could have it', async () => {
    const staleWithout = async (...others: readonly string[]) => {
      const { stale } = await proveLegal({
        differences: differences.filter(({ id }) => id === 'unstated-fields-hidden'),
        topics: sampleOf(all, { seed: 0, areas: ['policies'], most: 1 }),
        ...{ requirements, lists, spellings, leftOut: others, signal: new AbortController().signal },
      })
      return stale
    }
    expect(await staleWithout()).toEqual([expect.stringContaining('unstated-fields-hidden: no check that matches **')])
    expect(await staleWithout('pki/errors/one')).toEqual([])
  })
})
