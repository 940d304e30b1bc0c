import { expect, test } from 'vitest'
import type { Exchange, Json, Reply } from '../vocabulary/index.ts'
import { vault } from './dialects/vault.ts'
import { shapesServed } from './shapes-served.ts'

const replyOf = (status: number, json?: Json): Reply => ({
  ...{ status, headers: {}, json, text: JSON.stringify(json ?? ''), bytes: Buffer.alloc(0), asked: '', at: 0 },
})
const answering = (status: number, json?: Json) => async (exchange: Exchange) => {
  const reply = /assay-probe\/method/.test(exchange.path)
    ? replyOf(404, { errors: ['unsupported path'] })
    : replyOf(status, json)
  return { url: '', headers: {}, attempts: [], reply }
}
const seen = (subject: string, ...reply: Parameters<typeof answering>) =>
  shapesServed(vault, [subject], answering(...reply))

for (const subject of ['mfa-legacy', 'mfa-identity'])
  test(`${subject} is seen by asking for it`, async () => {
    const served = [await seen(subject, 200, { data: {} }), await seen(subject, 404, { errors: [] })]
    expect(served.map(({ forms }) => forms)).toEqual([{ [subject]: 'served' }, { [subject]: 'served' }])
    const absent = await Promise.all(
      ['unsupported path', 'enterprise-only feature'].map((text) => seen(subject, 404, { errors: [text] })),
    )
    expect(absent.map(({ forms }) => forms)).toEqual([{ [subject]: 'absent' }, { [subject]: 'absent' }])
    expect(absent[0]?.evidence[`form of ${subject}`]).toMatch(/^(GET|LIST) .* answered 404$/)
  })

test('an answer that says nothing leaves the shape open', async () => {
  expect((await seen('mfa-legacy', 404, { errors: ['no such method'] })).forms).toEqual({})
  for (const status of [400, 403, 405, 500, 503])
    expect((await seen('mfa-legacy', status, { errors: ['no'] })).forms).toEqual({})
  expect((await seen('cloud', 200)).forms).toEqual({})
})

test('a server that says of every path that nothing is there shows no shape by it', async () => {
  const reply = replyOf(404, { errors: [] })
  const everywhere = async () => ({ url: '', headers: {}, attempts: [], reply })
  expect((await shapesServed(vault, ['mfa-legacy', 'mfa-identity'], everywhere)).forms).toEqual({})
})
