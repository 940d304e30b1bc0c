import { expect, test } from 'vitest'
import type { Exchange, Expectation, Json, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { DoesNotApply, get, StepFailed } from '../../harness/vocabulary/index.ts'
import { eachAsWritten, ifShown, names, namesExactly, namesNot, showsAsWritten, stillAsWritten } from './shown.ts'

const reply = (json: Json, status = 200, asked = 'GET one'): Reply => ({
  ...{ status, json, asked, headers: {}, text: JSON.stringify(json), bytes: new Uint8Array(), at: 0 },
})
const scope = (other: Json = {}) =>
  ({ fill: (text: string) => text, send: async (_: Exchange) => reply(other, 200, 'GET other') }) as unknown as Scope
const judged = async (expectation: Expectation, json: Json, { status = 200, other = {} as Json } = {}) =>
  expectation.judge({ reply: reply(json, status), scope: scope(other) }, undefined)

const one = { credential_type: 'iam_user', policy_arns: ['arn:a', 'arn:b'] }
const other = { credential_type: 'iam_user', policy_arns: ['arn:c'] }
const each = eachAsWritten(one, get('other'), other, 'cloud/transitions/post-creates-a-role')

test('a read that shows none of the fields does not apply, and one that shows some is judged by those', async () => {
  for (const silent of [{}, { data: null }, { data: { other: 1 } }])
    await expect(judged(showsAsWritten(one), silent)).rejects.toThrow(DoesNotApply)
  expect(await judged(showsAsWritten(one), { data: { policy_arns: 'arn:b,arn:a' } })).toBeUndefined()
  expect(await judged(showsAsWritten(one), { data: { policy_arns: ['arn:a'] } })).toBeDefined()
  expect(await judged(showsAsWritten(one), {}, { status: 404 })).toBeDefined()
})

test('a field that was shown before must still be shown', async () => {
  const kept = stillAsWritten(get('one'), one)
  const was = await kept.before?.(scope({ data: { ...one, policy_arns: null } }))
  const after = async (json: Json) => kept.judge({ reply: reply({}), scope: scope(json) }, was)
  expect(await after({ data: { credential_type: 'iam_user' } })).toBeUndefined()
  expect(await after({ data: one })).toBeUndefined()
  for (const wrong of [{ policy_arns: one.policy_arns }, { ...one, credential_type: 'federation_token' }])
    expect(await after({ data: wrong })).toMatchObject({ at: 'credential_type' })
})

test('a document may be shown as an object, and tags as objects with a key and a value', async () => {
  const written = { policy_document: '{"Statement":{"Effect":"Allow"}}', iam_tags: ['a=b', 'c=d'] }
  const tags = [
    { Key: 'c', Value: 'd' },
    { key: 'a', value: 'b' },
  ]
  const read = { policy_document: { Statement: [{ Effect: 'Allow' }] }, iam_tags: tags }
  expect(await judged(showsAsWritten(written), { data: read })).toBeUndefined()
  for (const wrong of [{ policy_document: { Statement: [{ Effect: 'Deny' }] } }, { iam_tags: tags.slice(1) }])
    expect(await judged(showsAsWritten(written), { data: { ...read, ...wrong } })).toBeDefined()
})

test('two objects must be shown with a field in which they differ', async () => {
  expect(await judged(each, one, { other })).toBeUndefined()
  expect(await judged(each, one, { other: one })).toMatchObject({ asked: 'GET other' })
  const typeOnly = { credential_type: 'iam_user' }
  await expect(judged(each, typeOnly, { other: typeOnly })).rejects.toThrow(DoesNotApply)
})

test('a shown field must have its value, and a refused read is judged by another check', async () => {
  const lease = ifShown('lease', '1h', 'cloud/fields-lease/lease-configuration-is-read')
  expect(await judged(lease, { data: { lease: '1h' } })).toBeUndefined()
  expect(await judged(lease, { data: { lease: '2h' } })).toBeDefined()
  await expect(judged(lease, { data: {} })).rejects.toThrow(DoesNotApply)
  await expect(judged(lease, {}, { status: 405 })).rejects.toThrow(StepFailed)
})

test.each<[string, (all: readonly string[]) => Json]>([
  ['keys', (all) => ({ data: { keys: all } })],
  ['another field', (all) => ({ data: { roles: all } })],
  ['a bare array', (all) => all],
  ['objects', (all) => ({ data: { keys: all.map((name) => ({ type: 'iam_user', name })) } })],
  ['fields of an object', (all) => ({ data: { keys: Object.fromEntries(all.map((name) => [name, {}])) } })],
])('names of roles are found in %s', async (_where, listed) => {
  expect(await judged(names('worker'), listed(['worker/', 'other']))).toBeUndefined()
  expect(await judged(names('worker'), listed(['workers']))).toBeDefined()
  expect(await judged(namesExactly('worker', 'other'), listed(['other', 'worker']))).toBeUndefined()
  expect(await judged(namesExactly('worker', 'other'), listed(['other', 'worker', 'third']))).toBeDefined()
  expect(await judged(namesNot('worker', 'other'), listed(['other']))).toBeUndefined()
  expect(await judged(namesNot('worker', 'other'), listed(['other', 'worker']))).toBeDefined()
})

test('a refused list request proves nothing about names', async () => {
  expect(await judged(names('worker'), {}, { status: 403 })).toMatchObject({ saw: expect.stringContaining('403') })
  expect(await judged(namesNot('worker', 'other'), {}, { status: 404 })).toBeDefined()
})
