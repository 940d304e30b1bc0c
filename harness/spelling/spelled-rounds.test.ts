import { expect, test } from 'vitest'
import { ServedRequests } from '../run/sending/served-requests.ts'
import type { Session } from '../run/session.ts'
import { check, get, post, type Scope, type SpellingSite, succeeds, topic, type Varied } from '../vocabulary/index.ts'
import type { Judged } from './judged.ts'
import { judgedInSpellings } from './spelled-rounds.ts'
import { Spellings } from './spellings.ts'

const one = check('is-read', { requirement: 'pki.example', when: get('thing'), then: [succeeds] })
const things = topic('pki/fields', { about: 'Things.', checks: [one] })
const capitals = { id: 'capitals', names: ['role'] } as const
const otherCaller = { id: 'other-caller' } as const

/** Returns a scope that sent requests in some circumstances. */
const scopeIn = (met: readonly Varied[]) => ({
  ...{ met, spellings: { sent: [] }, log: { exchanges: [] }, own: { denied: [] } },
  servedRequests: { has: () => false },
})

const spellingsOf = (all: readonly Varied[]) => new Spellings({ 'pki/fields/is-read': all })

/** Returns as much of a session as rounds use. */
const sessionOf = (spellings: Spellings, more: object = {}) =>
  ({ spellings, kept: { giveBack: () => {} }, waysBack: {}, requirements: new Map(), ...more }) as unknown as Session

/** Judges in circumstances, and returns what each judgement was in and what came of all. */
async function judgedAs(
  hasDiffered: boolean,
  isMet: (varied: readonly Varied[], count: number) => boolean,
  all: readonly Varied[] = [capitals],
  spellings = spellingsOf(all),
) {
  const spelled: string[] = []
  const session = sessionOf(spellings)
  const { outcome } = await judgedInSpellings(
    { topic: things, check: one, session },
    {
      hasDiffered,
      mayOverlap: true,
      async judged(varied) {
        const mismatches = [{ asked: 'GET thing', at: 'status', wanted: '2xx', saw: '404', expectation: 0 }]
        const words = varied.map(({ id }) => id).join(', ')
        const isPass = isMet(varied, spelled.push(words || 'as written'))
        const outcome = isPass ? { verdict: 'pass' } : { verdict: 'fail', mismatches }
        return { outcome, scope: scopeIn(varied) } as unknown as Judged
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
  const [first, second, ...again] = spelled as string[]
  expect([first, second].toSorted()).toEqual(['as written', 'capitals'])
  expect(again).toEqual(['capitals', 'capitals', 'as written'])
  expect(found).toEqual(['fail', '404, but only if names have a capital letter'])
})

test('what differs only where two circumstances meet is told with both', async () => {
  const [, verdict, saw] = await judgedAs(false, (varied) => varied.length < 2, [capitals, otherCaller])
  const told =
    '404, but only if names have a capital letter, and if a token other than the operator’s sends the requests'
  expect([verdict, saw]).toEqual(['fail', told])
})

/** A server is wrong in the rounds that have a one at their place. */
const wrongIn = (pattern: number) => (_varied: readonly Varied[], count: number) => (pattern >> (count - 1)) % 2 === 0

test.each([[[capitals]], [[capitals, otherCaller]]])(
  'a server that is wrong now and then is told under a circumstance only if all rounds in it show that: %j',
  async (all) => {
    for (let pattern = 0; pattern < 2 ** 9; pattern += 1) {
      const [spelled, verdict, saw] = await judgedAs(false, wrongIn(pattern), all)
      if (!String(saw).includes('but only if')) continue
      const rounds = (spelled as string[]).map((words, at) => ({ words, isWrong: !wrongIn(pattern)([], at + 1) }))
      const [first, last, asWritten] = [rounds[0], rounds.at(-2), rounds.at(-1)]
      const alike = rounds.filter(({ words }) => words === last?.words)
      expect([verdict, first?.isWrong, asWritten?.words]).toEqual(['fail', true, 'as written'])
      expect(rounds.filter(({ words, isWrong }) => words === 'as written' && isWrong)).toEqual([])
      expect(alike.length).toBeGreaterThan(1)
      expect(alike.every(({ isWrong }) => isWrong)).toBe(true)
    }
  },
)

test('a server that is wrong every second time is told to be so', async () => {
  const [, verdict, saw] = await judgedAs(false, (_, count) => count % 2 === 0)
  expect([verdict, saw]).toEqual(['fail', '404, but not each time'])
})

test('the more differences did not show again, the more often one has to show', async () => {
  const spellings = spellingsOf([capitals])
  spellings.doubt()
  spellings.doubt()
  const [spelled, , saw] = await judgedAs(false, (varied) => varied.length === 0, [capitals], spellings)
  expect(saw).toContain('but only if')
  expect((spelled as string[]).filter((words) => words === 'as written')).toHaveLength(4)
})

test.each([
  [true, 'pass'],
  [false, 'fail'],
])('a denial says nothing of another caller only if that one was denied: %s', async (isOther, verdict) => {
  const session = sessionOf(spellingsOf([otherCaller]))
  const { outcome } = await judgedInSpellings(
    { topic: things, check: one, session },
    {
      hasDiffered: false,
      mayOverlap: true,
      judged: async (varied) =>
        ({
          outcome: varied.length > 0 ? finding : { verdict: 'pass' },
          scope: { ...scopeIn(varied), own: { denied: [{ isOther }] } },
        }) as unknown as Judged,
    },
  )
  expect(outcome.verdict).toBe(verdict)
})

test('what shows at another request in each round is not told under a circumstance', async () => {
  const session = sessionOf(spellingsOf([capitals]))
  let count = 0
  const { outcome } = await judgedInSpellings(
    { topic: things, check: one, session },
    {
      hasDiffered: false,
      mayOverlap: true,
      async judged(varied) {
        count += 1
        const outcome =
          varied.length > 0 ? refusedAt(`GET thing/${count % 2 === 0 ? 'one' : 'two'}`) : { verdict: 'pass' }
        return { outcome, scope: scopeIn(varied) } as unknown as Judged
      },
    },
  )
  expect(outcome.verdict).toBe('pass')
})

test.each([
  ['differs in any way', true, false, 'fail', 2],
  ['does not differ', true, true, 'pass', 2],
  ['has a lock', false, false, 'fail', 1],
] as const)('what waits for long and %s: both ways at once, %s', async (_, mayOverlap, isPass, verdict, atOnce) => {
  const begun: string[] = []
  let [now, most] = [0, 0]
  const { outcome } = await judgedInSpellings(
    { topic: things, check: one, session: sessionOf(spellingsOf([capitals])) },
    {
      hasDiffered: false,
      mayOverlap,
      async judged(varied, onLong) {
        begun.push(varied.map(({ id }) => id).join(' '))
        now += 1
        most = Math.max(most, now)
        onLong?.()
        onLong?.()
        await Promise.resolve()
        now -= 1
        return { outcome: isPass ? { verdict: 'pass' } : finding, scope: scopeIn(varied) } as unknown as Judged
      },
    },
  )
  expect([begun, most, outcome.verdict]).toEqual([['capitals', ''], atOnce, verdict])
})

test('what no request was sent in is not why a check differs', async () => {
  const session = sessionOf(spellingsOf([otherCaller]))
  let rounds = 0
  const { outcome } = await judgedInSpellings(
    { topic: things, check: one, session },
    {
      hasDiffered: false,
      mayOverlap: true,
      async judged() {
        rounds += 1
        return { outcome: finding, scope: scopeIn([]) } as unknown as Judged
      },
    },
  )
  expect([rounds, outcome]).toEqual([1, finding])
})

test.each([
  [false, 'not-verified'],
  [true, 'fail'],
])(
  'a step that fails in a spelling is a finding if the check passes as written once more: %s',
  async (isSteady, verdict) => {
    const session = sessionOf(spellingsOf([capitals]), { requirements: new Map([['pki.example', { level: 'must' }]]) })
    let asWritten = 0
    const { outcome } = await judgedInSpellings(
      { topic: things, check: one, session },
      {
        hasDiffered: false,
        mayOverlap: true,
        async judged(varied) {
          const isPass = varied.length === 0 && (isSteady || ++asWritten === 1)
          return { outcome: isPass ? { verdict: 'pass' } : stuck, scope: scopeIn(varied) } as unknown as Judged
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
const stuckAt = (asked: string) => ({
  verdict: 'not-verified',
  blocker: { kind: 'given', code: 'step-refused', reason: 'answered 500', facts: { asked, answer: '500' } },
})
const [stuck, neverServed] = [stuckAt('POST thing/assay-a-2-x'), stuckAt('POST other/assay-a-2-x')]
const denied = { verdict: 'not-verified', blocker: { kind: 'permission', code: 'step-denied', reason: 'was denied' } }
const further = { id: 'companions', companions: [{ field: 'note', row: 'pki.note' }] } as unknown as Varied

test.each<[string, Varied, string | undefined, object, object, object]>([
  ['stands if a cluster kept its role', capitals, 'second', finding, inUse, finding],
  ['does not stand if a spelling may be why that is only a should', site, 'second', finding, inUse, inUse],
  ['does not stand if something else kept the check from the second round', capitals, undefined, finding, inUse, inUse],
  ['stands if the target refuses then what it served', capitals, undefined, unwritten, stuck, unwritten],
  ['does not stand if the target never served it', capitals, undefined, unwritten, neverServed, neverServed],
  ['stands if a read is refused, and then what was served', further, undefined, finding, stuck, finding],
  ['does not stand if a further field may be why a write is refused', further, undefined, unwritten, stuck, stuck],
  ['does not stand if a further field may be why a connection was cut', further, undefined, cut, stuck, stuck],
  ['does not stand if a spelling may be why, and the target is stuck', site, undefined, finding, stuck, stuck],
  ['does not stand if the target denies then what it served', capitals, undefined, finding, denied, denied],
])('a finding %s', async (_words, varied, lost, first, plain, expected) => {
  const session = sessionOf(spellingsOf([varied]), {
    requirements: new Map([[site.row, { level: 'should' }]]),
    waysBack: { lost },
  })
  const servedRequests = new ServedRequests()
  servedRequests.remember('thing/assay-a-1-x', post('thing/{x}'), {} as Scope)
  const found = await judgedInSpellings(
    { topic: things, check: one, session },
    {
      hasDiffered: false,
      mayOverlap: true,
      judged: async (some) =>
        ({
          outcome: some.length > 0 ? first : plain,
          scope: {
            ...scopeIn(some.filter((each) => each !== site)),
            spellings: { sent: some.filter((each) => each === site).map((each) => ({ site: each })) },
            servedRequests,
          },
        }) as unknown as Judged,
    },
  )
  expect(found.outcome).toBe(expected)
})
