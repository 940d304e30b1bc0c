/** A server with one flaw contradicts one sentence, or a few; every other check passes, or rests on the one that reports
 * the flaw. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import pki from '../../suites/areas/pki.ts'
import { sampled } from '../tools/prove/sampled.test-bed.ts'
import { causesOf } from '../verdict/causes.ts'
import { toldOnce } from '../verdict/told-once.ts'
import { brokenBy, type CheckResult } from '../vocabulary/index.ts'
import { candidatesOf, type JudgedServer, openJudgedServer } from './judged-server.ts'

/** Topics with the checks that report these flaws, and with many others that make certificates. */
const topics = pki.topics
  .map(({ topic }) => topic)
  .filter(({ id }) => /^pki\/(fields-(sans|sans-lists|usages|certificates)|transitions)$/.test(id))
const premium = { name: 'premium', edition: 'premium' } as const

let judged: JudgedServer
beforeAll(async () => {
  judged = await openJudgedServer(premium, pki.requirements, 1)
})
afterAll(() => judged.close())

async function resultsUnder(mutant: string): Promise<readonly CheckResult[]> {
  await judged.server.reset()
  judged.server.loadMutants([mutant])
  const results = await judged.judgeFaulty(candidatesOf(topics), new AbortController().signal)
  return toldOnce(results, pki.requirements)
}

describe('one flaw', () => {
  const flaws = [
    ['pki/adds-a-dns-san', 'pki.san.alt-names.default', 1],
    ['pki/leaf-key-usage-added', 'pki.issue.whole', 3],
  ] as const
  test.each(sampled(flaws, 2, 1))('%s contradicts %s', async (mutant, sentence, rows) => {
    const results = await resultsUnder(mutant)
    const red = [...new Set(results.flatMap(brokenBy))]
    expect(red).toContain(sentence)
    expect(red.length).toBeLessThanOrEqual(rows)
    const others = results.filter((result) => brokenBy(result).length === 0)
    expect(others.filter(({ verdict, rests }) => verdict !== 'pass' && verdict !== 'not-applicable' && !rests)).toEqual(
      [],
    )
    expect(others.filter(({ rests }) => rests).length).toBeGreaterThan(50)
    const causes = causesOf(results, { requirements: pki.requirements, paths: pki.paths })
    const contradictions = causes.filter(({ verdict }) => verdict === 'fail')
    expect(contradictions).toMatchObject([{ verdict: 'fail' }])
    expect(results.filter(({ id }) => contradictions[0]?.checks.includes(id)).flatMap(brokenBy)).toContain(sentence)
  })
})
