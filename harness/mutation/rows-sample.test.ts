/** Counts the rows that a sample of the mutants make red. `npm run prove` counts for all of them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../fixtures/servers/provider/index.ts'
import { requirements, topics } from '../../suites/index.ts'
import { wideFaults } from '../../suites/wide-faults.ts'
import { type Area, requirementsOf } from '../vocabulary/index.ts'
import { type Candidate, candidatesOf, type JudgedServer, openJudgedServer } from './judged-server.ts'
import { mostRows, redRowsIn, widthsOf } from './red-rows.ts'

const sampled: readonly Area[] = ['policies', 'pki', 'plugin-catalog', 'mfa-legacy', 'mfa-identity', 'cloud']
/** The seed of the sample. Another number proves another part. */
const seed = Number(process.env.ASSAY_FAULT_SEED ?? 1)

let provider: Provider
let judged: JudgedServer
beforeAll(async () => {
  provider = await startProvider()
  const { iam, sts, control } = provider
  judged = await openJudgedServer({ name: 'premium', edition: 'premium' }, requirements, 1, {
    provider: { iam, sts, control },
  })
})
afterAll(async () => {
  await judged.close()
  await provider.close()
})

/** Returns the mutants of an area that checks of many requirements name, with these checks. */
function widelyNamed(candidates: readonly Candidate[]): readonly (readonly [string, readonly Candidate[]])[] {
  const named = [...new Set(candidates.flatMap(({ check }) => check.mutants))].filter((id) => !id.startsWith('kernel/'))
  return named
    .map((id) => [id, candidates.filter(({ check }) => check.mutants.includes(id))] as const)
    .filter(([, naming]) => new Set(naming.flatMap(({ check }) => requirementsOf(check))).size > mostRows)
}

test.each(sampled)('a mutant of %s that many checks name makes few rows red, or has an excuse', async (area) => {
  const candidates = candidatesOf(topics.map(({ topic }) => topic).filter((topic) => topic.area === area))
  const wide = widelyNamed(candidates)
  const [fault, naming] = wide[seed % wide.length] ?? ['', []]
  expect(naming.length).toBeGreaterThan(1)
  await judged.server.reset()
  judged.server.loadMutants([fault])
  const results = await judged.judgeFaulty(naming, new AbortController().signal)
  const told = results.filter(({ verdict }) => verdict !== 'not-applicable')
  const rows = redRowsIn(told, requirements, candidates)
  expect(rows.length).toBeGreaterThan(0)
  expect(widthsOf([{ fault, rows }], wideFaults).problems).toEqual([])
})
