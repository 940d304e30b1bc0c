import { afterAll, beforeAll, expect, test } from 'vitest'
import { check, del, get, post, type Requirement, refused, succeeds, topic, unseen } from '../vocabulary/index.ts'
import { answerFrom, type Scripted, scriptedServer } from '../wire/scripted-server.ts'
import { runTopics } from './run-topics.ts'

const requirements: readonly Requirement[] = [
  {
    ...{ id: 'policies.example.kept', area: 'policies', level: 'must', says: 'Things are kept.' },
    source: { document: 1, section: 'Things', row: 'one' },
  },
]
const about = { requirement: 'policies.example.kept', mutants: ['policies/example'] } as const
const thingMade = post('things/{thing}', { token: 'planted-token-0004' }, { undo: del('things/{thing}') })
const examples = topic('policies/errors-example', {
  about: 'Things are kept.',
  names: ['thing'],
  checks: [
    check('kept', { ...about, given: [thingMade], when: get('things/{thing}'), then: [succeeds] }),
    check('refused', { ...about, when: get('things/none'), then: [refused(unseen('it only reads'))] }),
    check('missing', { ...about, when: get('things/none'), then: [succeeds] }),
    check('wipes', { ...about, safety: 'disruptive', when: get('things/none'), then: [succeeds] }),
  ],
})

const things = new Map<string, string>()
let keepsThings = false
let server: Scripted
beforeAll(async () => {
  server = await scriptedServer((asked, response) => {
    if (asked.method === 'DELETE' && keepsThings) return void response.writeHead(500).end()
    answerFrom(asked.path.includes('/things/') ? things : new Map(), asked, response)
  })
})
afterAll(() => server.close())

const target = () => ({ url: server.url, token: 'operator-token-0001', declared: { edition: 'community' } }) as const
const verdicts = (results: readonly { readonly id: string; readonly verdict: string }[]) =>
  results.map(({ id, verdict }) => [id.split('/').at(-1), verdict])

test('judges topics without vitest, and takes back what it made', async () => {
  const heard: string[] = []
  const { results, leftBehind } = await runTopics([examples], {
    ...{ target: target(), requirements, onResult: ({ id }) => void heard.push(id) },
  })
  expect(verdicts(results)).toEqual([
    ['kept', 'pass'],
    ['refused', 'pass'],
    ['missing', 'fail'],
    ['wipes', 'not-verified'],
  ])
  expect(heard.toSorted()).toEqual(results.map(({ id }) => id).toSorted())
  expect(JSON.stringify(results)).not.toMatch(/planted-token|operator-token/)
  expect(leftBehind).toEqual([])
  expect(things.size).toBe(0)
})

test('reports what it could not take back', async () => {
  keepsThings = true
  const checks = ['policies/errors-example/kept']
  const { leftBehind } = await runTopics([examples], { target: target(), requirements, checks, runId: 'kept' })
  keepsThings = false
  expect(leftBehind).toEqual([expect.stringMatching(/things\/assay-kept-\d+-thing/)])
  things.clear()
})

test('after an abort no check starts', async () => {
  const signal = AbortSignal.abort()
  const { results } = await runTopics([examples], { target: target(), requirements, signal })
  expect(results.map(({ blocker }) => blocker?.kind)).toEqual(Array(4).fill('interrupted'))
})

test.each([
  ['to judge nothing', { checks: [] }, /no checks to judge/],
  ['a check that no topic has', { checks: ['policies/none'] }, /no topic has the check policies\/none/],
  ['a server that is not there', { target: { url: 'http://127.0.0.1:1' } }, /127\.0\.0\.1:1/],
  ['disruptive checks', { ceiling: 'disruptive' as 'scoped' }, /disruptive/],
])('refuses %s', async (_, wrong, words) => {
  await expect(runTopics([examples], { target: target(), requirements, ...wrong })).rejects.toThrow(words)
})
