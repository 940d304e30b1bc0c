import { expect, test } from 'vitest'
import { lists, requirements, topics } from '../../suites/index.ts'
import { withFront } from '../commands/front.test-bed.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import { referenceTarget, startReference } from '../targets/mock.ts'
import { addressOf, type CheckResult } from '../vocabulary/index.ts'
import { ListForms } from './list-forms.ts'

/** Replies with 500 to JSON arrays, as old servers do for some lists. */
const arraysRefused =
  (...fields: readonly string[]) =>
  (asked: string, body: string) => {
    if (!asked.startsWith('POST ') || !/\/roles\/|\/users\//.test(asked)) return undefined
    const json = JSON.parse(body || '{}') as Record<string, unknown>
    const field = fields.find((name) => Array.isArray(json[name]))
    return field === undefined ? undefined : ([500, `'${field}' expected type 'string', got '[]interface {}'`] as const)
  }

async function judged(pattern: RegExp, fields: readonly string[]): Promise<Record<string, CheckResult>> {
  const server = await startReference({ edition: 'premium', seed: 1, control: true, testKeys: true })
  const { url: _, ...target } = referenceTarget(server)
  const results: Record<string, CheckResult> = {}
  try {
    await withFront(server.url, arraysRefused(...fields), async (url) => {
      const facts = { edition: 'premium', version: '1.14.0', features: server.features } as const
      const session = await openSession({
        ...{ target: { ...target, url }, facts, runId: 'lists', seed: 1, ceiling: 'scoped', jobs: 1, level: 'should' },
        ...{ requirements, lists },
      })
      for (const { topic } of topics)
        for (const check of topic.checks) {
          const address = addressOf(topic, check)
          if (pattern.test(address)) results[address] = await judge(topic, check, session)
        }
      await session.close()
    })
  } finally {
    await server.close()
  }
  return results
}

test('a server that accepts lists only as strings is judged, with one warning about arrays', async () => {
  const results = await judged(/^pki\/fields-names-domains\/(lists-|second-|first-of|no-)/, [
    'allowed_domains',
    'key_usage',
    'ext_key_usage',
  ])
  const verdicts = Object.entries(results).map(([address, { verdict }]) => [address, verdict])
  expect(verdicts.length).toBe(4)
  expect(verdicts.filter(([, verdict]) => verdict !== 'pass')).toEqual([
    ['pki/fields-names-domains/lists-of-a-role-may-be-arrays', 'warn'],
  ])
  const roles = Object.values(results)
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ method, url }) => method === 'POST' && url.includes('/roles/'))
  const sent = roles.map(({ requestBody }) => JSON.parse(requestBody ?? '{}').allowed_domains)
  expect(sent.filter(Array.isArray).length).toBeLessThan(4)
  expect(sent.filter((value) => typeof value === 'string').length).toBe(3)
})

test('a user is created with its policies as a string if an array is refused', async () => {
  const results = await judged(/^mfa-identity\/access\//, ['policies', 'token_policies'])
  expect(Object.values(results).map(({ verdict }) => verdict)).not.toContain('fail')
  expect(Object.values(results).map(({ verdict }) => verdict)).toContain('pass')
})

const sent = { method: 'POST', path: '/v1/things/a' }
const site = { method: 'POST', path: 'things/:name', lists: { names: ['area.names.array'], others: [] } }
const both = JSON.stringify({ names: ['a', 'b'], others: ['c'], more: ['d'] })

test('lists of unknown form are tried one by one, then together, and the accepted form is remembered', () => {
  const forms = new ListForms([site])
  expect(forms.others(sent, both, []).map(({ fields }) => fields)).toEqual([['names'], ['others'], ['names', 'others']])
  expect(forms.written(sent, both, [])).toBe(both)
  const [first] = forms.others(sent, both, [])
  forms.taken(sent, first?.body ?? '', first?.fields)
  const known = forms.written(sent, both, [])
  expect(JSON.parse(known)).toEqual({ names: 'a,b', others: ['c'], more: ['d'] })
  expect(forms.others(sent, known, [])).toEqual([])
})

test('an array that was under way while another check learned that it is a string is sent again as a string', () => {
  const forms = new ListForms([site])
  forms.taken(sent, JSON.stringify({ names: 'a' }), ['names'])
  const [first, ...more] = forms.others(sent, both, [])
  expect(JSON.parse(first?.body ?? '')).toEqual({ names: 'a,b', others: ['c'], more: ['d'] })
  expect(more.map(({ fields }) => fields)).toEqual([['names', 'others']])
})

test('neither an array that the check is about nor a list that cannot be a string is rewritten', () => {
  const forms = new ListForms([site])
  expect(forms.others(sent, both, ['area.names.array']).map(({ fields }) => fields)).toEqual([['others']])
  expect(forms.others(sent, JSON.stringify({ names: ['a,b'], others: [5] }), [])).toEqual([])
  expect(forms.others({ ...sent, path: '/v1/others/a' }, both, [])).toEqual([])
})

test('the dialect names the lists of its own operations', () => {
  expect(loadDialect('vault').lists?.map(({ path }) => path)).toEqual(['auth/:mount/users/:name'])
})

test('the fields of the body tell engines with the same path apart', async () => {
  const forms = new ListForms(lists)
  const sent = { method: 'POST', path: '/v1/assay-x-1-mount/roles/one' }
  const rewritten = (field: string) => forms.others(sent, JSON.stringify({ [field]: ['a', 'b'] }), [])
  expect(rewritten('policy_arns')).toEqual([{ body: '{"policy_arns":"a,b"}', fields: ['policy_arns'] }])
  expect(rewritten('allowed_domains')).toEqual([{ body: '{"allowed_domains":"a,b"}', fields: ['allowed_domains'] }])
  expect(rewritten('session_tags')).toEqual([])
})
