import { describe, expect, test } from 'vitest'
import { type Expectation, type Reply, type Scope, StepFailed } from '../../harness/vocabulary/index.ts'
import { performance } from './kind.ts'
import { becomes, hasOtherId, remains, stays } from './then-roles.ts'

const reply = (mode: string | undefined, { status = 200, id = 'a' } = {}): Reply => ({
  status,
  json: mode === undefined ? {} : { data: { mode, cluster_id: id } },
  headers: {},
  text: '',
  bytes: new Uint8Array(),
  asked: 'GET status',
  at: 0,
})
const [taken, refused] = [reply(undefined), reply(undefined, { status: 400 })]

/** A status that shows these values one after another, and the last of them from then on. */
async function judged(expectation: Expectation, trigger: Reply, ...shown: readonly Reply[]) {
  const left = [...shown]
  const next = async () => (left.length > 1 ? left.shift() : left[0]) as Reply
  const scope = {
    patience: 60,
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
const [primary, secondary, disabled, dead] = [
  reply('primary'),
  reply('secondary'),
  reply('disabled'),
  reply(undefined, { status: 500 }),
]

describe('a cluster stays what it was', () => {
  const as = stays(performance, 'second')
  test('where it does, though it may say nothing for a moment', async () => {
    expect(await judged(as, taken, secondary, dead, secondary)).toBeUndefined()
    expect(await judged(as, refused, secondary, dead, dead, secondary)).toBeUndefined()
  })
  test('and not where it changes some time after a success', async () => {
    expect(await judged(as, taken, secondary, secondary, secondary, primary)).toMatchObject({ at: 'mode' })
    expect(await judged(as, refused, secondary, reply('secondary', { id: 'b' }))).toMatchObject({ at: 'mode' })
  })
  test('and may show no id for a moment, but not for good', async () => {
    const anonymous = reply('secondary', { id: '' })
    expect(await judged(as, taken, secondary, anonymous, secondary)).toBeUndefined()
    expect(await judged(as, refused, secondary, anonymous, secondary)).toBeUndefined()
    expect(await judged(as, refused, secondary, anonymous)).toMatchObject({ at: 'mode', saw: 'secondary' })
  })
  test('and not known where it says nothing any more', async () => {
    await expect(judged(as, refused, secondary, dead)).rejects.toBeInstanceOf(StepFailed)
  })
})

test('a role that remains is given up for a moment at most', async () => {
  const as = remains(performance, 'second', 'secondary')
  expect(await judged(as, taken, secondary)).toBeUndefined()
  expect(await judged(as, taken, disabled, secondary)).toBeUndefined()
  expect(await judged(as, taken, secondary, disabled)).toMatchObject({ at: 'mode', saw: 'disabled' })
  await expect(judged(as, refused, secondary)).rejects.toBeInstanceOf(StepFailed)
})

test('a role is waited for after a success only', async () => {
  const as = becomes(performance, 'second', 'primary')
  expect(await judged(as, taken, secondary, dead, primary)).toBeUndefined()
  expect(await judged(as, refused, secondary, primary)).toMatchObject({ at: 'status' })
})

test('the status decides where something before the server answered the trigger', async () => {
  const lost = reply(undefined, { status: 502 })
  const as = becomes(performance, 'second', 'primary')
  expect(await judged(as, lost, secondary, dead, primary)).toBeUndefined()
  await expect(judged(as, lost, secondary)).rejects.toBeInstanceOf(StepFailed)
})

test('another id may be shown later than the role', async () => {
  const as = hasOtherId(performance, 'second', 'primary')
  expect(await judged(as, taken, primary, primary, reply('primary', { id: 'b' }))).toBeUndefined()
  expect(await judged(as, taken, primary)).toMatchObject({ at: 'cluster_id' })
})
