import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { JournalUnwritable } from '../safety/journal.ts'
import { readJournal } from '../safety/journal-record.ts'
import type { ResolvedTarget } from '../targets/target.ts'
import {
  type Action,
  about,
  brokenBy,
  type CheckBody,
  type CheckResult,
  type Conditions,
  check,
  type Dialect,
  DoesNotApply,
  del,
  type Exchange,
  type Expectation,
  field,
  get,
  keyed,
  list,
  mismatch,
  next,
  post,
  type Requirement,
  refused,
  type Scope,
  StepFailed,
  sizeBounds,
  status,
  succeeds,
  topic,
  unchanged,
  unseen,
} from '../vocabulary/index.ts'
import { CircuitOpen, FailedFast, Interrupted, TimeIsUp } from '../way/interruptions.ts'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { type Asked, endpointAt, type Scripted, scriptedServer } from '../wire/scripted-server.ts'
import { judge } from './judge.ts'
import { isForeseen } from './outcome.ts'
import { openSession, type Session, type SessionParts } from './session.ts'
import type { SessionPlan } from './session-plan.ts'

const requirement = (id: string, more: Partial<Requirement> = {}): Requirement => ({
  id: `policies.thing.${id}`,
  area: 'policies',
  level: 'must',
  says: id,
  source: { document: 1, section: 'Things', row: id },
  ...more,
})
const advice = 'policies.thing.should'
const requirements = [
  requirement('must'),
  requirement('should', { level: 'should' }),
  requirement('write', { requests: ['POST things/:name'] }),
  requirement('premium', { applies: { editions: ['premium'] } }),
  requirement('since', { applies: { since: '1.2.0' } }),
]

const dialect: Dialect = {
  id: 'test',
  prefix: '/v1',
  tokenHeader: 'X-Token',
  operations: {
    health: () => ({ exchanges: [get('health')] }),
    createToken: ({ as }) => ({
      exchanges: [
        post(
          'tokens',
          {},
          {
            saves: { [String(as)]: '/auth/client_token', accessor: '/auth/accessor' },
            secrets: [String(as)],
            undo: post('revoke', { accessor: '{accessor}' }),
          },
        ),
      ],
    }),
    createEntity: () => ({
      exchanges: [
        post(
          'bare-tokens',
          {},
          {
            ...{ saves: { bare: '/auth/client_token', accessor: '/auth/accessor' }, mayLack: ['accessor'] },
            ...{ secrets: ['bare'], undo: post('revoke', { accessor: '{accessor}' }) },
            orUndo: [post('revoke-self', {}, { as: 'bare' }), post('revoke/{bare}', {})],
          },
        ),
        post('of-accessor', {}, { ifKnown: 'accessor' }),
        post('of-token', {}, { unlessKnown: 'accessor', undo: del('of-token') }),
      ],
    }),
    aclDocument: () => ({ exchanges: [], values: { document: 'path "{thing}/*" { capabilities = ["read"] }' } }),
    lookupSelf: () => ({ exchanges: [get('lookup')] }),
    capabilitiesSelf: ({ paths }) => ({ exchanges: [post('capabilities', { paths: paths as string[] })] }),
  },
}

const operatorToken = 'operator-token-0001'
const madeToken = 'made-token-0002'

/** Codes in `refusals` for a reply whose body or whose headers are too large. */
const [oversized, headed] = [-2, -3]

let server: Scripted
let folder: string
let journalFile: string
let sessions: Session[] = []
/** The statuses by which the server refuses requests, by path or by method and path; -1 cuts the connection. */
let refusals: Record<string, number>
let granted: string[]
/** The status of a read of an absent thing. */
let absent: number
/** The status of the next write. A redirect leads to the same path, where the write is then served. */
let refusedOnce: number
/** The status of the reply to an empty list. */
let emptyList: number
/** The requests at which the connection is cut, and how often. */
let cut: RegExp | undefined
let cutsLeft: number
const things = new Map<string, unknown>()

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-judge-'))
  journalFile = join(folder, 'journal.jsonl')
  refusals = {}
  granted = ['root']
  absent = 404
  emptyList = 200
  refusedOnce = 0
  cut = undefined
  cutsLeft = Number.POSITIVE_INFINITY
  things.clear()
  server = await scriptedServer((request, response) => {
    if (sendsFault(request, response)) return
    const [status, json] = fixedReplies[request.path]?.() ?? served(request)
    response.writeHead(status).end(json === undefined ? '' : JSON.stringify(json))
  })
})

type Answer = readonly [status: number, json?: unknown]

/** Replies that do not depend on the things that were made, by path. */
const fixedReplies: Readonly<Record<string, () => Answer>> = {
  '/v1/tokens': () => [200, { auth: { client_token: madeToken, accessor: 'acc-1' } }],
  '/v1/bare-tokens': () => [200, { auth: { client_token: madeToken } }],
  '/v1/revoke-self': () => [204],
  '/v1/capabilities': () => [200, { data: { capabilities: granted } }],
  '/v1/revoke': () => [204],
}

function served({ method, path, body }: Asked): Answer {
  if (method === 'POST') {
    things.set(path, JSON.parse(body))
    return [204]
  }
  if (method === 'DELETE') return [things.delete(path) ? 204 : 404]
  if (path === '/v1/things?list=true')
    return [things.size > 0 ? 200 : emptyList, { data: { keys: [...things.keys()] } }]
  return things.has(path) ? [200, { data: things.get(path) }] : [absent, { errors: [] }]
}

/** Sends the faulty reply that a test has set up; returns false if there is none. */
function sendsFault({ method, path }: Asked, response: ServerResponse): boolean {
  if (refusedOnce > 0 && method === 'POST' && path.startsWith('/v1/things')) {
    response.writeHead(refusedOnce, { location: path }).end()
    refusedOnce = 0
    return true
  }
  const refusal = refusals[`${method} ${path}`] ?? refusals[path]
  if (refusal === -1 || (cut?.test(`${method} ${path}`) && cutsLeft-- > 0)) response.destroy()
  else if (refusal === oversized) response.end(Buffer.alloc(sizeBounds.replyBody.value + 1, 'x'))
  else if (refusal === headed) response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end()
  else if (refusal) response.writeHead(refusal).end(JSON.stringify({ errors: [`refused with ${madeToken}`] }))
  else return false
  return true
}

afterEach(async () => {
  for (const session of sessions) await session.close()
  sessions = []
  await server.close()
  rmSync(folder, { recursive: true })
})

async function session(
  plan: Partial<SessionPlan> = {},
  parts: SessionParts = {},
  target: Partial<ResolvedTarget> = {},
) {
  const opened = await openSession(
    {
      target: {
        ...endpointAt(server.url, { token: operatorToken }),
        name: 'test',
        dialect: 'test',
        declared: {},
        timeoutMs: patient(2000),
        maxRps: 0,
        maxWaitSeconds: 0,
        patienceSeconds: 1,
        provides: {},
        secrets: [operatorToken],
        ...target,
      },
      facts: {},
      runId: 'r1',
      seed: 1,
      ceiling: 'scoped',
      jobs: 1,
      level: 'should',
      journalFile,
      requirements,
      ...plan,
    },
    { dialect, timer: { now: Date.now, wait: async () => {} }, environment: {}, ...parts },
  )
  sessions.push(opened)
  return opened
}

const made = post('things/{thing}', { value: 1 }, { undo: del('things/{thing}') })
const passing: CheckBody = {
  requirement: 'policies.thing.must',
  given: [made],
  when: get('things/{thing}'),
  then: [succeeds],
  mutants: ['policies/none'],
}

async function judged(body: Partial<CheckBody>, opened?: Session, conditions?: Conditions): Promise<CheckResult> {
  const judgedCheck = check('one', { ...passing, ...body })
  const ofTopic = { about: 'things', names: ['thing'], ...(conditions ? { conditions } : {}) }
  const errors = topic('policies/errors', { ...ofTopic, checks: [judgedCheck] })
  return judge(errors, judgedCheck, opened ?? (await session()))
}

const phases = (result: CheckResult) => result.exchanges.map(({ phase, method }) => `${phase} ${method}`)

describe('a check that runs', () => {
  test('passes, takes back what it made, and records each exchange', async () => {
    const result = await judged({})
    expect(result).toMatchObject({
      id: 'policies/errors/one',
      verdict: 'pass',
      level: 'must',
      safety: 'scoped',
      mismatches: [],
    })
    expect(phases(result)).toEqual(['given POST', 'when GET', 'undo DELETE'])
    expect(result.exchanges[0]?.url).toBe(`${server.url}/v1/things/assay-r1-1-thing`)
    expect(things.size).toBe(0)
    expect(readJournal(journalFile)).toMatchObject({ open: [], all: [{ path: 'things/assay-r1-1-thing' }] })
  })

  test('states its lock and how long it waited for its turn', async () => {
    const opened = await session()
    const [first, second] = await Promise.all([
      judged({ lock: 'clusters' }, opened),
      judged({ lock: 'clusters' }, opened),
    ])
    expect([first.turn?.lock, second.turn?.lock]).toEqual(['clusters', 'clusters'])
    const waited = Date.parse(second.startedAt) - Date.parse(first.startedAt)
    expect(second.turn?.waitedMs).toBeGreaterThanOrEqual(waited - 2)
    expect((await judged({})).turn?.lock).toBeUndefined()
  })

  test('judges every expectation and reports which failed', async () => {
    const result = await judged({ then: [status(410), succeeds, field('value', 2)] })
    expect(result.verdict).toBe('fail')
    expect(result.mismatches).toEqual([
      { expectation: 0, exchange: 1, asked: 'GET things/assay-r1-1-thing', at: 'status', wanted: '410', saw: '200' },
      { expectation: 2, exchange: 1, asked: 'GET things/assay-r1-1-thing', at: 'value', wanted: '2', saw: '1' },
    ])
  })

  const conditions: Conditions = {
    requirements: [advice],
    flawsIn: ({ reply }) =>
      reply.asked.startsWith('GET') ? [{ ...mismatch(reply, 'value', '2', '1'), requirement: advice }] : [],
  }

  test('reports a broken condition under its own requirement, and keeps what it found itself', async () => {
    const result = await judged({ then: [succeeds, next(get('things/{thing}'), succeeds)] }, undefined, conditions)
    expect(result).toMatchObject({ verdict: 'warn', own: { verdict: 'pass', mismatches: [] } })
    const { exchange, requirement, expectation } = result.mismatches[0] ?? {}
    expect([result.mismatches.length, exchange, requirement, expectation]).toEqual([1, 1, advice, undefined])
  })

  test('still sends the control if only a condition is broken', async () => {
    const control = get('things/{thing}/none')
    const result = await judged({ control }, undefined, conditions)
    expect(result).toMatchObject({ verdict: 'warn', own: { blocker: { code: 'control-refused' } } })
    expect(result.blocker).toBeUndefined()
  })

  test('reports an expectation of another requirement under that requirement', async () => {
    const result = await judged({ then: [succeeds, about(advice, next(get('things/{thing}'), status(410)))] })
    expect(result).toMatchObject({ verdict: 'warn', mismatches: [{ requirement: advice, expectation: 1 }] })
    expect(result.own?.verdict).toBe('pass')
  })

  test('reports an expectation that names no requirement under the only one that no other expectation names', async () => {
    const requirement = ['policies.thing.must', advice]
    const result = await judged({ requirement, then: [status(410), about(advice, succeeds)] })
    expect(brokenBy(result)).toEqual(['policies.thing.must'])
  })

  test('warns if a should is not met', async () => {
    expect((await judged({ requirement: 'policies.thing.should', then: [status(410)] })).verdict).toBe('warn')
  })

  test('compares with the state before the judged request', async () => {
    const result = await judged({
      when: post('things/{thing}', { value: 2 }),
      then: [unchanged(get('things/{thing}'))],
    })
    expect(result.verdict).toBe('fail')
    // The state is read twice before: what differs between the two reads changes by itself.
    expect(phases(result)).toEqual(['given POST', 'before GET', 'before GET', 'when POST', 'then GET', 'undo DELETE'])
  })

  test('is not started once the target is gone, and what was made stays in the journal', async () => {
    const opened = await session()
    const isGone = post('things/{thing}', {}, { undo: del('things/{thing}') })
    const { url } = server
    const results: CheckResult[] = []
    await server.close()
    for (let count = 0; count < 7; count++) results.push(await judged({ given: [isGone] }, opened))
    server = await scriptedServer(() => {})
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['not-verified']))
    expect(new Set(results.map(({ blocker }) => blocker?.kind))).toEqual(new Set(['failing-target']))
    expect(results.map(({ exchanges }) => exchanges.length)).toEqual([2, 0, 0, 0, 0, 0, 0])
    expect(results.at(-1)?.blocker?.reason).toBe(
      `the target went away and did not answer again within 60 s: 3 requests in a row got no reply that could be judged (3 without a connection), the last being DELETE things/assay-*-thing: nothing listens at ${new URL(url).host}`,
    )
    expect(readJournal(journalFile).open).toHaveLength(1)
  })

  test('redacts the password of a proxy', async () => {
    const parts = { environment: { HTTPS_PROXY: 'http://user:s3cret%21word@proxy.invalid:3128' } }
    const { redactor } = await session({}, parts)
    expect(redactor.redact('407 s3cret!word s3cret%21word')).toBe('407 [redacted:secret] [redacted:secret]')
  })

  test('uses the tokens that it creates, and redacts them', async () => {
    const createToken = {
      kind: 'operation',
      operation: 'createToken',
      args: { as: 'reader' },
      words: 'a token',
      provides: [],
    } as const
    refusals['GET /v1/things/none'] = 403
    const result = await judged({
      given: [createToken],
      when: get('things/none', { as: 'reader' }),
      then: [refused(unseen('it only reads'))],
    })
    expect(result.verdict).toBe('pass')
    expect(server.asked[1]?.headers['x-token']).toBe(madeToken)
    expect(server.asked.at(-1)).toMatchObject({ path: '/v1/revoke', body: '{"accessor":"acc-1"}' })
    expect(JSON.stringify(result)).not.toContain(madeToken)
    expect(JSON.stringify(result)).not.toContain(operatorToken)
    expect(readFileSync(journalFile, 'utf8')).not.toContain(madeToken)
    expect(readJournal(journalFile).open).toEqual([])
  })

  const createBareToken = {
    kind: 'operation',
    operation: 'createEntity',
    args: { as: 'bare' },
    words: 'a token without an accessor',
    provides: [],
  } as const

  test('lets a token without an accessor revoke itself, and skips exchanges that need the accessor', async () => {
    expect(
      (await judged({ given: [createBareToken], when: get('things/none'), then: [refused(unseen('it only reads'))] }))
        .verdict,
    ).toBe('pass')
    const paths = server.asked.map(({ path }) => path)
    expect(paths).toContain('/v1/of-token')
    expect(paths).not.toContain('/v1/of-accessor')
    expect(server.asked.at(-1)).toMatchObject({ path: '/v1/revoke-self', headers: { 'x-token': madeToken } })
    expect(readFileSync(journalFile, 'utf8')).not.toContain(madeToken)
    expect(readJournal(journalFile).open).toEqual([])
  })

  test('revokes such a token by its value if it cannot revoke itself, and before what was made earlier', async () => {
    refusals['/v1/revoke-self'] = 500
    await judged({ given: [post('things/policy', {}, { undo: del('things/policy') }), createBareToken] })
    const undone = server.asked.filter(({ method, path }) => method === 'DELETE' || path.startsWith('/v1/revoke'))
    expect(undone.map(({ path }) => path)).toEqual([
      '/v1/of-token',
      '/v1/revoke-self',
      `/v1/revoke/${madeToken}`,
      '/v1/things/policy',
    ])
    expect(undone[2]?.headers).toMatchObject({ 'x-token': operatorToken })
    expect(readFileSync(journalFile, 'utf8')).not.toContain(madeToken)
    expect(readJournal(journalFile).open).toEqual([])
  })

  test.each([
    [404, 'not-applicable'],
    [405, 'not-applicable'],
    [400, 'not-verified'],
  ])('with %d as the reply to an operation, which no document describes, the check is %s', async (status, verdict) => {
    refusals['/v1/of-token'] = status
    expect((await judged({ given: [createBareToken] })).verdict).toBe(verdict)
  })

  test('fills in templates in the values of an operation, once', async () => {
    const document = {
      kind: 'operation',
      operation: 'aclDocument',
      args: { as: 'document', rules: [] },
      words: 'a text',
      provides: [],
    } as const
    const result = await judged({
      given: [document, post('things/{thing}', { policy: '{document}' }, { undo: del('things/{thing}') })],
      then: [field('policy', 'path "assay-r1-1-thing/*" { capabilities = ["read"] }')],
    })
    expect(result.mismatches).toEqual([])
  })

  test('a list that LIST refuses is requested by GET; if that fails, too, the refusal counts', async () => {
    // This server does not know the method LIST.
    expect((await judged({ when: list('things'), then: [keyed('/v1/things/{thing}')] })).verdict).toBe('pass')
    const missing = await judged({ when: list('others'), then: [succeeds] })
    expect(missing.mismatches).toMatchObject([{ asked: 'LIST others', saw: '400' }])
  })

  test('a redirected request counts as sent once, and a retried one as repeated', async () => {
    const replies: (boolean | undefined)[] = []
    const run = async (scope: Scope) => {
      const reply = await scope.send(post('things/{thing}', { value: 5 }))
      replies.push(reply.isRepeated)
      return reply
    }
    for (const status of [307, 503]) {
      refusedOnce = status
      await judged({ given: [], when: { kind: 'ceremony', words: 'one request', touches: [], run }, then: [succeeds] })
    }
    expect(replies).toEqual([undefined, true])
  })

  test('a list that was listed by GET is still judged by GET once it is empty', async () => {
    emptyList = 404
    const { mismatches } = await judged({
      given: [post('things/{thing}', { value: 1 }), list('things')],
      when: del('things/{thing}'),
      then: [next(list('things'), status(404))],
    })
    expect(mismatches).toEqual([])
  })

  test('a ceremony may be judged', async () => {
    const run = async (scope: Scope) => {
      await scope.send(post('things/{thing}', { value: 5 }))
      return scope.send(get('things/{thing}'))
    }
    const result = await judged({
      when: { kind: 'ceremony', words: 'two steps', touches: [], run },
      then: [field('value', 5)],
    })
    expect(result).toMatchObject({ verdict: 'pass', when: 'two steps' })
  })

  test('remembers bodies that were accepted, and not those that were refused', async () => {
    refusals['/v1/things/refused'] = 400
    let known: unknown
    const run = async (scope: Scope) => {
      await scope.send(post('things/refused', { value: 1 }))
      await scope.send(post('things/{thing}', { value: '{thing}' }))
      const reply = await scope.send(post('things/{thing}', { value: 2 }))
      known = [scope.served('things/{thing}'), scope.served('things/refused')]
      return reply
    }
    await judged({ when: { kind: 'ceremony', words: 'three writes', touches: [], run }, then: [succeeds] })
    expect(known).toEqual([[{ value: 1 }, { value: 'assay-r1-1-thing' }, { value: 2 }], []])
  })

  test('requests to something other than the target are recorded, too, without their secrets', async () => {
    const note = {
      words: 'the log',
      method: 'GET',
      url: 'http://beside.test/log',
      status: 200,
      sentAt: 0,
      durationMs: 1,
    }
    const action = {
      kind: 'action' as const,
      words: 'the log is read',
      touches: [],
      async run(scope: Scope) {
        scope.note({ ...note, text: '{"secret":"a-secret-of-the-stub","calls":2}' })
      },
    }
    const { verdict, exchanges } = await judged({ given: [made, action] })
    expect(verdict).toBe('pass')
    expect(exchanges[1]).toMatchObject({
      phase: 'given',
      words: 'the log',
      url: note.url,
      as: 'nobody',
      to: 'provider',
    })
    expect(exchanges[1]?.attempts[0]).toMatchObject({
      status: 200,
      responseBody: '{"secret":"[redacted:secret]","calls":2}',
    })
  })

  test('the result contains names with their values, except values that no exchange shows', async () => {
    const action = {
      kind: 'action' as const,
      words: 'values are worked out',
      touches: [],
      async run(scope: Scope) {
        scope.save('worked-out', 'a-secret-that-nobody-knows')
        scope.save('known', 'a-secret-that-is-sent', { secret: true })
        scope.save('text', 'first\n"second"')
        await scope.send(post('things/{thing}', { value: '{known}', text: '{text}' }))
      },
    }
    const { names, exchanges } = await judged({ given: [action] })
    expect(names).toEqual({ thing: 'assay-r1-1-thing', text: 'first\n"second"' })
    expect(JSON.stringify(exchanges)).not.toContain('a-secret')
  })

  test('records no exchanges if the plan says so', async () => {
    expect((await judged({}, await session({ record: 'none' }))).exchanges).toEqual([])
  })
})

describe('the request that went wrong', () => {
  const [first, second] = [get('things/{thing}', { words: 'read' }), list('things')]
  /** Returns the exchange that a mismatch or an obstacle refers to by its index. */
  const shownFor = ({ exchanges }: CheckResult, { exchange }: { readonly exchange?: number | undefined } = {}) => {
    const { phase, method, url } = exchanges[exchange ?? -1] ?? {}
    return [exchange, phase, method, url?.split('/v1/')[1]]
  }

  test('is the one that the contradicted expectation judged, and not the last', async () => {
    const then: CheckBody['then'] = [succeeds, next(first, status(999)), next(second, succeeds), next(first, succeeds)]
    const result = await judged({ then })
    expect(result.mismatches).toHaveLength(1)
    expect(shownFor(result, result.mismatches[0])).toEqual([2, 'then', 'GET', 'things/assay-r1-1-thing'])
  })

  test('is the judged one, even if the same request is sent again afterwards', async () => {
    const result = await judged({ when: first, then: [status(999), next(first, succeeds), next(second, succeeds)] })
    expect(shownFor(result, result.mismatches[0])).toEqual([1, 'when', 'GET', 'things/assay-r1-1-thing'])
  })

  test('is the read afterwards, if a witness changed', async () => {
    const result = await judged({
      when: post('things/{thing}', { value: 2 }),
      then: [unchanged(first), next(first, succeeds)],
    })
    expect(shownFor(result, result.mismatches[0]).slice(1)).toEqual(['then', 'GET', 'things/assay-r1-1-thing'])
    const readings = result.exchanges.flatMap(({ phase }, index) => (phase === 'then' ? [index] : []))
    expect(result.mismatches[0]?.exchange).toBe(readings[0])
  })

  test('is the request of a step that failed, of a control that was refused, and of one without a reply', async () => {
    refusals['GET /v1/refused'] = 500
    const given = await judged({ given: [made, get('refused'), made] })
    expect(shownFor(given, given.blocker)).toEqual([1, 'given', 'GET', 'refused'])
    const control = await judged({ given: [made], when: first, control: get('refused'), then: [succeeds] })
    expect(shownFor(control, control.blocker).slice(1)).toEqual(['control', 'GET', 'refused'])
    refusals['GET /v1/refused'] = -1
    const cutOff = await judged({ given: [made, get('refused'), made] })
    expect(shownFor(cutOff, cutOff.blocker)).toEqual([1, 'given', 'GET', 'refused'])
  })

  test('is the last request of a polling', async () => {
    const polled: CheckBody['when'] = {
      kind: 'ceremony',
      words: 'polled',
      touches: [],
      run: async (scope: Scope) => {
        let asked = 0
        return scope.poll(first, () => ++asked === 3)
      },
    }
    const result = await judged({ when: polled, then: [status(999), next(second, succeeds)] })
    expect(shownFor(result, result.mismatches[0])).toEqual([1, 'when', 'GET', 'things/assay-r1-1-thing'])
  })
})

describe('a check without a verdict on the target', () => {
  test('names the step that failed', async () => {
    refusals['POST /v1/things/assay-r1-1-thing'] = 500
    const result = await judged({})
    expect(result.verdict).toBe('not-verified')
    expect(result.blocker).toMatchObject({
      kind: 'given',
      reason: expect.stringMatching(/^POST things\/\S+ answered 500/),
    })
  })

  test('is not applicable if the documents leave the behaviour open, unless there is another obstacle', async () => {
    const lacking = (error: Error) => ({
      words: 'it cannot be seen',
      judge() {
        throw error
      },
    })
    const optional = lacking(DoesNotApply.made({}, 'no reply shows `size`'))
    const { verdict, blocker } = await judged({ then: [optional, succeeds] })
    expect({ verdict, blocker }).toMatchObject({
      verdict: 'not-applicable',
      blocker: { kind: 'optional', reason: 'no reply shows `size`' },
    })
    const unread = lacking(new StepFailed('unreadable', { asked: 'GET x', answer: '500' }))
    for (const then of [
      [optional, unread],
      [unread, optional],
    ] as const)
      expect((await judged({ then })).verdict).toBe('not-verified')
    expect((await judged({ then: [optional, status(999)] })).verdict).toBe('fail')
  })

  test('lacks permission if a step is denied', async () => {
    refusals['POST /v1/things/assay-r1-1-thing'] = 403
    const { verdict, blocker } = await judged({})
    expect(verdict).toBe('not-verified')
    expect(blocker).toMatchObject({ kind: 'permission', mend: expect.stringContaining('assay plan --policy') })
  })

  test('is not verified if a reply lacks the value that a step saves', async () => {
    const { verdict, blocker } = await judged({ given: [{ ...made, saves: { id: '/data/id' } }] })
    expect(verdict).toBe('not-verified')
    expect(blocker?.reason).toBe('the reply to POST things/assay-*-thing does not show `id`')
  })

  test('is still judged if only the judged reply lacks such a value', async () => {
    const when = get('things/{thing}', { saves: { id: '/data/id' } })
    expect((await judged({ when, then: [field('id', 1), next(get('things/{id}'), succeeds)] })).verdict).toBe('fail')
    expect((await judged({ when, then: [next(get('things/{id}'), succeeds)] })).verdict).toBe('not-verified')
  })

  test('is not verified if the effect of a refusal cannot be read; a success is still a fail', async () => {
    refusals['GET /v1/things/assay-r1-1-thing'] = 405
    const refusing = { given: [], when: post('things/{thing}', {}), then: [refused(get('things/{thing}'))] as const }
    expect(await judged(refusing)).toMatchObject({ verdict: 'fail', mismatches: [{ at: 'status' }] })
    refusals['POST /v1/things/assay-r1-2-thing'] = 400
    refusals['GET /v1/things/assay-r1-2-thing'] = 405
    const blind = await judged(refusing, sessions[0])
    expect(blind).toMatchObject({
      verdict: 'not-verified',
      blocker: { reason: expect.stringContaining('cannot read the current state: GET things/') },
    })
    expect(phases(blind)).toEqual(['before GET', 'when POST', 'then GET', 'then GET'])
  })

  test('treats a refused read as absence if the read succeeds after the positive twin', async () => {
    absent = 405
    const refusing = {
      given: [],
      when: post('things/{thing}', {}, { query: { odd: 'true' } }),
      then: [refused(get('things/{thing}'))] as const,
    }
    refusals['POST /v1/things/assay-r1-1-thing?odd=true'] = 400
    expect((await judged({ ...refusing, control: made })).verdict).toBe('pass')
    refusals['POST /v1/things/assay-r1-2-thing?odd=true'] = 400
    refusals['GET /v1/things/assay-r1-2-thing'] = 405
    const blind = await judged({ ...refusing, control: made }, sessions[0])
    expect(blind).toMatchObject({
      verdict: 'not-verified',
      blocker: { reason: expect.stringContaining('cannot read the current state: GET things/') },
    })
  })

  test('is not verified if the control is refused, too', async () => {
    refusals['/v1/things/wrong'] = 400
    refusals['/v1/things/right'] = 400
    const negative = {
      when: get('things/wrong'),
      then: [refused(unseen('it only reads'))] as const,
      control: get('things/right'),
    }
    expect(await judged(negative)).toMatchObject({ verdict: 'not-verified', blocker: { kind: 'control' } })
    delete refusals['/v1/things/right']
    things.set('/v1/things/right', {})
    expect(await judged(negative)).toMatchObject({ verdict: 'pass', control: 'GET `things/right`' })
  })

  test('fails at a denial if the target says that the token is allowed, and else lacks permission', async () => {
    refusals['/v1/things/assay-r1-1-thing'] = 403
    expect((await judged({ given: [] })).verdict).toBe('fail')
    granted = ['deny']
    expect(await judged({ given: [] })).toMatchObject({ verdict: 'not-verified', blocker: { kind: 'permission' } })
  })

  test.each(['deny', 'unknown'])('a denial contradicts no other statement either (%s)', async (said) => {
    const then = [about(advice, succeeds)] as const
    refusals['/v1/things/assay-r1-1-thing'] = 403
    expect(await judged({ given: [], then })).toMatchObject({ verdict: 'warn', own: { verdict: 'pass' } })
    granted = [said]
    if (said === 'unknown') refusals['/v1/capabilities'] = 404
    const lacking = { verdict: 'not-verified', blocker: { kind: 'permission' }, mismatches: [] }
    expect(await judged({ given: [], then })).toMatchObject(lacking)
  })

  test('a denied write proves nothing unless the token has create and update', async () => {
    refusals['POST /v1/things/assay-r1-1-thing'] = 403
    refusals['POST /v1/things/assay-r1-2-thing'] = 403
    const writing = { given: [], when: post('things/{thing}', {}), then: [succeeds] as const }
    granted = ['update', 'delete']
    expect(await judged(writing)).toMatchObject({ verdict: 'not-verified', blocker: { kind: 'permission' } })
    granted = ['create', 'update']
    expect((await judged(writing, sessions[0])).verdict).toBe('fail')
  })

  describe('because an option was refused', () => {
    const option = (status: number): Partial<CheckBody> => {
      refusals['/v1/options'] = status
      return { given: [optional(post('options', {}))] }
    }
    /** Sends a request that the target need not accept. */
    const optional = (exchange: Exchange): Action => ({
      ...{ kind: 'action', words: exchange.path, touches: [exchange] },
      async run(scope) {
        const reply = await scope.send(exchange)
        if (reply.status >= 400) throw DoesNotApply.refused(reply, 'no statement says that it must be taken')
      },
    })

    test.each([400, 404, 405, 409, 422, 500])('with %d does not apply if the token may send it', async (status) => {
      expect((await judged(option(status))).verdict).toBe('not-applicable')
    })

    test('is not verified if the target does not say that the token may send it', async () => {
      granted = ['read']
      expect(await judged(option(400))).toMatchObject({
        verdict: 'not-verified',
        blocker: { code: 'denied', reason: expect.stringContaining('which lacks create and update on options') },
      })
      refusals['/v1/capabilities'] = 404
      expect((await judged(option(400))).blocker?.code).toBe('denied')
    })

    test('does not apply if such a request was accepted in the same run', async () => {
      refusals['/v1/capabilities'] = 404
      delete refusals['/v1/options']
      const opened = await session()
      expect((await judged({ given: [], when: post('options', {}) }, opened)).verdict).toBe('pass')
      expect((await judged(option(400), opened)).verdict).toBe('not-applicable')
    })

    test.each([401, 403])('is never shown by %d, whatever the token may do', async (status) => {
      expect(await judged(option(status))).toMatchObject({ verdict: 'not-verified', blocker: { kind: 'permission' } })
    })

    test('is not shown by a reply of the way', async () => {
      expect(await judged(option(502))).toMatchObject({ verdict: 'not-verified' })
    })
  })

  test('what a reply does not show needs a success', async () => {
    const unseenIn = (status: number): Partial<CheckBody> => {
      refusals['/v1/things/odd'] = status
      const judge: Expectation['judge'] = ({ reply }) => {
        throw DoesNotApply.shown(reply, 'no reply shows `size`')
      }
      return { given: [], when: get('things/odd'), then: [{ words: 'it is seen', judge }] }
    }
    things.set('/v1/things/odd', {})
    expect((await judged(unseenIn(0))).verdict).toBe('not-applicable')
    for (const status of [400, 403, 500]) expect((await judged(unseenIn(status))).verdict).toBe('not-verified')
  })

  test('names what the token lacks, even if the check passes otherwise', async () => {
    refusals['POST /v1/things/assay-r1-1-thing'] = 403
    granted = ['read']
    things.set('/v1/things/other', {})
    const unheeded: Action = {
      ...{ kind: 'action', words: 'a thing may be made', touches: [made] },
      run: async (scope) => void (await scope.send(made)),
    }
    expect(await judged({ given: [unheeded], when: get('things/other') })).toMatchObject({
      verdict: 'not-verified',
      blocker: { reason: expect.stringContaining('which lacks create and update on things/assay-*') },
    })
  })

  test('says that the token is lost if it may not even look itself up', async () => {
    for (const path of ['/v1/things/assay-r1-1-thing', '/v1/capabilities', '/v1/lookup']) refusals[path] = 403
    expect(await judged({})).toMatchObject({ verdict: 'not-verified', blocker: { code: 'token-lost' } })
  })

  test('is not verified if a reply is too large', async () => {
    const missing = { verdict: 'not-verified', blocker: { kind: 'reply-size', mend: expect.any(String) } }
    refusals['GET /v1/things/assay-r1-1-thing'] = oversized
    const result = await judged({})
    expect(result).toMatchObject(missing)
    expect(result.blocker?.reason).toMatch(/the reply body is larger than 8 MiB$/)
    refusals['GET /v1/things/assay-r1-1-thing'] = headed
    expect(await judged({})).toMatchObject(missing)
  })

  test('takes back what it made even if replies are too large', async () => {
    refusals['GET /v1/things/assay-r1-1-thing'] = oversized
    refusals['DELETE /v1/things/assay-r1-1-thing'] = oversized
    const result = await judged({})
    expect(phases(result)).toEqual(['given POST', 'when GET', 'undo DELETE'])
    expect(result.exchanges[2]?.attempts[0]?.trouble).toBe('the reply body is larger than 8 MiB')
  })

  test('is not verified if the connection breaks and the target does not answer other requests either', async () => {
    cut = /things|health/
    const result = await judged({})
    expect(result).toMatchObject({ verdict: 'not-verified', blocker: { code: 'target-failing' } })
    expect(things.size).toBe(0)
  })

  test('is not verified if the target stays busy, unless that is judged', async () => {
    refusals['GET /v1/things/busy'] = 503
    expect(await judged({ when: get('things/busy') })).toMatchObject({
      verdict: 'not-verified',
      blocker: { kind: 'failing-target' },
    })
    const once = get('things/busy', { once: true })
    expect((await judged({ when: once, then: [status(503)] })).verdict).toBe('pass')
  })

  test.each([429, 502, 503, 504])(
    'is not verified after %i, which is neither a refusal nor a finding',
    async (code) => {
      refusals['GET /v1/things/busy'] = code
      const when = get('things/busy', { once: true })
      const unread = unseen('nothing is made')
      for (const then of [refused(unread), succeeds, about(advice, succeeds)])
        expect(await judged({ when, then: [then] })).toMatchObject({
          verdict: 'not-verified',
          blocker: { reason: expect.stringContaining('neither a success nor a refusal') },
        })
      const trigger = get('things/busy', { isTrigger: true, once: true })
      const state: Expectation = { words: 'the state is read', judge: () => undefined }
      expect((await judged({ when: trigger, then: [state] })).verdict).toBe('pass')
    },
  )

  test('is an error after a defect of the suite, which no finding hides', async () => {
    const broken = { words: 'breaks', judge: () => JSON.parse('no JSON') }
    const result = await judged({ then: [status(410), broken] })
    expect(result).toMatchObject({ verdict: 'error', blocker: { kind: 'suite' } })
    expect((await judged({ when: get('things/{nobody}') })).blocker?.reason).toMatch(/unknown name `nobody`/)
    expect((await judged({ requirement: 'policies.thing.unknown' })).blocker?.reason).toMatch(/no requirement policies/)
    expect(things.size).toBe(0)
  })

  test('is not verified if an action gives up', async () => {
    const run = async () => {
      throw new StepFailed('not-in-time', { what: 'it', saw: 'nothing' })
    }
    const { verdict, blocker } = await judged({ given: [{ kind: 'action', words: 'waits', touches: [], run }] })
    expect({ verdict, blocker }).toMatchObject({
      verdict: 'not-verified',
      blocker: {
        code: 'not-in-time',
        facts: { what: 'it', saw: 'nothing' },
        mend: expect.stringContaining('patienceSeconds'),
      },
    })
  })
})

describe('a check that is not started', () => {
  const none = async (body: Partial<CheckBody>, plan: Partial<SessionPlan> = {}, parts: SessionParts = {}) => {
    const result = await judged(body, await session(plan, parts))
    expect(server.asked).toHaveLength(0)
    return result
  }

  test('holds for another edition or version, which is shown with the evidence', async () => {
    const facts = { edition: 'community', version: '1.1.9' } as const
    const evidence = { edition: 'GET sys/health' }
    expect(await none({ requirement: 'policies.thing.premium' }, { facts, evidence })).toMatchObject({
      verdict: 'not-applicable',
      blocker: { kind: 'edition', reason: 'holds for edition premium; the target is community (GET sys/health)' },
    })
    expect(await none({ requirement: 'policies.thing.since' }, { facts })).toMatchObject({
      verdict: 'not-applicable',
      blocker: { kind: 'version' },
    })
  })

  test('depends on an unknown fact', async () => {
    expect(await none({ requirement: 'policies.thing.premium' })).toMatchObject({
      verdict: 'not-verified',
      blocker: { kind: 'unknown-fact', mend: 'give declared.edition in the profile' },
    })
  })

  test('is above the ceiling, lacks what it needs, or comes after an interrupt', async () => {
    expect((await none({ safety: 'disruptive' })).blocker?.kind).toBe('safety')
    expect((await none({ needs: ['clusters'] })).blocker?.kind).toBe('need')
    const stopped = await none({}, {}, { signal: AbortSignal.abort() })
    expect(stopped).toMatchObject({ verdict: 'not-verified', blocker: { kind: 'interrupted' } })
  })

  test('an interrupt in the middle of a check still takes back what it made', async () => {
    const stop = new AbortController()
    const run = async () => stop.abort()
    const opened = await session({}, { signal: stop.signal })
    const result = await judged({ given: [made, { kind: 'action', words: 'stops', touches: [], run }] }, opened)
    expect(result).toMatchObject({ verdict: 'not-verified', blocker: { kind: 'interrupted' } })
    expect(phases(result)).toEqual(['given POST', 'undo DELETE'])
  })
})

describe('an object that a check made', () => {
  test('stays in the journal if it cannot be taken back', async () => {
    refusals['DELETE /v1/things/assay-r1-1-thing'] = 500
    expect((await judged({})).verdict).toBe('pass')
    expect(readJournal(journalFile).open).toMatchObject([{ path: 'things/assay-r1-1-thing' }])
  })

  test('is not left in the journal if its creation was refused', async () => {
    refusals['/v1/things/assay-r1-1-thing'] = 403
    await judged({})
    expect(readJournal(journalFile).open).toEqual([])
  })
})

describe('a journal that cannot be written', () => {
  test('from the start prevents a check from making anything, and blames neither target nor suite', async () => {
    const opened = await session({ journalFile: '/dev/full' })
    const result = await judged({}, opened)
    expect(result).toMatchObject({
      verdict: 'not-verified',
      blocker: { kind: 'given', reason: expect.stringContaining('the journal /dev/full cannot be written (') },
    })
    expect(result.exchanges).toEqual([])
    expect(things.size).toBe(0)
  })

  test('in the middle of a run does not prevent undos', async () => {
    const opened = await session()
    const { journal } = opened
    let isFull = false
    const filling = {
      ...journal,
      intend(undo: Parameters<typeof journal.intend>[0]) {
        if (isFull) throw new JournalUnwritable(journalFile, 'ENOSPC')
        const id = journal.intend(undo)
        isFull = true
        return id
      },
    }
    const more = post('things/{thing}-more', { value: 1 }, { undo: del('things/{thing}-more') })
    const result = await judged({ given: [made, more] }, { ...opened, journal: filling })
    expect(result).toMatchObject({ verdict: 'not-verified', blocker: { kind: 'given' } })
    expect(phases(result)).toEqual(['given POST', 'undo DELETE'])
    expect(things.size).toBe(0)
  })
})

describe('a target that cuts the connection at one request, and serves the rest', () => {
  const made = { undo: del('things/{thing}') }

  test('fails a check that judges this request, at a read that was tried four times in each of two rounds', async () => {
    cut = /^GET .*things/
    const result = await judged({})
    expect(result).toMatchObject({
      verdict: 'fail',
      mismatches: [
        {
          asked: 'GET things/assay-r1-2-thing',
          at: 'connection',
          wanted: 'a reply',
          saw: 'the connection cut 8 times of 8',
        },
      ],
    })
    expect(things.size).toBe(0)
  })

  test('fails it at a write that was cut in three rounds, each with names of its own', async () => {
    cut = /^POST .*things/
    const result = await judged({ given: [], when: post('things/{thing}', {}, made), then: [refused(unseen('test'))] })
    expect(result).toMatchObject({
      verdict: 'fail',
      mismatches: [{ at: 'connection', asked: 'POST things/assay-r1-3-thing' }],
    })
    const asked = server.asked.filter(({ method, path }) => method === 'POST' && path.includes('things'))
    expect(asked.map(({ path }) => path)).toEqual([1, 2, 3].map((n) => `/v1/things/assay-r1-${n}-thing`))
  })

  test('warns if a should is judged', async () => {
    cut = /^GET .*things/
    expect((await judged({ requirement: 'policies.thing.should' })).verdict).toBe('warn')
  })

  test('contradicts a statement about that request, where another request is judged', async () => {
    cut = /^POST .*things/
    const result = await judged({ given: [post('things/{thing}', {}, made)] })
    expect(result).toMatchObject({
      verdict: 'fail',
      mismatches: [{ at: 'connection', requirement: 'policies.thing.write' }],
      own: { verdict: 'not-verified', blocker: { kind: 'transport' } },
    })
    expect(result.own?.blocker?.reason).toBe(
      'the target cut the connection at POST things/assay-*-thing (3 times of 3), but replies to other requests',
    )
  })

  test('is an obstacle at a request that no document names', async () => {
    cut = /^POST .*unnamed/
    const result = await judged({ given: [post('unnamed', {})] })
    expect(result).toMatchObject({ verdict: 'not-verified', blocker: { kind: 'transport' }, mismatches: [] })
  })

  test('only once gives no finding, and the check is judged again', async () => {
    cut = /^POST .*things/
    cutsLeft = 1
    const result = await judged({ given: [post('things/{thing}', {}, made)] })
    expect(result.verdict).toBe('pass')
    expect(result.exchanges[0]?.url).toContain('assay-r1-2-thing')
  })

  test('does not cause a disruptive check to be judged again', async () => {
    cut = /^POST .*things/
    const body = { safety: 'disruptive', given: [post('things/{thing}', {}, made)] } as const
    const result = await judged(body, await session({ ceiling: 'disruptive' }))
    expect(result.verdict).toBe('not-verified')
    expect(server.asked.filter(({ method, path }) => method === 'POST' && path.includes('things'))).toHaveLength(1)
  })
})

test.each([new Interrupted(), new FailedFast(), new TimeIsUp(1), new CircuitOpen()])(
  'the end of a run is no defect of the suite: $name',
  (end) => {
    expect([isForeseen(end), isForeseen(new Error('another one'))]).toEqual([true, false])
  },
)
