import { describe, expect, test } from 'vitest'
import { type Expectation, type Reply, type Scope, StepFailed } from '../../../harness/vocabulary/index.ts'
import { performance } from '../kind.ts'
import { becomes, hasOtherId, remains, stays } from './roles.ts'

const reply = (mode: string | undefined, { status = 200, id = 'a' } = {}): Reply => ({
  status,
  json: mode === undefined ? {} : { data: { mode, cluster_id: id } },
  headers: {},
  text: '',
  bytes: new Uint8Array(),
  asked: 'GET status',
  at: 0,
})
const [accepted, refused] = [reply(undefined), reply(undefined, { status: 400 })]

/** Judges a status that shows these values one after another, and then the last of them for ever. */
async function judged(expectation: Expectation, trigger: Reply, ...shown: readonly Reply[]) {
  const left = [...shown]
  const next = async () => (left.length > 1 ? left.shift() : left[0]) as Reply
  const scope = {
    patience: 60,
    endedRoles: { note: () => {} },
    value: () => 'a',
    send: next,
    async poll(_: unknown, until: (seen: Reply) => boolean, seconds = 10) {
      let seen = await next()
      for (let time = 0; time < seconds && !until(seen); time += 1) seen = await next()
      return seen
    },
  } as unknown as Scope
  const before = await expectation.before?.(scope)
  return expectation.judge({ reply: trigger, scope }, before)
}
const [primary, secondary, disabled, unavailable] = [
  reply('primary'),
  reply('secondary'),
  reply('disabled'),
  reply(undefined, { status: 500 }),
]

describe('a cluster keeps its role and id', () => {
  const expectation = stays(performance, 'second')
  test('even if its status cannot be read for a moment', async () => {
    expect(await judged(expectation, accepted, secondary, unavailable, secondary)).toBeUndefined()
    expect(await judged(expectation, refused, secondary, unavailable, unavailable, secondary)).toBeUndefined()
  })
  test('unless one of them changes, even some time after a success', async () => {
    expect(await judged(expectation, accepted, secondary, secondary, secondary, primary)).toMatchObject({ at: 'mode' })
    expect(await judged(expectation, refused, secondary, reply('secondary', { id: 'b' }))).toMatchObject({ at: 'mode' })
  })
  test('even if it shows no id for a moment, but not if the id stays away', async () => {
    const anonymous = reply('secondary', { id: '' })
    expect(await judged(expectation, accepted, secondary, anonymous, secondary)).toBeUndefined()
    expect(await judged(expectation, refused, secondary, anonymous, secondary)).toBeUndefined()
    expect(await judged(expectation, refused, secondary, anonymous)).toMatchObject({ at: 'mode', saw: 'secondary' })
  })
  test('is not decided if its status can no longer be read', async () => {
    await expect(judged(expectation, refused, secondary, unavailable)).rejects.toBeInstanceOf(StepFailed)
  })
})

test('a role that must remain may be lost only for a moment', async () => {
  const expectation = remains(performance, 'second', 'secondary')
  expect(await judged(expectation, accepted, secondary)).toBeUndefined()
  expect(await judged(expectation, accepted, disabled, secondary)).toBeUndefined()
  expect(await judged(expectation, accepted, secondary, disabled)).toMatchObject({ at: 'mode', saw: 'disabled' })
  await expect(judged(expectation, refused, secondary)).rejects.toBeInstanceOf(StepFailed)
})

test('a new role is awaited only after a success', async () => {
  const expectation = becomes(performance, 'second', 'primary')
  expect(await judged(expectation, accepted, secondary, unavailable, primary)).toBeUndefined()
  expect(await judged(expectation, refused, secondary, primary)).toMatchObject({ at: 'status' })
})

test('the status decides if a gateway, and not the server, answered the trigger', async () => {
  const lost = reply(undefined, { status: 502 })
  const expectation = becomes(performance, 'second', 'primary')
  expect(await judged(expectation, lost, secondary, unavailable, primary)).toBeUndefined()
  await expect(judged(expectation, lost, secondary)).rejects.toBeInstanceOf(StepFailed)
})

test('the new id may appear later than the role', async () => {
  const expectation = hasOtherId(performance, 'second', 'primary')
  expect(await judged(expectation, accepted, primary, primary, reply('primary', { id: 'b' }))).toBeUndefined()
  expect(await judged(expectation, accepted, primary)).toMatchObject({ at: 'cluster_id' })
})
