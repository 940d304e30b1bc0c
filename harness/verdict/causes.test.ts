import { describe, expect, test } from 'vitest'
import { requirements } from '../../suites/index.ts'
import { checkResult } from '../commands/output/sample-results.test-bed.ts'
import {
  type Blocker,
  blockerOf,
  type CheckResult,
  type Mismatch,
  type RecordedExchange,
  type Requirement,
  type Verdict,
} from '../vocabulary/index.ts'
import { causesOf } from './causes.ts'

let made = 0
const finding = (mismatches: readonly Mismatch[], more: Partial<CheckResult> = {}): CheckResult => {
  const id = `check-${++made}`
  return {
    ...checkResult(id, 'fail'),
    requirements: [`policies.row-${id}`],
    mismatches: mismatches.map((mismatch, expectation) => ({ ...mismatch, expectation })),
    ...more,
  }
}
const status = (asked: string, saw: string, wanted = '2xx'): Mismatch => ({ asked, at: 'status', wanted, saw })
const field = (asked: string, at: string, wanted: string, saw: string): Mismatch => ({ asked, at, wanted, saw })

/** Returns a finding about `when`, which is seen in the reply to the last of these requests. */
function seen(
  row: string,
  when: string,
  mismatch: Mismatch,
  {
    body,
    given = [],
    verdict = 'fail' as Verdict,
  }: { body?: object; given?: readonly string[]; verdict?: Verdict } = {},
): CheckResult {
  const sent = (asked: string, phase: RecordedExchange['phase']): RecordedExchange => {
    const [method = '', path = ''] = asked.split(' ')
    const requestBody = body && method === 'POST' ? { requestBody: JSON.stringify(body) } : {}
    const url = `http://127.0.0.1:8200/v1/${path}`
    return { phase, method, url, requestHeaders: {}, ...requestBody, as: 'operator', attempts: [] }
  }
  const exchanges = [
    ...given.map((asked) => sent(asked, 'given')),
    sent(when, 'when'),
    ...(mismatch.asked === when ? [] : [sent(mismatch.asked, 'then')]),
    sent('DELETE sys/mounts/assay-0a1b2c3d-1-pki', 'undo'),
  ]
  const [area = ''] = row.split('.')
  const requirement = requirements.find(({ id }) => id === row)
  if (!requirement) throw new RangeError(`no row ${row}`)
  return {
    ...finding([{ ...mismatch, exchange: exchanges.length - 2 }]),
    ...{ verdict, area: area as CheckResult['area'], requirements: [row], exchanges },
  }
}

const paths = [...new Set(requirements.flatMap(({ requests = [] }) => requests.map((one) => one.replace(/^\S+ /, ''))))]
const causesIn = (checks: readonly CheckResult[]) => causesOf(checks, { requirements, paths })
const found = (checks: readonly CheckResult[]) =>
  causesIn(checks).map((cause) => [cause.request, cause.requirements, cause.checks.length])
const summaries = (checks: readonly CheckResult[], rows: readonly Requirement[] = []) =>
  causesOf(checks, { requirements: rows }).map(({ says, checks: ids }) => [says, ids.length])
const name = 'assay-0a1b2c3d-1-policy'

describe('causes', () => {
  test('name the sentence, where it is stated, and the request that acts and not the one that looked', () => {
    const check = seen(
      'policies.acl.delete.removes',
      `DELETE sys/policies/acl/${name}`,
      status(`GET sys/policies/acl/${name}`, '200', '404'),
    )
    const row = requirements.find(({ id }) => id === 'policies.acl.delete.removes')
    expect(causesIn([check])).toEqual([
      {
        verdict: 'fail',
        requirements: ['policies.acl.delete.removes'],
        sentence: row?.says,
        source: row?.source,
        request: 'DELETE sys/policies/acl/{name}',
        says: 'after `DELETE sys/policies/acl/{name}`, `GET sys/policies/acl/{name}` answers 200 and not 404',
        checks: [check.id],
      },
    ])
  })

  test('name no request that the provider stub received, although it comes after those of the target', () => {
    const mount = 'assay-0a1b2c3d-1-cloud'
    const check = seen(
      'cloud.static-role.rotates-after-failure',
      `GET ${mount}/static-creds/keeper`,
      field(`GET ${mount}/static-creds/keeper`, 'keys', 'a new one', 'the former'),
      { given: [`POST ${mount}/static-roles/keeper`, 'POST accounts/416761388086/faults'] },
    )
    const exchanges = check.exchanges.map((one) => ({
      ...one,
      ...(one.url.includes('faults') ? { to: 'provider' } : {}),
    }))
    expect(found([{ ...check, exchanges }]).map(([request]) => request)).toEqual(['POST {cloud}/static-roles/{name}'])
  })

  test('begin with the checks of the sentence that is told', () => {
    const mount = 'assay-0a1b2c3d-1-cloud'
    const asked = `GET ${mount}/static-creds/keeper`
    const finding = (row: string, id: string) => ({
      ...seen(row, `POST ${mount}/static-roles/keeper`, field(asked, 'keys', 'a new one', 'the former')),
      id,
    })
    const [cause, ...others] = causesIn([
      finding('cloud.static-role.rotates-after-failure', 'cloud/a'),
      finding('cloud.static-role.period-resets', 'cloud/b'),
      finding('cloud.static-role.period-resets', 'cloud/c'),
    ])
    expect(others).toEqual([])
    expect(cause).toMatchObject({
      requirements: ['cloud.static-role.period-resets', 'cloud.static-role.rotates-after-failure'],
      checks: ['cloud/b', 'cloud/c', 'cloud/a'],
    })
  })

  test('keep independent fields of one request apart', () => {
    const ofRole = requirements.filter(
      ({ requests, field: about }) => about !== undefined && requests?.includes('POST {cloud}/roles/:name'),
    )
    const twelve = [...new Map(ofRole.map((row) => [row.field, row])).values()].slice(0, 12)
    expect(twelve).toHaveLength(12)
    const role = 'assay-0a1b2c3d-1-cloud/roles/assay-0a1b2c3d-2-role'
    const refused = twelve.map(({ id }) =>
      seen(id, `POST ${role}`, status(`POST ${role}`, '204', '4xx or 5xx'), { body: { kind: 'iam_user' } }),
    )
    expect(found(refused)).toHaveLength(12)
    // A server that serves no such request at all breaks all of them by one fault.
    const unserved = twelve.map(({ id }) => seen(id, `POST ${role}`, status(`POST ${role}`, '405')))
    expect(found(unserved)).toHaveLength(1)
    const sameWords = twelve.map(({ id }) =>
      seen(id, `POST ${role}`, status(`POST ${role}`, '400 roles are read-only')),
    )
    expect(found(sameWords)).toHaveLength(1)
  })

  test('join the reply to a request and its effect', () => {
    const post = `POST sys/policies/rgp/${name}`
    const body = { policy: 'rule', enforcement_level: 'mandatory' }
    const stored = field(`GET sys/policies/rgp/${name}`, 'enforcement_level', 'one of three', '"mandatory"')
    expect(
      found([
        seen('policies.rgp.level.other-refused', post, status(post, '204', '4xx or 5xx'), { body, verdict: 'warn' }),
        seen('policies.rgp.level.closed', post, stored, { body }),
      ]),
    ).toEqual([['POST sys/policies/rgp/{name}', ['policies.rgp.level.closed', 'policies.rgp.level.other-refused'], 2]])
  })

  test('join several effects of one deletion, and no effects of different requests', () => {
    const gone = seen(
      'policies.acl.delete.removes',
      `DELETE sys/policies/acl/${name}`,
      status(`GET sys/policies/acl/${name}`, '200', '404'),
    )
    const acts = seen(
      'policies.acl.delete.acts-empty',
      `DELETE sys/policies/acl/${name}`,
      status('GET secret/x', '200', '403'),
    )
    const created = seen(
      'policies.acl.write.creates',
      `POST sys/policies/acl/${name}`,
      status(`GET sys/policies/acl/${name}`, '404'),
    )
    expect(found([gone, acts, created]).map(([request, , checks]) => [request, checks])).toEqual([
      ['DELETE sys/policies/acl/{name}', 2],
      ['POST sys/policies/acl/{name}', 1],
    ])
  })

  test.each([
    ['policies', ['acl', 'rgp', 'egp'], 'delete.removes', (kind: string) => `DELETE sys/policies/${kind}/${name}`],
    [
      'replication',
      ['dr', 'performance'],
      'demote.makes-secondary',
      (kind: string) => `POST sys/replication/${kind}/primary/demote`,
    ],
    [
      'mfa',
      ['legacy', 'identity'],
      'admin-destroy.removes',
      (kind: string) =>
        kind === 'legacy' ? `POST sys/mfa/method/${name}/admin-destroy` : 'POST identity/mfa/method/totp/admin-destroy',
    ],
  ])('join twins: %s', (area, kinds, local, when) => {
    const row = (kind: string): string =>
      `${area === 'policies' ? `policies.${kind}` : area === 'mfa' ? `mfa-${kind}` : `${kind}-replication`}.${local}`
    const checks = kinds.map((kind) => seen(row(kind), when(kind), field('GET x', 'state', 'gone', kind)))
    expect(found(checks)).toEqual([[expect.anything(), kinds.map(row), kinds.length]])
  })

  test('take the last write before the judged read, if the sentence is about no request', () => {
    const [role, issue] = ['POST assay-0a1b2c3d-1-pki/roles/assay-0a1b2c3d-2-role', 'GET assay-0a1b2c3d-1-pki/ca_chain']
    const check = seen('pki.ca-chain.of-root', issue, field(issue, 'body', 'one', 'none'), {
      given: ['POST sys/mounts/assay-0a1b2c3d-1-pki', role],
    })
    expect(causesIn([check])[0]?.request).toBe('POST {pki}/roles/{name}')
  })

  test('blame a read that is not served, whatever was written before', () => {
    const [post, read] = [`POST sys/policies/acl/${name}`, `GET sys/policies/acl/${name}`]
    const checks = [
      seen('policies.acl.write.creates', post, status(read, '405 unsupported operation')),
      seen('policies.acl.read.returns-named', read, status(read, '405 unsupported operation')),
      seen('policies.acl.delete.removes', `DELETE sys/policies/acl/${name}`, status(read, '405 unsupported operation')),
    ]
    expect(found(checks).map(([request, , count]) => [request, count])).toEqual([['GET sys/policies/acl/{name}', 3]])
  })

  test('replace throw-away names and ids by words', () => {
    const path = (n: number, role: string) => `POST assay-0a1b2c3d-${n}-pki/roles/assay-0a1b2c3d-${n}-${role}`
    const checks = [path(1, 'role'), path(2, 'role'), path(3, 'other')].map((asked) => finding([status(asked, '500')]))
    const id = 'GET identity/mfa/method/totp/0f8c3a1e-1111-4222-8333-444455556666'
    expect(summaries(checks)).toEqual([['`POST {pki}/roles/{role}` answers 500', 3]])
    expect(summaries([finding([status(id, '404')])])).toEqual([['`GET identity/mfa/method/totp/{id}` answers 404', 1]])
  })

  test('keep the engines of two areas apart, which may be mounted under any name', () => {
    const pki = finding([status('GET assay-0a1b2c3d-1-mount/roles/assay-0a1b2c3d-1-role', '500')], { area: 'pki' })
    const cloud = finding([status('GET assay-0a1b2c3d-2-mount/roles/assay-0a1b2c3d-2-role', '500')], { area: 'cloud' })
    expect(causesOf([pki, cloud])).toHaveLength(2)
  })

  test('say what was seen', () => {
    const checks = [
      finding([status('GET a', '405')]),
      finding([status('GET b', '200', '404')]),
      finding([status('GET c', '204', '4xx or 5xx')]),
      finding([field('GET d', 'ttl', '3600', '0')]),
      finding([field('GET e', 'ttl', '3600', '0'), field('GET e', 'max_ttl', '3600', '0')]),
    ]
    expect(summaries(checks).map(([says]) => says)).toEqual([
      '`GET a` answers 405',
      '`GET b` answers 200 and not 404',
      '`GET c` answers 204 and not 4xx or 5xx',
      '`GET d` differs from the documents in `ttl`: wanted 3600, saw 0',
      '`GET e` differs from the documents in `ttl`, `max_ttl`',
    ])
  })

  test('are sorted by verdict, and then by the number of findings', () => {
    const warned = [1, 2, 3].map(() => finding([status('GET w', '405')], { verdict: 'warn' }))
    const failed = [finding([status('GET a', '405')]), ...[1, 2].map(() => finding([status('GET b', '405')]))]
    expect(summaries([...warned, ...failed]).map(([says]) => says)).toEqual([
      '`GET b` answers 405',
      '`GET a` answers 405',
      '`GET w` answers 405',
    ])
  })

  test('group checks by their obstacle', () => {
    const blocked = (verdict: Verdict, reason: string, n: number): CheckResult => ({
      ...checkResult(`${verdict}-${n}`, verdict),
      blocker: { kind: 'given', reason, mend: 'see it' },
    })
    const causes = causesOf([
      blocked('not-verified', 'POST assay-*-pki/roles/assay-*-role answered 500', 1),
      blocked('not-verified', 'POST assay-*-pki/roles/assay-*-other answered 500', 2),
      blocked('not-applicable', 'POST assay-*-pki/roles/assay-*-other answered 500', 3),
    ])
    expect(causes).toMatchObject([
      { verdict: 'not-verified', says: '`POST {pki}/roles/{role}` answered 500', mend: 'see it', obstacle: 'given' },
      { verdict: 'not-applicable' },
    ])
    expect(causes[0]?.checks).toHaveLength(2)
  })

  test('tell a text by its words, and a throw-away name by what it stands for, not by the names of the suite', () => {
    const blocked = (n: number, names: Readonly<Record<string, string>>, reason: string): CheckResult => ({
      ...checkResult(`blocked-${n}`, 'not-verified'),
      blocker: { kind: 'given', code: 'not-as-prepared', reason, mend: 'see it' },
      names,
    })
    const causes = causesOf([
      blocked(1, { first: 'rule a' }, 'GET x: wanted policy the text `first`; saw ["assay-*-other"]'),
      blocked(2, { egpFirst: 'rule a' }, 'GET x: wanted policy the text `egpFirst`; saw ["assay-*-other"]'),
      blocked(3, { long: 'a'.repeat(4000) }, 'GET x: wanted policy the text `long`; saw none'),
    ])
    expect(causes.map(({ says, checks }) => [says, checks.length])).toEqual([
      ['`GET x`: wanted policy "rule a"; saw ["‹other›"]', 2],
      ['`GET x`: wanted policy a text of 4000 characters; saw none', 1],
    ])
  })

  test('group checks that rest on the same check, whatever they saw', () => {
    const resting = (n: number, see: string): CheckResult => ({
      ...checkResult(`resting-${n}`, 'not-verified'),
      blocker: { kind: 'rests-on', code: 'rests-on', reason: `GET x${n} showed user-${n}x`, mend: `see ${see}` },
    })
    const causes = causesOf([resting(1, 'names'), resting(2, 'names'), resting(3, 'lengths')])
    expect(causes.map(({ checks, mend }) => [mend, checks.length])).toEqual([
      ['see names', 2],
      ['see lengths', 1],
    ])
  })

  test('group obstacles with the same remedy, and separate those whose requests have to be looked at one by one', () => {
    let n = 0
    const blocked = (blocker: Blocker): CheckResult => ({ ...checkResult(`blocked-${++n}`, 'not-verified'), blocker })
    const denied = ['POST a', 'POST a', 'GET b', 'LIST c', 'PUT d'].map((asked) =>
      blocked(blockerOf('step-denied', { asked, answer: '403' })),
    )
    const refused = ['POST a', 'GET b'].map((asked) => blocked(blockerOf('step-refused', { asked, answer: '500' })))
    const causes = causesOf([...denied, ...refused])
    expect(causes.map(({ says, code, checks }) => [says, code, checks.length])).toEqual([
      ['`POST a` was denied (403); `GET b` was denied (403); and 2 more like these', 'step-denied', 5],
      ['`POST a` answered 500', 'step-refused', 1],
      ['`GET b` answered 500', 'step-refused', 1],
    ])
    expect(causes[0]?.mend).toMatch(/assay plan --policy/)
  })

  test('contain each finding exactly once, and nothing else', () => {
    const verdicts = ['pass', 'fail', 'warn', 'error', 'not-verified', 'not-applicable', 'accepted'] as const
    const checks = Array.from({ length: 140 }, (_, n) =>
      finding([status(`GET x${n % 5}`, '405'), field(`GET y${n % 3}`, 'ttl', '1', '2')], {
        verdict: verdicts[n % verdicts.length] ?? 'pass',
        requirements: [`policies.row-${n % 4}`],
      }),
    )
    const below = causesOf(checks).flatMap((cause) => cause.checks)
    const explained = checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'accepted')
    expect(below.toSorted()).toEqual(explained.map(({ id }) => id).toSorted())
  })
})
