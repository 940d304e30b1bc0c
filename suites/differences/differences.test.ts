import { describe, expect, test } from 'vitest'
import type { Json, WireAnswer, WireSent } from '../../harness/vocabulary/index.ts'
import { variationOf } from '../../mock-server/kernel/variation.ts'
import { differences } from './index.ts'

const sent = (method: string, place: string, more: Partial<WireSent> = {}): WireSent => ({
  ...{ method, path: `/v1/${place}`, query: {}, headers: {} },
  ...more,
})
const answered = (status: number, json?: Json): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json', date: 'now' },
  body: Buffer.from(json === undefined ? '' : JSON.stringify(json)),
})

/** Sends several requests to the difference. Returns the replies in order, as `status body`, the requests that reached
 * the target, and the waits in ms. */
async function played(id: string, requests: readonly WireSent[], answer: WireAnswer) {
  const difference = differences.find((one) => one.id === id)
  if (!difference?.open) throw new Error(`${id} is not played on the wire`)
  const waits: number[] = []
  const reached: WireSent[] = []
  const server = difference.open({ now: () => 5000, wait: async (ms) => void waits.push(ms) })
  const replies: WireAnswer[] = []
  for (const request of requests)
    replies.push(
      await server(request, async (one) => {
        reached.push(one)
        return answer
      }),
    )
  const got = replies.map(({ status, body }) => `${status} ${Buffer.from(body)}`.trim())
  return { got, replies, reached, waits }
}

const role = sent('GET', 'assay-1-pki/roles/r')
const write = sent('POST', 'sys/policies/acl/p')
const list = sent('LIST', 'sys/policies/acl')
const attempt = sent('POST', 'sys/replication/dr/secondary/generate-operation-token/attempt')

const pageText = (status: number): string =>
  `<html><head><title>${status}</title></head><body><center>nginx</center></body></html>`

/** By the id of each difference: a request, a reply, and the changed reply. */
const examples: Readonly<Record<string, readonly [WireSent, WireAnswer, string]>> = {
  'older-policy-path-unserved': [sent('POST', 'sys/policy/p'), answered(204), '404 {"errors":["refused"]}'],
  'methods-defined-once': [sent('POST', 'sys/mfa/method/totp/m'), answered(204), '204'],
  'methods-with-secrets-kept': [sent('DELETE', 'sys/mfa/method/totp/m'), answered(204), '204'],
  'narrow-bounds-of-methods': [
    { ...sent('POST', 'sys/mfa/method/totp/m'), body: '{"period":"90s"}' },
    answered(204),
    '400 {"errors":["refused"]}',
  ],
  'names-of-policies-shared': [write, answered(204), '204'],
  'names-of-missing-policies-dropped': [write, answered(204), '204'],
  'tokens-with-missing-policies-refused': [
    sent('POST', 'auth/token/create', { body: '{"policies":["p"]}' }),
    answered(200),
    '400 {"errors":["refused"]}',
  ],
  'long-policies-refused': [
    sent('POST', 'sys/policies/acl/p', { body: 'x'.repeat(4097) }),
    answered(204),
    '400 {"errors":["refused"]}',
  ],
  'policies-read-by-operators-alone': [sent('GET', 'sys/policies/acl/p'), answered(200), '200'],
  'plugins-registered-under-their-type-alone': [
    sent('POST', 'sys/plugins/catalog/auth/p'),
    answered(204),
    '400 {"errors":["refused"]}',
  ],
  'method-ids-in-a-sentence': [
    sent('POST', 'identity/mfa/method/totp'),
    answered(200, { data: { method_id: 'x' } }),
    '200 {"data":{"said":"made the method x"}}',
  ],
  'methods-made-below-their-ids-only': [
    sent('POST', 'identity/mfa/method/totp'),
    answered(200),
    '400 {"errors":["refused"]}',
  ],
  'paths-of-egps-as-names': [
    sent('LIST', 'sys/policies/egp'),
    answered(200, { data: { name_path_map: { p: [{ path: 'a*' }] } } }),
    '200 {"data":{"name_path_map":{"p":{"a*":{"is_glob":true}}}}}',
  ],
  'paths-of-egps-in-pairs': [
    sent('LIST', 'sys/policies/egp'),
    answered(200, { data: { name_path_map: { p: ['a*', 'b'] } } }),
    '200 {"data":{"name_path_map":{"p":[["a*",true],["b",false]]}}}',
  ],
  'success-200': [write, answered(204), '200'],
  'success-201': [write, answered(200, { data: { a: 1 } }), '201 {"data":{"a":1}}'],
  'success-202': [write, answered(204), '202'],
  'success-204': [write, answered(200, { request_id: 'x', data: null }), '204'],
  'refusals-400': [write, answered(403, { errors: ['x'] }), '400 {"errors":["x"]}'],
  'refusals-403': [write, answered(400), '403'],
  'refusals-405': [role, answered(400), '405'],
  'refusals-409': [write, answered(400), '409'],
  'refusals-422': [write, answered(400), '422'],
  'refusals-500': [write, answered(400), '500'],
  'refusals-501': [write, answered(400), '501'],
  'refusals-without-body': [write, answered(400, { errors: ['x'] }), '400'],
  'envelope-nested': [role, answered(200, { data: { a: 1 } }), '200 {"data":{"data":{"a":1}}}'],
  'envelope-renamed': [role, answered(200, { auth: null, data: { a: 1 } }), '200 {"result":{"a":1}}'],
  'envelope-data-only': [role, answered(200, { request_id: 'x', data: { a: 1 } }), '200 {"data":{"a":1}}'],
  'envelope-top-level': [role, answered(200, { request_id: 'x', auth: null, data: { a: 1 } }), '200 {"a":1}'],
  'envelope-both': [role, answered(200, { data: { a: 1 } }), '200 {"a":1,"data":{"a":1}}'],
  ...Object.fromEntries(
    [400, 403, 404, 405, 501].map((status) => [
      `gateway-refuses-list-${status}`,
      [list, answered(200), `${status} ${pageText(status)}`] as const,
    ]),
  ),
  'gateway-turns-list-into-get': [list, answered(200), '200'],
  'gateway-replaces-refusals-by-successes': [role, answered(404, { errors: [] }), `200 ${pageText(200)}`],
  'gateway-limits-bodies': [{ ...write, body: 'x'.repeat(8193) }, answered(204), `413 ${pageText(413)}`],
  'gateway-strips-headers': [role, answered(200, {}), '200 {}'],
  'gateway-rewrites-host': [role, answered(200, {}), '200 {}'],
  'gateway-replaces-refusals': [role, answered(404, { errors: [] }), `404 ${pageText(404)}`],
  'list-by-list-only': [sent('GET', 'x', { query: { list: 'true' } }), answered(200), '400 {"errors":["refused"]}'],
  'list-keys-as-map': [list, answered(200, { data: { keys: ['a'] } }), '200 {"data":{"keys":{"a":{}}}}'],
  'list-keys-as-records': [list, answered(200, { data: { keys: ['a'] } }), '200 {"data":{"keys":[{"name":"a"}]}}'],
  'arrays-refused': [
    sent('POST', 'assay-1-pki/roles/r', { body: '{"allowed_domains":["a"]}' }),
    answered(204),
    '400 {"errors":["refused"]}',
  ],
  'another-product': [
    sent('GET', 'sys/health'),
    answered(200, { version: '1.2.3', reference: {} }),
    '200 {"version":"0.5.2"}',
  ],
  'another-version-scheme': [sent('GET', 'sys', { query: { help: '1' } }), answered(200), '404 {"errors":["refused"]}'],
  'lists-as-strings': [role, answered(200, { data: { a: ['b', 'c'], d: [] } }), '200 {"data":{"a":"b,c","d":[]}}'],
  'numbers-as-strings': [role, answered(200, { data: { a: 1, b: { c: 2 } } }), '200 {"data":{"a":"1","b":{"c":"2"}}}'],
  'booleans-as-strings': [role, answered(200, { data: { a: true, b: 1 } }), '200 {"data":{"a":"true","b":1}}'],
  'durations-with-units': [role, answered(200, { data: { ttl: 60, a: 1 } }), '200 {"data":{"ttl":"60s","a":1}}'],
  'times-with-an-offset': [
    role,
    answered(200, { data: { at: '2026-01-01T23:00:00Z' } }),
    '200 {"data":{"at":"2026-01-02T01:00:00.000+02:00"}}',
  ],
  'refusals-with-records': [
    role,
    answered(400, { errors: ['no'] }),
    '400 {"errors":[{"code":"refused","message":"no"}]}',
  ],
  'writes-echoed': [
    sent('POST', 'assay-1-pki/roles/r', { body: '{"ttl":"1h","secret_key":"x"}' }),
    answered(204),
    '200 {"data":{"ttl":"1h"}}',
  ],
  'empty-as-null': [role, answered(200, { data: { a: '', b: [], c: 0 } }), '200 {"data":{"a":null,"b":null,"c":0}}'],
  'empty-left-out': [role, answered(200, { data: { a: '', b: null, c: 0 } }), '200 {"data":{"c":0}}'],
  'null-as-empty': [role, answered(200, { data: { a: null, c: 0 } }), '200 {"data":{"a":"","c":0}}'],
  'serials-without-separators': [
    role,
    answered(200, { data: { serial_number: '0a:bc:00:11:22:33:44:ff' } }),
    '200 {"data":{"serial_number":"0abc0011223344ff"}}',
  ],
  'serials-in-upper-case': [
    role,
    answered(200, { data: { serial_number: '0a:bc:00:11:22:33:44:ff' } }),
    '200 {"data":{"serial_number":"0A:BC:00:11:22:33:44:FF"}}',
  ],
  'ticking-fields': [
    role,
    answered(200, { data: {} }),
    '200 {"served_ms":5000,"served_s":5,"replies":1,"uptime_seconds":0.1,"data":{}}',
  ],
  'ticking-fields-in-data': [
    sent('GET', 'sys/policies/acl/p'),
    answered(200, { data: { policy: '' } }),
    '200 {"data":{"served_ms":5000,"served_s":5,"replies":1,"uptime_seconds":0.1,"policy":""}}',
  ],
  warnings: [
    role,
    answered(200, { request_id: 'x', warnings: null }),
    '200 {"request_id":"x","warnings":["this server warns of everything"]}',
  ],
  'pem-with-crlf': [
    role,
    answered(200, { ca: '-----BEGIN X-----\nAA\n-----END X-----' }),
    '200 {"ca":"-----BEGIN X-----\\r\\nAA\\r\\n-----END X-----"}',
  ],
  'pem-with-preamble': [
    role,
    answered(200, { ca: '-----BEGIN X-----\nAA\n-----END X-----' }),
    '200 {"ca":"subject=example\\nissuer=example\\n-----BEGIN X-----\\nAA\\n-----END X-----"}',
  ],
  'open-fields-hidden': [
    sent('GET', 'sys/policies/acl/p'),
    answered(200, { data: { name: 'p', policy: 'x', more: 1 } }),
    '200 {"data":{"policy":"x","more":1}}',
  ],
  'unnamed-fields-hidden': [
    sent('GET', 'sys/policies/acl/p'),
    answered(200, { more: 1, data: { name: 'p', policy: 'x', more: 1 } }),
    '200 {"data":{"name":"p","policy":"x"}}',
  ],
  'unstated-fields-hidden': [
    sent('GET', 'sys/policies/acl/p'),
    answered(200, { data: { name: 'p', policy: 'x', more: 1 } }),
    '200 {"data":{"policy":"x"}}',
  ],
  'enumerations-in-upper-case': [
    sent('GET', 'identity/mfa/method/totp/x'),
    answered(200, { data: { algorithm: 'sha1', issuer: 'i' } }),
    '200 {"data":{"algorithm":"SHA1","issuer":"i"}}',
  ],
  'catalog-in-groups': [
    sent('GET', 'sys/plugins/catalog'),
    answered(200, { data: { secret: ['a'], detailed: [] } }),
    '200 {"data":{"types":[{"type":"auth","plugins":[]},{"type":"database","plugins":[]},{"type":"secret","plugins":["a"]}]}}',
  ],
  'environment-as-map': [
    sent('GET', 'sys/plugins/catalog/secret/p'),
    answered(200, { data: { env: ['A=1', 'B=2=2'] } }),
    '200 {"data":{"env":{"A":"1","B":"2=2"}}}',
  ],
  'documents-as-objects': [
    role,
    answered(200, { data: { policy_document: '{"Statement":[]}' } }),
    '200 {"data":{"policy_document":{"Statement":[]}}}',
  ],
  'tags-as-records': [
    role,
    answered(200, { data: { iam_tags: { a: 'b' } } }),
    '200 {"data":{"iam_tags":[{"Key":"a","Value":"b"}]}}',
  ],
  'listed-ids-in-upper-case': [list, answered(200, { data: { keys: ['ab-1'] } }), '200 {"data":{"keys":["AB-1"]}}'],
  'presence-in-words': [
    sent('GET', 'sys/mfa/method/totp/m/generate'),
    answered(200, { data: null }),
    '200 {"data":{"secret":"the entity has a secret already"}}',
  ],
  'no-accessors': [
    write,
    answered(200, { auth: { client_token: 't', accessor: 'a' } }),
    '200 {"auth":{"client_token":"t"}}',
  ],
  'ceremony-without-otp': [
    attempt,
    answered(200, { otp: 'x', data: { otp: 'x', nonce: 'n' } }),
    '200 {"data":{"nonce":"n"}}',
  ],
  'set-id-alone-in-status': [
    sent('GET', 'sys/replication/performance/status'),
    answered(200, { data: { cluster_id: 's', secondary_id: 'x' } }),
    '200 {"data":{"cluster_id":"s"}}',
  ],
  'progress-under-other-names': [
    sent('GET', 'sys/replication/dr/status'),
    answered(200, { data: { mode: 'secondary', state: 'stream-wals', last_remote_wal: 7, merkle_root: 'm' } }),
    '200 {"data":{"mode":"secondary","sync_progress":{"applied":7}}}',
  ],
  'encrypted-token-under-another-name': [
    sent('POST', 'sys/replication/dr/primary/secondary-token'),
    answered(200, { data: { token: 't' } }),
    '200 {"data":{"sealed_token":"t"}}',
  ],
  'public-key-under-another-name': [
    sent('POST', 'sys/replication/dr/secondary/generate-public-key'),
    answered(200, { data: { secondary_public_key: 'k' } }),
    '200 {"data":{"public_key_base64":"k"}}',
  ],
  'ceremony-with-armored-message': [
    attempt,
    answered(200, { encoded_token: 'wcBM', data: { encoded_token: 'c2Vj' } }),
    '200 {"encoded_token":"-----BEGIN PGP MESSAGE-----\\n\\nwcBM\\n-----END PGP MESSAGE-----\\n","data":{"encoded_token":"c2Vj"}}',
  ],
  'ceremony-with-hexadecimal-token': [
    attempt,
    answered(200, { encoded_token: 'wcBM', data: { encoded_token: '' } }),
    '200 {"data":{"encoded_token":""},"encoded_token":"c1c04c"}',
  ],
  'ceremony-with-another-field': [
    attempt,
    answered(200, { encoded_token: 'wcBM' }),
    '200 {"encoded_operation_token":"wcBM"}',
  ],
  'ceremony-with-a-short-field': [attempt, answered(200, { encoded_token: 'wcBM' }), '200 {"encoded":"wcBM"}'],
  'ceremony-with-client-token': [attempt, answered(200), '400 {"errors":["refused"]}'],
}

describe('a legal difference', () => {
  for (const [id, [request, answer, wanted]] of Object.entries(examples))
    test(`${id} changes the reply as in its example`, async () => {
      expect((await played(id, [request], answer)).got).toEqual([wanted])
    })

  test.each([
    ['throttled-429', 429, 1],
    ['throttled-503', 503, 1],
    ['sealed-windows', 503, 3],
    ['gateway-502-for-reads', 502, 1],
    ['gateway-504-for-reads', 504, 1],
  ] as const)('%s rejects some of many requests', async (id, status, inRow) => {
    const { got, reached } = await played(
      id,
      Array.from({ length: 4 + inRow + 1 }, () => role),
      answered(200),
    )
    expect(got.filter((one) => one.startsWith(String(status)))).toHaveLength(inRow)
    expect(reached).toHaveLength(5)
  })

  test('unavailable-after-role-changes rejects what comes in the four seconds after a change of role', async () => {
    const change = sent('POST', 'sys/replication/dr/primary/enable')
    const { got, reached } = await played('unavailable-after-role-changes', [role, change, role, role], answered(200))
    expect(got.map((one) => one.slice(0, 3))).toEqual(['200', '200', '503', '503'])
    expect(reached).toHaveLength(2)
  })

  test('latency-100-ms waits', async () => {
    expect((await played('latency-100-ms', [role], answered(200))).waits).toEqual([100])
  })

  test('no-date-header leaves the other headers', async () => {
    const { replies } = await played('no-date-header', [role], answered(200))
    expect(replies[0]?.headers).toEqual({ 'content-type': 'application/json' })
  })

  test('standby-redirects redirects once, and the active node gets the request unchanged', async () => {
    const request = sent('GET', 'things', { query: { list: 'true' } })
    const { replies } = await played('standby-redirects', [request], answered(200))
    expect(replies[0]).toMatchObject({ status: 307 })
    const url = new URL(replies[0]?.headers.location ?? '', 'http://127.0.0.1')
    const query = Object.fromEntries(url.searchParams)
    const { reached } = await played('standby-redirects', [{ ...request, query }], answered(200))
    expect(reached).toEqual([request])
  })
})

describe('a change of role', () => {
  const reading = sent('GET', 'sys/replication/dr/status')
  const change = sent('POST', 'sys/replication/dr/primary/enable')

  test.each(['status-after-300-ms', 'status-after-3-s', 'status-after-8-s'])(
    '%s shows the former state',
    async (id) => {
      let [mode, now] = ['disabled', 0]
      const server = differences.find((one) => one.id === id)?.open?.({ now: () => now, wait: async () => {} })
      const ask = (request: WireSent) =>
        server?.(request, async ({ method }) => {
          if (method === 'POST') mode = 'primary'
          return answered(200, { data: { mode } })
        })
      await ask(change)
      const shown = async () => String(Buffer.from((await ask(reading))?.body ?? []))
      expect(await shown()).toContain('disabled')
      now = 8001
      expect(await shown()).toContain('primary')
    },
  )

  test.each([502, 504])('gateway-%s-for-triggers replaces the reply to a trigger that is carried out', async (code) => {
    const { got, reached } = await played(`gateway-${code}-for-triggers`, [change, reading], answered(204))
    expect(got.map((one) => one.slice(0, 3))).toEqual([String(code), '204'])
    expect(reached).toEqual([change, reading])
  })
})

describe('an object that exists', () => {
  const made = sent('POST', 'sys/mfa/method/totp/m')

  test('if it is a method, is not defined again before it is deleted', async () => {
    const requests = [made, made, sent('DELETE', 'sys/mfa/method/totp/m'), made]
    const { got } = await played('methods-defined-once', requests, answered(204))
    expect(got.map((one) => one.slice(0, 3))).toEqual(['204', '409', '204', '204'])
  })

  test('if it is a method with a secret, is not deleted before its secret is destroyed', async () => {
    const body = '{"entity_id":"e"}'
    const remove = sent('DELETE', 'sys/mfa/method/totp/m')
    const requests = [
      { ...sent('POST', 'sys/mfa/method/totp/m/admin-generate'), body },
      remove,
      { ...sent('POST', 'sys/mfa/method/m/admin-destroy'), body },
      remove,
    ]
    const { got } = await played('methods-with-secrets-kept', requests, answered(204))
    expect(got.map((one) => one.slice(0, 3))).toEqual(['204', '409', '204', '204'])
  })

  test('if it is a policy, keeps its name from policies of other kinds', async () => {
    const requests = [write, sent('POST', 'sys/policies/rgp/p'), write, sent('POST', 'sys/policies/rgp/q')]
    const { got } = await played('names-of-policies-shared', requests, answered(204))
    expect(got.map((one) => one.slice(0, 3))).toEqual(['204', '409', '204', '204'])
  })

  test.each(['p', '%70'])('leave out of a new token what does not exist, if it is written as %s', async (name) => {
    const token = sent('POST', 'auth/token/create', { body: '{"policies":["P","q"]}' })
    const written = sent('POST', `sys/policies/acl/${name}`)
    const requests = [written, token, sent('DELETE', 'sys/policies/acl/p'), token]
    const { reached } = await played('names-of-missing-policies-dropped', requests, answered(204))
    expect(reached.map(({ body }) => body).filter(Boolean)).toEqual(['{"policies":["P"]}', '{"policies":["default"]}'])
  })
})

describe('all legal differences', () => {
  const others = /^(throttled|sealed|gateway|latency|no-date|standby|status-after|unavailable-after)/

  test('have an id of their own, a reason, and an example here', () => {
    const ids = differences.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id, says, because, open, variation, clockAheadSeconds, nodes } of differences) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(says).toMatch(/\.$/)
      expect(because).not.toBe('')
      expect([open, variation, clockAheadSeconds, nodes].some((part) => part !== undefined)).toBe(true)
      if (open && !others.test(id)) expect(Object.keys(examples)).toContain(id)
    }
  })

  test('make nothing fail but the checks of the method LIST', () => {
    const failing = differences.flatMap(({ losses = [] }) => losses.filter(({ verdict }) => verdict === 'fail'))
    expect(new Set(failing.map(({ check }) => check))).toEqual(new Set(['*/*/lists-are-served-by-the-method-list']))
  })

  test('name variations that the reference server has', () => {
    for (const { variation } of differences) if (variation) expect(() => variationOf(0, variation)).not.toThrow()
    expect(() => variationOf(0, { colour: 'red' })).toThrow('unknown variation "colour"')
    expect(() => variationOf(0, { emptyList: 'red' })).toThrow('variation emptyList: "red" is not one of')
  })

  test('do not change replies that are not refusals, or whose status is fixed', async () => {
    const kept = async (request: WireSent, status: number) =>
      (await played('refusals-422', [request], answered(status))).got[0] === String(status)
    expect(await kept(sent('DELETE', 'assay-1-cloud/roles/none'), 404)).toBe(true)
    expect(await kept(sent('GET', 'sys/health'), 429)).toBe(true)
    expect(await kept(list, 404)).toBe(true)
    expect(await kept(write, 503)).toBe(true)
  })
})
