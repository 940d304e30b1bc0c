import { expect, test } from 'vitest'
import type { Session } from '../run/session.ts'
import { check, get, type SpellingSite, succeeds, topic, type Varied } from '../vocabulary/index.ts'
import { type Judged, judgedInSpellings } from './spelled-rounds.ts'

const one = check('is-read', { requirement: 'pki.example', when: get('thing'), then: [succeeds] })
const things = topic('pki/fields', { about: 'Things.', checks: [one] })
const capitals = { id: 'capitals', names: ['role'] } as const

/** Judges with capitals, and returns what each judgement was in and what came of all. */
async function judgedAs(hasDiffered: boolean, isMet: (varied: readonly Varied[], count: number) => boolean) {
  const spelled: string[] = []
  const spellings = { of: () => [capitals], isUnknown: () => {} }
  const kept = { giveBack: () => {} }
  const session = { spellings, kept, waysBack: {}, requirements: new Map() } as unknown as Session
  const { outcome } = await judgedInSpellings(
    { topic: things, check: one, session },
    {
      hasDiffered,
      async judged(varied) {
        const mismatches = [{ asked: 'GET thing', at: 'status', wanted: '2xx', saw: '404', expectation: 0 }]
        const isPass = isMet(varied, spelled.push(varied.length > 0 ? 'capitals' : 'as written'))
        const scope = { circumstances: varied, spellings: { sent: [] }, log: { exchanges: [] } }
        return { outcome: isPass ? { verdict: 'pass' } : { verdict: 'fail', mismatches }, scope } as unknown as Judged
      },
    },
  )
  return [spelled, outcome.verdict, outcome.mismatches?.[0]?.saw]
}

test.each([
  [false, ['capitals', 'as written']],
  [true, ['as written']],
])('what differs in any spelling is judged as written last: on shared ground before, %s', async (before, spelled) => {
  expect(await judgedAs(before, () => false)).toEqual([spelled, 'fail', '404'])
})

test.each([
  [false, ['capitals']],
  [true, ['as written', 'capitals']],
])(
  'what does not differ on ground of its own passes in its spellings: on shared ground before, %s',
  async (before, spelled) => {
    expect(await judgedAs(before, () => true)).toEqual([spelled, 'pass', undefined])
  },
)

test.each([false, true])('what differs in a spelling is that finding: on shared ground before, %s', async (before) => {
  const [spelled, ...found] = await judgedAs(before, (varied) => varied.length === 0)
  expect((spelled as string[]).toSorted()).toEqual(['as written', 'capitals', 'capitals'])
  expect(found).toEqual(['fail', '404, but only if names have a capital letter'])
})

test.each([
  [false, 'not-verified'],
  [true, 'fail'],
])(
  'a step that fails in a spelling is a finding if the check passes as written once more: %s',
  async (isSteady, verdict) => {
    const session = {
      ...{ spellings: { of: () => [capitals], isUnknown: () => {} }, kept: { giveBack: () => {} }, waysBack: {} },
      requirements: new Map([['pki.example', { level: 'must' }]]),
    } as unknown as Session
    let asWritten = 0
    const { outcome } = await judgedInSpellings(
      { topic: things, check: one, session },
      {
        hasDiffered: false,
        async judged(varied) {
          const isPass = varied.length === 0 && (isSteady || ++asWritten === 1)
          const scope = { circumstances: varied, spellings: { sent: [] }, log: { exchanges: [] } }
          return { outcome: isPass ? { verdict: 'pass' } : stuck, scope } as unknown as Judged
        },
      },
    )
    expect(outcome.verdict).toBe(verdict)
  },
)

const site = { id: 'pki.no-body', spelling: 'no-body', path: 'thing', row: 'pki.spelling.no-body' } as SpellingSite
const refusedAt = (asked: string) => ({
  verdict: 'fail',
  mismatches: [{ asked, at: 'status', wanted: '2xx', saw: '404' }],
})
const [finding, unwritten] = [refusedAt('GET thing'), refusedAt('POST thing')]
const cut = { verdict: 'fail', mismatches: [{ asked: 'POST thing', at: 'connection', wanted: 'a reply', saw: 'cut' }] }
const inUse = { verdict: 'not-verified', blocker: { kind: 'need', code: 'cluster-in-use', reason: 'in use' } }
const stuck = { verdict: 'not-verified', blocker: { kind: 'given', code: 'step-refused', reason: 'answered 500' } }
const denied = { verdict: 'not-verified', blocker: { kind: 'permission', code: 'step-denied', reason: 'was denied' } }
const further = { id: 'companions', companions: [{ field: 'note', row: 'pki.note' }] } as unknown as Varied

test.each<[string, Varied, string | undefined, object, object, object]>([
  ['stands if a cluster kept its role', capitals, 'second', finding, inUse, finding],
  ['does not stand if a spelling may be why that is only a should', site, 'second', finding, inUse, inUse],
  ['does not stand if something else kept the check from the second round', capitals, undefined, finding, inUse, inUse],
  ['stands if the target refuses then what it served', capitals, undefined, unwritten, stuck, unwritten],
  ['stands if a read is refused, and then what was served', further, undefined, finding, stuck, finding],
  ['does not stand if a further field may be why a write is refused', further, undefined, unwritten, stuck, stuck],
  ['does not stand if a further field may be why a connection was cut', further, undefined, cut, stuck, stuck],
  ['does not stand if a spelling may be why, and the target is stuck', site, undefined, finding, stuck, stuck],
  ['does not stand if the target denies then what it served', capitals, undefined, finding, denied, denied],
])('a finding %s', async (_words, varied, lost, first, plain, expected) => {
  const session = {
    ...{ spellings: { of: () => [varied] }, kept: { giveBack: () => {} }, waysBack: { lost } },
    requirements: new Map([[site.row, { level: 'should' }]]),
  } as unknown as Session
  const found = await judgedInSpellings(
    { topic: things, check: one, session },
    {
      hasDiffered: false,
      judged: async (some) =>
        ({
          outcome: some.length > 0 ? first : plain,
          scope: {
            circumstances: some.filter((each) => each !== site),
            spellings: { sent: some.filter((each) => each === site).map((each) => ({ site: each })) },
            ...{ own: { denied: [] }, log: { exchanges: [] } },
          },
        }) as unknown as Judged,
    },
  )
  expect(found.outcome).toBe(expected)
})
