import { describe, expect, test } from 'vitest'
import { get } from './exchange.ts'
import {
  absent,
  afterSuccess,
  type Expectation,
  eachRefused,
  field,
  fieldOf,
  isSuccess,
  type Json,
  keyed,
  keysOf,
  lists,
  mismatchesIn,
  notKeyed,
  type Reply,
  reads,
  refused,
  replyLacks,
  type Scope,
  StepFailed,
  status,
  takesEffect,
  together,
  unchanged,
  unseen,
  type Witness,
  works,
} from './index.ts'

const reply = (json: Json | undefined, status = 200): Reply => ({
  status,
  headers: {},
  json,
  text: json === undefined ? '' : JSON.stringify(json),
  bytes: new Uint8Array(),
  asked: 'GET thing',
  at: 0,
})

/** Makes a scope that returns these replies one after the other. */
function reading(...replies: readonly Reply[]): Scope {
  const left = [...replies]
  const send = async (): Promise<Reply> => left.shift() ?? reply(undefined, 500)
  return { send } as unknown as Scope
}

/** Returns what `unchanged` finds if the exchange reads these values, twice before and once after. */
async function found(...replies: readonly [Json, Json, Json | undefined]): Promise<string | undefined> {
  const scope = reading(...replies.map((json) => (json === undefined ? reply(undefined, 404) : reply(json))))
  const expectation = unchanged(get('thing'))
  const before = await expectation.before?.(scope)
  return (await expectation.judge({ reply: reply({}), scope }, before))?.saw
}

describe('eachRefused', () => {
  const judge = async (further: Reply) => {
    const expectation = eachRefused([get('other')], get('thing'))
    const before = await expectation.before?.(reading(reply({ a: 1 }), reply({ a: 1 })))
    const scope = reading(further, reply({ a: 1 }))
    return expectation.judge({ reply: reply({}, 400), scope }, before)
  }

  test('holds if the other request is refused, too, and not if it succeeds', async () => {
    expect(await judge(reply({}, 403))).toBeUndefined()
    expect(await judge(reply({}))).toMatchObject({ saw: expect.stringContaining('200') })
  })

  test('decides nothing about a reply that comes from a gateway', async () => {
    await expect(judge(reply(undefined, 502))).rejects.toThrow(StepFailed)
  })
})

describe('unchanged', () => {
  test('accepts the same data', async () => {
    expect(await found({ data: { a: 1 } }, { data: { a: 1 } }, { data: { a: 1 } })).toBeUndefined()
  })

  test('finds another value, a missing field, a new field, and nothing at all', async () => {
    const one = { data: { a: 1, b: { c: 1 } } }
    expect(await found(one, one, { data: { a: 2, b: { c: 1 } } })).toContain('"a":2')
    expect(await found(one, one, { data: { a: 1, b: {} } })).toBeDefined()
    expect(await found(one, one, { data: { a: 1, b: { c: 1 }, d: 1 } })).toContain('"d":1')
    expect(await found(one, one, undefined)).toContain('nothing there')
  })

  test('a refused read shows nothing, but a read that finds nothing shows absence', async () => {
    const reread = unchanged(get('thing'))
    const there = reply({ data: { a: 1 } })
    for (const status of [401, 403, 405, 429, 500, 503]) {
      const silent = reply({}, status)
      await expect(reread.before?.(reading(silent, silent))).rejects.toThrow(StepFailed)
      await expect(reread.before?.(reading(there, silent))).rejects.toThrow(StepFailed)
      const was = await reread.before?.(reading(there, there))
      await expect(reread.judge({ reply: reply({}), scope: reading(silent) }, was)).rejects.toThrow(StepFailed)
    }
    for (const status of [400, 404]) {
      const scope = reading(reply({}, status), reply({}, status), reply({}, status))
      expect(await reread.judge({ reply: reply({}), scope }, await reread.before?.(scope))).toBeUndefined()
    }
  })

  test('ignores ids and counters that change by themselves', async () => {
    const at = (count: number, a = 1): Json => ({ request_id: String(count), data: { a, seen: { reads: count } } })
    expect(await found(at(1), at(2), at(3))).toBeUndefined()
    expect(await found(at(1), at(2), at(3, 2))).toContain('"a":2')
    const bare = (count: number): Json => ({ request_id: String(count), data: null })
    expect(await found(bare(1), bare(2), bare(3))).toBeUndefined()
  })
})

test('what could not be read before, with any status, has appeared once it can be read', async () => {
  const judged = async (...readings: readonly Reply[]) => {
    const expectation = takesEffect(reads(get('thing'), { fields: ['a'] }))
    const scope = reading(...readings)
    const before = await expectation.before?.(scope)
    return expectation.judge({ reply: reply({}, 204), scope }, before)
  }
  for (const status of [403, 404, 405, 500, 501]) {
    expect(await judged(reply({}, status), reply({ data: { a: 1 } }))).toBeUndefined()
    await expect(judged(reply({}, status), reply({ data: null }))).rejects.toThrow('shows no effect')
  }
  await expect(judged(reply({}, 503), reply({ data: { a: 1 } }))).rejects.toThrow(StepFailed)
})

describe('absent', () => {
  const expectation = absent('thing', ['user', 'period'], get('thing'))
  const judged = (then: Reply, before?: Json) => expectation.judge({ reply: then, scope: reading() }, before)

  test('is what a refusal says, and a success that shows no field of the thing', async () => {
    for (const none of [{}, { data: null }, { data: { user: '', period: 0, other: 'x' } }])
      expect(await judged(reply(none))).toBeUndefined()
    expect(await judged(reply({ errors: [] }, 404))).toBeUndefined()
  })

  test("is not what a success says that shows somebody else's thing, or the same as before", async () => {
    expect(await judged(reply({ data: { user: 'another' } }))).toMatchObject({ at: 'user', wanted: 'absent' })
    expect(await judged(reply({ data: { is: 'there' } }), { data: { is: 'there' } })).toMatchObject({ at: 'body' })
    expect(await judged(reply({}, 503))).toBeDefined()
  })
})

describe('refused', () => {
  const refusal = reply({ errors: ['no'] }, 400)
  const one = reply({ data: { a: 1, at: 1 } })

  /** Returns the mismatch if the request gets the reply `when` and its witnesses read these replies, one after the
   * other. */
  async function judged(when: Reply, witnesses: readonly Witness[], ...readings: readonly Reply[]) {
    const [first, ...more] = witnesses
    if (!first) throw new RangeError('no witness')
    const expectation = refused(first, ...more)
    const scope = { ...reading(...readings), fill: (text: string) => text } as Scope
    const before = await expectation.before?.(scope)
    const found = await expectation.judge({ reply: when, scope }, before)
    if (!found) await expectation.confirm?.(scope, before)
    return found && `${found.asked}: ${found.at} is ${found.wanted}; saw ${found.saw}`
  }
  const whole = reads(get('thing'))
  const named = reads(get('thing'), { fields: ['a'] })

  test('accepts any 4xx or 5xx, and no success', async () => {
    const expectation = refused(unseen('nothing shows it'))
    expect(expectation.words).toContain('nothing shows it')
    for (const status of [400, 403, 404, 422, 500])
      expect(await expectation.judge({ reply: reply({}, status), scope: reading() }, undefined)).toBeUndefined()
    expect(await expectation.judge({ reply: reply({}, 204), scope: reading() }, undefined)).toMatchObject({
      at: 'status',
      saw: '204',
    })
  })

  test('requires that the witness reads the same as before', async () => {
    expect(await judged(refusal, [whole], one, one, one)).toBeUndefined()
    const changed = reply({ data: { a: 2, at: 1 } })
    expect(await judged(refusal, [whole], one, one, changed)).toContain('"a":2')
    expect(await judged(refusal, [named, whole], one, one, one, one, changed)).toContain('"at":1')
    expect(await judged(refusal, [whole], one, one, reply({}, 404))).toContain('saw nothing there')
  })

  test('reports every witness that reads something else', async () => {
    const expectation = refused(named, reads(get('other'), { fields: ['at'] }))
    const scope = reading(one, one, reply({ data: { a: 2, at: 2 } }), reply({ data: { a: 2, at: 2 } }))
    const found = await expectation.judge({ reply: refusal, scope }, await expectation.before?.(scope))
    expect(mismatchesIn(found).map(({ saw }) => saw)).toEqual(['{"a":2}', '{"at":2}'])
  })

  test('counts only the fields that a witness names, and reads them once', async () => {
    expect(await judged(refusal, [named], one, reply({ data: { a: 1, at: 7 } }))).toBeUndefined()
    expect(await judged(refusal, [named], one, reply({ data: { a: 3, at: 1 } }))).toContain('"a":3')
    // A success that shows nothing means absence, as a refusal does.
    expect(await judged(refusal, [named], reply({}, 404), reply({ data: null }))).toBeUndefined()
  })

  test('is decided by a success alone if the state cannot be read', async () => {
    for (const status of [403, 405, 500]) {
      const closed = reply({}, status)
      expect(await judged(reply({}, 204), [whole], closed)).toContain('saw 204')
      await expect(judged(refusal, [whole], closed, closed, closed)).rejects.toThrow(`GET thing answered ${status}`)
      await expect(judged(refusal, [whole], one, one, closed)).rejects.toThrow(StepFailed)
    }
  })

  test('reports a change that one witness shows even if another cannot read its state', async () => {
    const closed = reply({}, 405)
    expect(await judged(refusal, [named, named], closed, one, closed, reply({ data: { a: 2 } }))).toContain('"a":2')
    await expect(judged(refusal, [named, named], closed, one, one, one)).rejects.toThrow('answered 405')
  })

  test('trusts a refused read if the same read succeeds after the positive twin', async () => {
    const closed = reply({}, 405)
    expect(await judged(refusal, [named], closed, closed, one)).toBeUndefined()
    await expect(judged(refusal, [named], closed, one, one)).rejects.toThrow('answered 405')
    await expect(judged(refusal, [named], closed, reply({}, 501), one)).rejects.toThrow('answered 405')
  })

  test('can use a list as a witness, all of it or one name, in any order', async () => {
    const keys = (...names: string[]) => reply({ data: { keys: names } })
    expect(await judged(refusal, [lists(get('thing'))], keys('a', 'b'), keys('b', 'a'))).toBeUndefined()
    expect(await judged(refusal, [lists(get('thing'))], reply({ errors: [] }, 404), keys('a'))).toContain('["a"]')
    expect(await judged(refusal, [lists(get('thing'), 'a')], keys('b'), keys('b', 'c'))).toBeUndefined()
    expect(await judged(refusal, [lists(get('thing'), 'a')], keys('b'), keys('b', 'a'))).toContain('["a"]')
    expect(await judged(refusal, [lists(get('thing'), 'a')], reply({}, 403), reply({}, 403))).toBeUndefined()
    expect(await judged(refusal, [lists(get('thing'), 'a')], reply({}, 404), keys('a'))).toContain('["a"]')
  })

  test('can use as a witness that a request still succeeds', async () => {
    const broken = reply({ errors: ['no key'] }, 500)
    expect(await judged(refusal, [works(get('thing'))], one, one)).toBeUndefined()
    expect(await judged(refusal, [works(get('thing'))], one, broken)).toContain('no key')
    await expect(judged(refusal, [works(get('thing'))], broken, broken)).rejects.toThrow('GET thing answered 500')
  })

  test('a 500 means that nothing is there only if the witness says so', async () => {
    const empty = reads(get('thing'), { fields: ['a'], absentAs500: true })
    expect(await judged(refusal, [empty], reply({}, 500), reply({}, 404))).toBeUndefined()
    expect(await judged(refusal, [empty], reply({}, 500), one)).toContain('"a":1')
  })
})

test('what must hold after a success is not judged after a refusal; the refusal is reported instead', async () => {
  const scope = {} as Scope
  const then = afterSuccess(status(204))
  expect(await then.judge({ reply: reply({}, 204), scope }, undefined)).toBeUndefined()
  expect(await then.judge({ reply: reply({}, 200), scope }, undefined)).toMatchObject({ wanted: '204' })
  expect(await then.judge({ reply: reply({}, 400), scope }, undefined)).toMatchObject({ at: 'status', wanted: '2xx' })
})

describe('a list', () => {
  test.each([
    [keyed('a'), { keys: ['b'] }, 'keys is a list with "a"; saw ["b"]'],
    [keyed('a'), { keys: [] }, 'keys is a list with "a"; saw []'],
    [notKeyed('a'), { keys: ['a/'] }, 'keys is a list without "a"; saw ["a/"]'],
    [keyed('a'), { keys: ['a/'] }, undefined],
    [notKeyed('a'), { keys: [] }, undefined],
  ])('%#: is described in a sentence', async (expectation, data, words) => {
    const scope = { fill: (text: string) => text } as Scope
    const one = await expectation.judge({ reply: reply({ data }), scope }, undefined)
    expect(one && `${one.at} is ${one.wanted}; saw ${one.saw}`).toBe(words)
  })
})

describe('reading a reply', () => {
  test('a field inside data takes precedence over one at the top level; a pointer is literal', () => {
    const both = reply({ name: 'top', data: { name: 'inner' }, 'a/b': { c: [1, 2] } })
    expect(fieldOf(both, 'name')).toBe('inner')
    expect(fieldOf(both, '/name')).toBe('top')
    expect(fieldOf(both, '/a~1b/c/1')).toBe(2)
    expect(fieldOf(both, '__proto__')).toBeUndefined()
  })

  test('finds fields that are wrapped once more, or under another name, but not beside another object', () => {
    expect(fieldOf(reply({ data: { data: { a: 1 } } }), 'a')).toBe(1)
    expect(fieldOf(reply({ data: { data: { a: 1 }, metadata: { a: 2 }, at: 3 } }), 'a')).toBe(1)
    expect(fieldOf(reply({ auth: null, result: { a: 1 } }), 'a')).toBe(1)
    expect(fieldOf(reply({ auth: { a: 1 }, data: null }), 'a')).toBeUndefined()
    expect(fieldOf(reply({ data: { one: { a: 1 }, two: 2 } }), 'a')).toBeUndefined()
    expect(fieldOf(reply({ one: { a: 1 }, two: { a: 2 } }), 'a')).toBeUndefined()
    expect(fieldOf(reply({ 'x/': { a: 1 } }), '/data/x~1/a')).toBe(1)
  })

  test('recognises every form of an empty list', () => {
    for (const empty of [
      reply({ errors: [] }, 404),
      reply({ data: {} }),
      reply({ data: { keys: null } }),
      reply({ keys: [] }),
    ])
      expect(keysOf(empty)).toEqual([])
    expect(keysOf(reply({ data: { keys: ['a'] } }))).toEqual(['a'])
    expect(keysOf(reply({ data: { keys: [1] } }))).toBeUndefined()
    expect(keysOf(reply({ data: { keys: [{ size: 1 }] } }))).toBeUndefined()
    const objects = reply({ data: { keys: [{ id: 'one', name: '' }, { id: 'two', name: 'b' }, 'c'] } })
    expect([keysOf(objects), keysOf(objects, 'id')]).toEqual([
      ['one', 'b', 'c'],
      ['one', 'two', 'c'],
    ])
    expect(keysOf(reply({ keys: { a: {}, b: {} } }))).toEqual(['a', 'b'])
    expect(keysOf(reply({}, 500))).toBeUndefined()
    expect(isSuccess(reply({}, 302))).toBe(false)
  })
})

describe('several expectations of one reply', () => {
  const scope = { ...reading(), fill: (text: string) => text } as Scope
  const unseenPart = { words: 'it is seen', judge: () => Promise.reject(replyLacks(reply({}), 'it')) }
  const atOf = async (all: readonly Expectation[], seen: Reply) =>
    mismatchesIn(await together(...all).judge({ reply: seen, scope }, undefined)).map(({ at }) => at)

  test('report every field that differs, each once', async () => {
    const fields = [field('a', 1), field('b', 2), field('c', 3), field('b', 2)]
    expect(await atOf(fields, reply({ data: { a: 2, b: 3, c: 3 } }))).toEqual(['a', 'b'])
    expect(await atOf(fields, reply({ data: { a: 1, b: 2, c: 3 } }))).toEqual([])
  })

  test('report only the refusal of the request that is judged', async () => {
    expect(await atOf([field('a', 1), keyed('x')], reply({ errors: [] }, 400))).toEqual(['status'])
  })

  test('report a difference although another part shows nothing', async () => {
    expect(await atOf([field('a', 1), unseenPart, field('b', 1)], reply({ data: {} }))).toEqual(['a', 'b'])
    await expect(atOf([unseenPart, field('b', 1)], reply({ data: {} }))).rejects.toThrow(StepFailed)
  })
})
