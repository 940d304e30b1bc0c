import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMockServer } from '../../mock-server/server.ts'
import errors from '../../suites/policies/errors.ts'
import transitions from '../../suites/policies/transitions.ts'
import { sampleResult } from '../commands/output/sample-results.test-bed.ts'
import { runTopics } from '../run/run-topics.ts'
import { type Requirement, type ResultDocument, requirementsOf } from '../vocabulary/index.ts'
import { driftOf } from './drift.ts'

const checks = [
  'policies/errors/acl-create-without-policy-is-refused',
  'policies/errors/acl-create-with-a-malformed-body-is-refused',
  'policies/transitions/acl-create-is-read-back',
  'policies/transitions/acl-delete-ends-reading',
  'policies/transitions/acl-list-names-what-exists',
]
const token = 'canary-token-of-this-test'

/** Only the ids of the requirements matter here. */
const requirements = [errors, transitions]
  .flatMap((topic) => topic.checks.flatMap((check) => requirementsOf(check)))
  .map(
    (id): Requirement => ({
      ...{ id, area: 'policies', level: 'must', says: 'It holds.' },
      source: { document: 1, section: 'Policies', row: id },
    }),
  )

let server: Awaited<ReturnType<typeof createMockServer>>
let plain: ResultDocument
beforeAll(async () => {
  // Of the ids that another seed gives, one may look like a word.
  server = await createMockServer({ port: 0, rootToken: token, seed: 1 })
  plain = await judged()
})
afterAll(() => server.close())

async function judged(): Promise<ResultDocument> {
  const target = { url: server.url, token, declared: { edition: 'premium' } as const }
  const { results } = await runTopics([errors, transitions], { target, requirements, checks })
  const document = sampleResult({ checks: results })
  return { ...document, target: { ...document.target, url: server.url } }
}

test('a server compared with itself shows no difference', async () => {
  const drift = driftOf(plain, await judged())
  expect(drift?.checks).toBe(checks.length)
  expect(drift?.entries).toEqual([])
})

/** Each row has a legal difference and the entries that it causes: kind, fields, and number of requests. */
test.each<[string, Record<string, string | boolean>, readonly string[]]>([
  ['the order of fields', { fieldOrder: 'reversed' }, []],
  ['more fields', { extraFields: true }, ['field data.x_note, mount_type 2', 'field data 1']],
  ['fields at the top level, too', { alsoAtTop: 'all' }, ['field keys 1', 'field name, policy 1']],
  ['other words of errors', { errorText: 'counted' }, ['text errors[] 1']],
  ['a body that says nothing', { noData: 'warning' }, ['status  4']],
  ['the order of lists', { keyOrder: 'reversed' }, ['order data.keys[] 1']],
  ['another form of ids', { requestIds: 'short' }, ['value request_id 1']],
])('%s', async (_, choices, expected) => {
  server.vary(0, choices)
  const drift = driftOf(plain, await judged())
  const shown = drift?.entries.map(
    ({ kind, fields, requests }) => `${kind} ${fields.map(({ name }) => name).join(', ')} ${requests.length}`,
  )
  expect(shown).toEqual(expected)
  expect(JSON.stringify(drift)).not.toContain(token)
})
