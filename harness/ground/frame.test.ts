import { describe, expect, test } from 'vitest'
import { requirements, topics } from '../../suites/index.ts'
import { type Front, withFront } from '../commands/front.test-bed.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { referenceTarget, startReference } from '../targets/mock.ts'
import { toldOnce } from '../verdict/told-once.ts'
import { get, type Json, type Reply } from '../vocabulary/index.ts'
import { framed } from './frame.ts'

const reply = (status: number, json?: Json): Reply => ({
  ...{ status, json, headers: {}, bytes: new Uint8Array(), asked: 'GET thing', at: 0 },
  text: json === undefined ? '' : JSON.stringify(json),
})
const frame = [{ read: get('thing'), gone: 'thing.reads', changed: { colour: 'thing.colour.kept' } }]

/** Returns what is found if the thing is read so before and after. */
async function between(before: Reply, after: Reply) {
  const replies = [before, after]
  const send = async () => replies.shift() ?? reply(500)
  const changesIn = await framed({ frame }, { send, own: { denied: [] } })
  const found = await changesIn({ ...reply(204), asked: 'POST other' })
  return found.map(({ at, wanted, saw, requirement }) => [at, wanted, saw, requirement])
}
const shows = (data: Json): Reply => reply(200, { data })

describe('an object that a request does not name', () => {
  test('may be read as before, with what the documents do not know', async () => {
    expect(await between(shows({ colour: ['a', 'b'] }), shows({ colour: ['b', 'a'], reads: 2 }))).toEqual([])
  })

  test('contradicts the row of a field that has changed', async () => {
    expect(await between(shows({ colour: 'red' }), shows({ colour: 'blue' }))).toEqual([
      ['colour', '"red" as before POST other', '"blue"', 'thing.colour.kept'],
    ])
    expect(await between(shows({ colour: 'red' }), shows({}))).toEqual([
      ['colour', '"red" as before POST other', 'nothing', 'thing.colour.kept'],
    ])
  })

  test.each([404, 204, 400])('contradicts the row of the read if it is gone with status %i', async (status) => {
    expect(await between(shows({ colour: 'red' }), reply(status))).toMatchObject([
      ['status', '200 as before POST other', String(status), 'thing.reads'],
    ])
  })

  test.each([403, 429, 500, 503])('is not known to be changed if a read afterwards answers %i', async (status) => {
    expect(await between(shows({ colour: 'red' }), reply(status))).toEqual([])
  })

  test.each([403, 404, 405])('is not looked at again if it could not be read before: %i', async (status) => {
    expect(await between(reply(status), shows({ colour: 'blue' }))).toEqual([])
  })
})

/** Judges the checks that look at a role around an issued certificate, behind a front. */
async function judgedBehind(front: Front) {
  const server = await startReference({ edition: 'premium', seed: 1 })
  const { url: _, ...target } = referenceTarget(server)
  try {
    return await withFront(server.url, front, async (url) => {
      const facts = { edition: 'premium', version: '1.14.0', features: server.features } as const
      const session = await openSession({
        ...{ target: { ...target, url }, facts, runId: 'framed', seed: 1, ceiling: 'scoped', jobs: 1, level: 'should' },
        ...{ requirements },
      })
      const issuing = topics.flatMap(({ topic }) =>
        topic.checks
          .filter(({ frame = [], when }) => frame.length > 0 && when.kind === 'exchange' && /issue/.test(when.path))
          .map((check) => ({ topic, check })),
      )
      const judged = []
      for (const { topic, check } of issuing) judged.push(await judge(topic, check, session))
      await session.close()
      return toldOnce(judged, requirements)
    })
  } finally {
    await server.close()
  }
}

test('a server that changes a role when it issues is told so once, by the sentence about the role', async () => {
  const issued = new Set<string>()
  const results = await judgedBehind((asked) => {
    const [, method, mount, kind, name] = /^(\w+) \/v1\/([^/]+)\/(issue|roles)\/(\S+)/.exec(asked) ?? []
    const role = `${mount} ${name}`
    if (kind === 'issue') issued.add(role)
    if (method !== 'GET' || !issued.has(role)) return undefined
    return { back: (read) => ({ ...read, body: Buffer.from(String(read.body).replace(/"ttl":\d+/, '"ttl":7')) }) }
  })
  const found = results.flatMap(({ mismatches }) => mismatches)
  expect(found.map(({ requirement, at, saw }) => [requirement, at, saw])).toEqual([
    ['pki.roles.read.own-fields', 'ttl', '7'],
  ])
})

test('a token that may not read what is framed does not keep a check from being judged', async () => {
  const results = await judgedBehind((asked) => (/^GET \S+\/roles\//.test(asked) ? [403, 'denied'] : undefined))
  expect(results.length).toBeGreaterThan(0)
  expect(results.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict }) => [id, verdict])).toEqual([])
})
