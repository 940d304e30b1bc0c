/** Makes exchanges, mismatches and blockers for the sample documents. */
import type { Faker } from '@faker-js/faker'
import type {
  Area,
  Blocker,
  FoundMismatch,
  RecordedAttempt,
  RecordedExchange,
  Verdict,
} from '../../../harness/vocabulary/index.ts'
import { hostileText } from './text.ts'

const base = 'https://secrets.staging.example:8200/v1'

interface Story {
  readonly area: Area
  readonly subject: string
  readonly verdict: Verdict
  readonly hostile: boolean
  readonly at: number
}

const policyText =
  'path "secret/data/team/*" {\n  capabilities = ["create", "read", "update", "delete", "list"]\n}\n\npath "secret/metadata/*" {\n  capabilities = ["list"]\n}\n'

export function sampleExchanges(faker: Faker, story: Story): RecordedExchange[] {
  const name = `assay-k3v9q2-${story.at}-policy`
  const path = `sys/policies/${story.subject}/${name}`
  const token = envelope(faker, {
    auth: {
      client_token: '[redacted:token]',
      accessor: faker.string.alphanumeric(24),
      policies: ['default', name],
      token_policies: ['default', name],
      metadata: null,
      lease_duration: 2_764_800,
      renewable: true,
      entity_id: faker.string.uuid(),
      token_type: 'service',
      orphan: false,
    },
  })
  const refused = story.verdict === 'not-verified'
  const seen = story.hostile && story.at % 4 === 0 ? hostileText : policyText.replace('"delete", ', '')
  const readBody =
    story.hostile && story.at % 40 === 0
      ? `${hostileText}${'A'.repeat(200_000)}`
      : envelope(faker, { data: { name, policy: story.verdict === 'pass' ? policyText : seen } })
  return [
    exchange(faker, 'given', 'POST', 'auth/token/create', 200, token, {
      body: JSON.stringify({ policies: [name], ttl: '10m', no_parent: true }),
      words: 'a token with the policy exists',
    }),
    exchange(faker, 'given', 'POST', path, refused ? 403 : 204, refused ? '{"errors":["permission denied"]}' : '', {
      body: JSON.stringify({ policy: policyText, ...(story.hostile ? { note: hostileText } : {}) }),
      words: `a ${story.subject} of that name exists`,
    }),
    ...(refused
      ? []
      : [
          exchange(
            faker,
            'before',
            'LIST',
            `sys/policies/${story.subject}`,
            200,
            envelope(faker, { data: { keys: [name] } }),
            { retried: story.at % 10 === 0 },
          ),
          exchange(faker, 'when', 'GET', path, 200, readBody, { as: 'reader', words: 'the policy is read' }),
          exchange(faker, 'control', 'GET', path, 200, envelope(faker, { data: { name, policy: policyText } }), {}),
        ]),
    exchange(faker, 'undo', 'DELETE', path, 204, '', {}),
    exchange(faker, 'undo', 'POST', 'auth/token/revoke-accessor', 204, '', {
      body: JSON.stringify({ accessor: faker.string.alphanumeric(24) }),
    }),
  ]
}

export function sampleProbe(hostile: boolean): RecordedExchange[] {
  const attempt: RecordedAttempt = {
    sentAt: '2026-11-20T09:30:00.020Z',
    durationMs: 3.4,
    status: 200,
    responseHeaders: { 'content-type': 'application/json', server: hostile ? hostileText : 'reference' },
    responseBody:
      '{"initialized":true,"sealed":false,"standby":false,"version":"1.14.1","cluster_name":"vault-cluster-1"}',
    responseEncoding: 'utf8',
    responseBytes: 103,
  }
  return [
    {
      phase: 'probe',
      words: 'the server says who it is',
      method: 'GET',
      url: `${base}/sys/health`,
      requestHeaders: { accept: 'application/json' },
      as: 'nobody',
      attempts: [attempt],
    },
  ]
}

export function sampleMismatch(exchanges: readonly RecordedExchange[], hostile: boolean): FoundMismatch[] {
  const at = exchanges.findIndex((one) => one.phase === 'when')
  const asked = exchanges[at]
  return [
    {
      expectation: 1,
      ...(asked ? { exchange: at } : {}),
      asked: asked ? `${asked.method} ${asked.url.slice(base.length + 1)}` : 'GET sys/policies/acl/x',
      at: '/data/policy',
      wanted: policyText,
      saw: hostile ? hostileText : policyText.replace('"delete", ', ''),
    },
  ]
}

export function sampleBlocker(faker: Faker, verdict: Verdict): Blocker | undefined {
  if (verdict === 'not-applicable')
    return faker.helpers.arrayElement([
      {
        kind: 'edition',
        reason: 'Holds for premium; the target is community (profile).',
        mend: 'Run against a premium server.',
      },
      { kind: 'version', reason: 'Holds before 0.9; the target is 1.14.0 (sys/health).' },
    ] as const)
  if (verdict === 'not-verified')
    return faker.helpers.arrayElement([
      {
        kind: 'permission',
        reason: 'The token may not update sys/policies/egp/*: 403.',
        mend: 'Give the token the policy that `assay plan --policy` prints.',
      },
      { kind: 'need', reason: 'Needs a second cluster.', mend: 'Declare `clusters` in the profile.' },
      {
        kind: 'safety',
        reason: 'Disruptive, and the ceiling is scoped.',
        mend: 'Run with --safety disruptive on a spare cluster.',
      },
    ] as const)
  if (verdict === 'error')
    return {
      kind: 'transport',
      reason: 'The connection was reset after 3 attempts.',
      mend: 'Look at the proxy before the target.',
    }
  return undefined
}

interface More {
  readonly body?: string
  readonly words?: string
  readonly as?: string
  readonly retried?: boolean
}

function exchange(
  faker: Faker,
  phase: RecordedExchange['phase'],
  method: string,
  path: string,
  status: number,
  body: string,
  more: More,
): RecordedExchange {
  const sentAt = '2026-11-20T09:30:01.120Z'
  const answered: RecordedAttempt = {
    sentAt,
    durationMs: faker.number.float({ min: 0.4, max: 9, fractionDigits: 2 }),
    status,
    responseHeaders: {
      'cache-control': 'no-store',
      'content-type': 'application/json',
      date: 'Fri, 20 Nov 2026 09:30:01 GMT',
      ...(body ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    },
    ...(body ? { responseBody: body, responseEncoding: 'utf8' as const } : {}),
    responseBytes: Buffer.byteLength(body),
  }
  const busy: RecordedAttempt = {
    sentAt,
    durationMs: 1.1,
    status: 503,
    responseHeaders: { 'retry-after': '1' },
    responseBody: '{"errors":["the node is starting"]}',
    responseEncoding: 'utf8',
    responseBytes: 35,
  }
  const lost: RecordedAttempt = {
    sentAt,
    durationMs: 30,
    trouble: 'The connection was closed before a reply (ECONNRESET).',
  }
  return {
    phase,
    ...(more.words ? { words: more.words } : {}),
    method,
    url: `${base}/${path}`,
    requestHeaders: {
      accept: 'application/json',
      'x-vault-token': '[redacted:token]',
      'user-agent': 'assay/0.1.0',
      ...(more.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(more.body ? { requestBody: more.body } : {}),
    as: more.as ?? 'operator',
    attempts: more.retried ? [lost, busy, answered] : [answered],
  }
}

function envelope(faker: Faker, parts: Record<string, unknown>): string {
  return JSON.stringify({
    request_id: faker.string.uuid(),
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data: null,
    wrap_info: null,
    warnings: null,
    auth: null,
    ...parts,
  })
}
