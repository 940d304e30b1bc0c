import { expect, test } from 'vitest'
import { get } from './exchange.ts'
import {
  appears,
  type Expectation,
  field,
  type Json,
  keyed,
  lists,
  type Mismatch,
  matcher,
  next,
  notKeyed,
  type Reply,
  reads,
  refused,
  type Scope,
  status,
  succeeds,
  takesEffect,
  unchanged,
  unseen,
  works,
} from './index.ts'

const of = (code: number, json?: Json): Reply => ({
  ...{ status: code, json, headers: {}, text: JSON.stringify(json) ?? '', bytes: new Uint8Array(), at: 0 },
  asked: 'POST x',
})
const [bad, one, two] = [of(400, { errors: ['too long'] }), of(200, { data: { a: 1 } }), of(200, { data: { a: 2 } })]

/** Returns the mismatch that an expectation finds in this reply, if its own requests get the given replies in order. */
async function findingOf(expectation: Expectation, reply: Reply, readings: readonly Reply[]): Promise<Mismatch> {
  const left = readings.map((reading, exchange) => ({ ...reading, asked: 'GET y', exchange }))
  const scope = { fill: (text: string) => text, send: async () => left.shift() } as unknown as Scope
  const before = await expectation.before?.(scope)
  const found = await expectation.judge({ reply: { ...reply, exchange: 9 }, scope }, before)
  if (!found) throw new TypeError(`${expectation.words}: nothing was found`)
  return found
}

const y = get('y')
const whole = reads(y, { fields: ['a'] })
const nothing = of(404)

/** The judged reply has the exchange index 9; the other replies are counted from 0. */
const table: readonly (readonly [Expectation, Reply, readonly Reply[], string])[] = [
  [succeeds, bad, [], '9 status: wanted 2xx; saw 400 too long'],
  [status(404), bad, [], '9 status: wanted 404; saw 400 too long'],
  [field('a', 2), one, [], '9 a: wanted 2; saw 1'],
  [field('b', 2), one, [], '9 b: wanted 2; saw no such field'],
  [
    field(
      'a',
      matcher('a text', (value) => typeof value === 'string'),
    ),
    one,
    [],
    '9 a: wanted a text; saw 1',
  ],
  [field('a', 2), bad, [], '9 status: wanted 2xx; saw 400 too long'],
  [keyed('k'), of(200, { keys: ['l'] }), [], '9 keys: wanted a list with "k"; saw ["l"]'],
  [keyed('k'), of(200, { keys: [{ size: 1 }] }), [], '9 keys: wanted a list of names; saw [{"size":1}]'],
  [keyed('k'), bad, [], '9 status: wanted 2xx; saw 400 too long'],
  [notKeyed('k'), of(200, { keys: ['k'] }), [], '9 keys: wanted a list without "k"; saw ["k"]'],
  [next(y, succeeds), one, [bad], '0 status: wanted 2xx; saw 400 too long'],
  [refused(unseen('it is a test')), one, [], '9 status: wanted 4xx or 5xx; saw 200'],
  [refused(whole), one, [one], '9 status: wanted 4xx or 5xx; saw 200'],
  [refused(whole), bad, [one, two], '1 reply: wanted as before: {"a":1}; saw {"a":2}'],
  [refused(whole), bad, [one, nothing], '1 reply: wanted as before: {"a":1}; saw nothing there'],
  [
    refused(lists(y)),
    bad,
    [of(200, { keys: [] }), of(200, { keys: ['k'] })],
    '1 reply: wanted as before: []; saw ["k"]',
  ],
  [refused(works(y)), bad, [one, bad], '1 reply: wanted as before: "2xx"; saw "400 too long"'],
  [unchanged(whole), one, [one, two], '1 reply: wanted as before: {"a":1}; saw {"a":2}'],
  [takesEffect(whole), bad, [one], '9 status: wanted 2xx; saw 400 too long'],
  [appears(whole), one, [one, one], '1 reply: wanted otherwise than before: {"a":1}; saw {"a":1}'],
]

test.each(table)('%#: a mismatch has a uniform wording and names its exchange', async (...row) => {
  const [expectation, reply, readings, words] = row
  const { exchange, at, wanted, saw } = await findingOf(expectation, reply, readings)
  expect(`${exchange} ${at}: wanted ${wanted}; saw ${saw}`).toBe(words)
})
