import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkResult, sampleResult } from '../commands/output/sample-results.test-bed.ts'
import { blocksOf, pageAt } from '../pages.test-bed.ts'
import type { AcceptedEntry, CheckResult, FoundMismatch } from '../vocabulary/index.ts'
import { loadAccepted, loadKnown, unmetKnown } from './accepted-file.ts'
import { applyAccepted, unaccepted } from './apply.ts'
import { knownListsOf, nearestKnown } from './known.ts'
import { observedOf } from './observed.ts'
import { skeletonOf } from './skeleton.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-accepted-'))
afterAll(() => rmSync(folder, { recursive: true }))

const catalog = ['policies/errors/a', 'policies/errors/b', 'policies/errors/c', 'pki/errors/x']
const today = '2026-01-31'
const known = {
  match: (glob: string) => ({
    addresses: catalog.filter((id) => id === glob || (glob.endsWith('*') && id.startsWith(glob.slice(0, -1)))),
    near: ['policies/errors/a'],
  }),
  selected: new Set(catalog.slice(0, 3)),
  today,
}

function load(text: string) {
  const file = join(folder, 'known.yaml')
  writeFileSync(file, text)
  return loadAccepted(file, {}, known)
}

const mismatch: FoundMismatch = {
  asked: 'POST sys/policies/acl/assay-k3v9q2-17-policy',
  at: 'status',
  wanted: 'a refusal (4xx or 5xx)',
  saw: '204',
  expectation: 0,
}
const failed = (id: string, more: Partial<FoundMismatch> = {}): CheckResult => ({
  ...checkResult(id, 'fail'),
  mismatches: [{ ...mismatch, ...more }],
})
const open = (id: string, reason: string): CheckResult => ({
  ...checkResult(id, 'not-verified'),
  blocker: { kind: 'need', reason, mend: 'describe clusters in the profile' },
})
const print = (check: CheckResult) => observedOf(check) ?? 'none'
const observed = print(failed('a'))
const entry = `- check: policies/errors/a
  reason: the proxy fills it in
  owner: team-proxy
  until: 2026-02-28
  observed: ${observed}
`

describe('the fingerprint of a finding', () => {
  test.each<[string, Partial<FoundMismatch>]>([
    ['another throw-away name', { asked: 'POST sys/policies/acl/assay-zz81aa-3-policy' }],
  ])('is the same in another run: %s', (_, more) => {
    expect(print(failed('a', more))).toBe(observed)
  })

  test.each<[string, string, string]>([
    ['an id', '"1c9d5e7a-5d5f-4a8e-9a5c-0d1f2e3a4b5c"', '"9c9d5e7a-5d5f-4a8e-9a5c-0d1f2e3a4b5c"'],
    ['a time', '2026-01-01T00:00:00Z', '2026-02-03T11:22:33.456Z'],
    ['the remaining time of a lease', '2764799', '2764785'],
    ['the items of a list', '["default"]', '["default","more"]'],
    ['a certificate', '-----BEGIN X-----\nabc\n-----END X-----', '-----BEGIN X-----\nxyz\n-----END X-----'],
  ])('does not depend on %s', (_, one, other) => {
    expect(print(failed('a', { saw: one }))).toBe(print(failed('a', { saw: other })))
  })

  test.each<[string, Partial<FoundMismatch>]>([
    ['another status', { saw: '500' }],
    ['another field', { at: '/data/name' }],
    ['another request', { asked: 'GET sys/policies/acl/assay-k3v9q2-17-policy' }],
    ['a list and not a status', { saw: '["default"]' }],
    ['an empty list', { saw: '[]' }],
  ])('is different for %s', (_, more) => {
    expect(print(failed('a', more))).not.toBe(observed)
  })

  test('contains the kind of the blocker, and differs by its reason', () => {
    const one = print(open('a', 'the profile does not provide clusters'))
    expect(one).toMatch(/^need:[0-9a-f]{12}$/)
    expect(print(open('b', 'the profile does not provide clusters'))).toBe(one)
    expect(print(open('a', 'the profile does not provide key-shares'))).not.toBe(one)
    expect(observedOf(checkResult('a', 'pass'))).toBeUndefined()
  })
})

describe('a list of accepted findings', () => {
  test('gives the findings that it lists the verdict "accepted", and records their original verdict', () => {
    const results = [failed('a'), checkResult('b', 'pass'), failed('c')]
    const applied = applyAccepted(results, load(entry), { today })
    expect(applied.outdated).toEqual([])
    expect(applied.results.map(({ verdict }) => verdict)).toEqual(['accepted', 'pass', 'fail'])
    expect(applied.results[0]).toMatchObject({
      accepted: { was: 'fail', at: `${join(folder, 'known.yaml')}:1:3`, owner: 'team-proxy', until: '2026-02-28' },
      mismatches: [mismatch],
    })
    expect(unaccepted(applied.results)).toEqual(results)
  })

  test('can list several checks with the same finding in one entry', () => {
    const reason = 'the profile does not provide clusters'
    const list = `- check: [policies/errors/b, policies/errors/c]\n  verdict: not-verified\n  reason: one cluster only\n  issue: OPS-1\n  until: 2026-02-28\n  observed: ${print(open('b', reason))}\n`
    const applied = applyAccepted([open('b', reason), open('c', reason)], load(list), { today })
    expect(applied.results.map(({ accepted }) => accepted?.was)).toEqual(['not-verified', 'not-verified'])
    expect(applied.outdated).toEqual([])
  })

  test.each<[string, CheckResult[], string]>([
    ['passes', [checkResult('a', 'pass')], 'policies/errors/a is pass and not fail: remove it from the list'],
    [
      'fails differently',
      [failed('a', { saw: '500' })],
      'policies/errors/a is failing, but in another way than accepted (fail:',
    ],
    ['is not applicable', [checkResult('a', 'not-applicable')], 'is not applicable to this target'],
    ['was not run', [], 'none of these checks was run'],
  ])('is outdated if it lists a check that %s', (_, results, words) => {
    const { outdated, results: after } = applyAccepted(results, load(entry), { today })
    expect(after).toEqual(results)
    expect(outdated).toHaveLength(1)
    expect(outdated[0]).toContain(`known.yaml:1:3: `)
    expect(outdated[0]).toContain(words)
  })

  test('is not outdated in a shard without the check, nor in a run that was stopped before the check', () => {
    expect(applyAccepted([], load(entry), { today, isShard: true }).outdated).toEqual([])
    const stopped = (['interrupted', 'time'] as const).map((kind): CheckResult => {
      return { ...checkResult('a', 'not-verified'), blocker: { kind, reason: 'stopped' } }
    })
    for (const result of stopped) expect(applyAccepted([result], load(entry), { today }).outdated).toEqual([])
  })

  test.each([
    ['2026-02-28', 'accepted', 0],
    ['2026-03-01', 'fail', 1],
  ])('is valid until the end of its last day: on %s the check is %s', (day, verdict, outdated) => {
    const applied = applyAccepted([failed('a')], load(entry), { today: day })
    expect(applied.results[0]?.verdict).toBe(verdict)
    expect(applied.outdated.length).toBe(outdated)
  })

  const without = (key: string) => entry.replace(new RegExp(`^ {2}${key}: .*\n`, 'm'), '')
  const filled = (key: string, value: string) =>
    entry.replace(new RegExp(`^(.{2})${key}: .*`, 'm'), `$1${key}: ${value}`)
  test.each([
    [filled('check', 'polcies/x'), 'known.yaml:1:10: "polcies/x" matches no check; did you mean "policies/errors/a"?'],
    [filled('check', 'pki/errors/x'), 'known.yaml:1:10: this run selects none of these checks'],
    [without('reason'), 'known.yaml:1:3: "reason" of entry 1 is missing: add it'],
    [filled('reason', '""'), 'known.yaml:2:11: "reason" of entry 1 is invalid: expected a sentence that says why'],
    [filled('owner', '" "'), '"owner" of entry 1 is invalid: expected the name of who is responsible'],
    [without('owner'), 'known.yaml:1:3: nobody is responsible for this entry: add "owner" or "issue"'],
    [without('until'), '"until" of entry 1 is missing'],
    [filled('until', '2026-01-30'), 'known.yaml:4:10: the entry expired on 2026-01-30: fix the target, or renew it'],
    [filled('until', '2026-13-01'), '2026-13-01 is not a valid date: correct it'],
    [filled('until', 'soon'), '"until" of entry 1 is invalid: expected the last day on which the entry is valid'],
    [without('observed'), 'let "npx assay accept --from assay-report/result.json --out accepted.yaml" write it'],
    [filled('observed', 'anything'), '"observed" of entry 1 is invalid: expected one or more fingerprints, as'],
    [`${entry}  untl: 2026-01-01`, 'unknown key "untl"; did you mean "until"?'],
    [
      `${entry}${entry.replace('errors/a', 'errors/*')}`,
      'known.yaml:6:10: overlaps ' +
        join(folder, 'known.yaml') +
        ':1:3: both accept policies/errors/a; remove one of them',
    ],
  ])('is refused: %j', (text, fault) => {
    expect(() => load(text)).toThrow(fault)
  })
})

test('the example list in harness/gate.md is valid', () => {
  const shown = blocksOf(pageAt('harness/gate.md'), 'yaml').find((block) => block.startsWith('# accepted.yaml')) ?? ''
  const file = join(folder, 'shown.yaml')
  writeFileSync(file, shown)
  const [id = ''] = /policies\/[\w/-]+/.exec(shown) ?? []
  const read = loadAccepted(file, {}, { match: () => ({ addresses: [id], near: [] }), selected: new Set([id]), today })
  expect(read).toMatchObject([{ verdict: 'fail', issue: 'OPS-1234', until: '2027-06-30' }])
})

describe('the skeleton of a list', () => {
  const reason = 'the profile does not provide clusters'
  const stopped: CheckResult = {
    ...checkResult('x', 'not-verified'),
    blocker: { kind: 'interrupted', reason: 'the run was interrupted' },
  }
  const results = [failed('a', { saw: 'x\n- check: evil' }), open('b', reason), open('c', reason), stopped]
  const { text, entries: listed } = skeletonOf(
    sampleResult({ checks: [...results, checkResult('d', 'pass')] }),
    new Date('2026-01-31'),
  )

  test('lists every finding once, with its fingerprint', () => {
    expect(text).toContain(
      '- check: policies/errors/a\n  verdict: fail\n  reason: ""\n  owner: ""\n  until: 2026-05-01\n',
    )
    expect(text).toContain('- policies/errors/b\n    - policies/errors/c\n  verdict: not-verified')
    expect(text).toMatch(/observed: need:[0-9a-f]{12} # the profile does not provide clusters\n/)
    expect(listed).toBe(2)
    expect(text).not.toContain('errors/x')
    expect(text).not.toMatch(/^- check: evil/m)
  })

  test('is invalid until it is filled in, and then accepts the findings that it was made from', () => {
    expect(() => load(text)).toThrow('expected a sentence that says why this is accepted')
    const full = text.replaceAll('reason: ""', 'reason: known').replaceAll('owner: ""', 'owner: me')
    const entries: readonly AcceptedEntry[] = load(full)
    const applied = applyAccepted(results.slice(0, 3), entries, { today })
    expect(applied.results.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'accepted'])
    expect(applied.outdated).toEqual([])
  })
})

describe('a known deviation of a product', () => {
  const product = join(folder, 'some-1.0')
  mkdirSync(product)
  writeFileSync(
    join(product, 'known.yaml'),
    `product: Some\nversions: 1.0.x\ndeviations:\n- check: policies/errors/a\n  verdict: fail\n  reason: it is so\n  observed: ${observed}\n`,
  )
  const entries = loadKnown(knownListsOf(folder, 'some-1.0')[0], known.match)

  test('is accepted without an expiry date, with the product as owner', () => {
    const { results, outdated } = applyAccepted([failed('a')], entries, { today })
    expect(results).toMatchObject([
      { verdict: 'accepted', accepted: { owner: 'some-1.0', at: 'some-1.0/known.yaml:4:3' } },
    ])
    expect(outdated).toEqual([])
    expect(unmetKnown(results, entries)).toEqual([])
  })

  test('is not outdated if it does not occur, and the report notes it', () => {
    const { results, outdated } = applyAccepted([checkResult('a', 'pass')], entries, { today })
    expect(outdated).toEqual([])
    expect(unmetKnown(results, entries)).toMatchObject([
      { severity: 'note', text: 'policies/errors/a fails in the published result of some-1.0, but passes here' },
    ])
  })

  test('is not accepted if the failure differs from the published one', () => {
    expect(applyAccepted([failed('a', { saw: '500' })], entries, { today }).results[0]?.verdict).toBe('fail')
  })

  test('is looked up by the name of a published product', () => {
    expect(() => knownListsOf(folder, 'some-1.1')).toThrow(
      'no known deviations of "some-1.1" are published; did you mean "some-1.0"?',
    )
  })

  test.each([
    ['1.0.7', 'some-1.0', 'which is for Some 1.0.x, as the target is 1.0.7'],
    ['v1.2.0+ent', 'some-1.2', 'which is for Some 1.2.x, as the target is v1.2.0+ent'],
    ['1.1.5', 'some-1.0', 'the nearest, for Some 1.0.x: the target is 1.1.5'],
    ['1.10.0', 'some-1.2', 'the nearest, for Some 1.2.x: the target is 1.10.0'],
    ['0.9.0', 'some-1.0', 'the nearest, for Some 1.0.x: the target is 0.9.0'],
    [undefined, 'some-1.2', 'the newest, since the target does not say which version of Some it is'],
  ])('without a version is that for the target: %s', (version, name, why) => {
    mkdirSync(join(folder, 'some-1.2'), { recursive: true })
    writeFileSync(join(folder, 'some-1.2', 'known.yaml'), 'product: Some\nversions: 1.2.x\ndeviations: []\n')
    const lists = knownListsOf(folder, 'some')
    expect(nearestKnown(lists, { product: 'some', ...(version ? { version } : {}) })).toMatchObject({
      list: { name },
      why,
    })
    const ofOther = 'for another product: the target says that it is Other'
    const other = { list: { name: 'some-1.2' }, why: ofOther, isOfOther: true }
    expect(nearestKnown(lists, { product: 'Other', version: '1.0.1' })).toMatchObject(other)
  })
})

test('the list of a product that is given to --accept is pointed to its own flag', () => {
  const file = resolve(import.meta.dirname, '../../reports/published/openbao-2.6/known.yaml')
  const match = () => ({ addresses: [], near: [] })
  expect(() => loadAccepted(file, {}, { match, selected: new Set(), today: '2026-01-01' })).toThrow(
    'pass "--known openbao-2.6" instead of --accept',
  )
})
