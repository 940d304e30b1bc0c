import { describe, expect, test } from 'vitest'
import type { FaultOperator, JsonObject, WireFault } from '../vocabulary/index.ts'
import type { WireRequest } from '../wire/client.ts'
import { faultyClient } from './player.ts'
import { type Recorded, recordingClient } from './recorder.ts'
import { openShelf, type Sending, sent } from './shelf.test-bed.ts'

const write = { method: 'POST', path: 'things/:name' }
const read = { method: 'GET', path: 'things/:name' }
const list = { method: 'LIST', path: 'things' }
const remove = { method: 'DELETE', path: 'things/:name' }

const one = 'assay-a-1-one'
const two = 'assay-a-1-two'

type Ask = readonly [method: string, name?: string, sending?: Sending]

/** Sends the same requests to an unchanged server and, on a new server, under the fault. Returns status and JSON of
 * each reply, and the objects that the faulty server has in the end. */
async function under(
  operator: FaultOperator,
  at: WireFault['at'],
  asked: readonly Ask[],
  more: Partial<WireFault> = {},
  tells?: string,
): Promise<{
  readonly saw: readonly string[]
  readonly holds: Readonly<Record<string, JsonObject>>
  readonly got: number
  readonly bent: boolean
}> {
  const plain = openShelf()
  const recorded: Recorded[] = []
  const recorder = recordingClient(plain.client, (recording) => recorded.push(recording))
  const requests: WireRequest[] = asked.map(([method, name, sending]) => sent(method, name, sending))
  for (const request of requests) await recorder.send(request)
  const shelf = openShelf(tells)
  const fault = { id: 'x', area: 'policies', operator, says: '', at, rows: [], ...more } as const
  let bent = false
  const client = faultyClient(
    shelf.client,
    fault,
    { check: recorded, all: recorded },
    () => ({ 'x-token': 'operator' }),
    () => {
      bent = true
    },
  )
  const saw: string[] = []
  for (const request of requests) {
    const { reply } = await client.send(request)
    saw.push(`${reply?.status}${reply?.text ? ` ${reply.text}` : ''}`)
  }
  return { saw, holds: Object.fromEntries(shelf.things), got: shelf.got.length, bent }
}

const small = { size: 'small' }
const large = { size: 'large' }
const made: Ask = ['POST', one, { body: small }]
const beside: Ask = ['POST', two, { body: large }]
const shown: Ask = ['GET', one]

describe('a whole request', () => {
  test('hollow: replies with a success, but does nothing', async () => {
    expect(await under('hollow', write, [made, shown])).toMatchObject({
      saw: ['204', '404 {"errors":[]}'],
      holds: {},
      got: 1,
    })
  })

  test('hollow: still refuses an invalid request', async () => {
    expect((await under('hollow', write, [['POST', one, { body: {} }]])).saw).toEqual(['400 {"errors":["size"]}'])
  })

  test('refuse: refuses a valid request, and does nothing', async () => {
    expect(await under('refuse', write, [made])).toMatchObject({
      saw: ['400 {"errors":["refused"]}'],
      holds: {},
      got: 0,
    })
  })

  test('ghost: refuses an invalid request, but executes its twin', async () => {
    const { saw, holds } = await under('ghost', write, [['POST', one, { body: {}, twin: small }]])
    expect(saw).toEqual(['400 {"errors":["size"]}'])
    expect(holds).toEqual({ [one]: { colour: 'red', ...small } })
  })

  test('ghost: refuses an unauthenticated request, but executes it as the operator', async () => {
    const { saw, holds } = await under('ghost', remove, [made, ['DELETE', one, { as: 'nobody' }]])
    expect(saw).toEqual(['204', '403 {"errors":["denied"]}'])
    expect(holds).toEqual({})
  })

  test('accept: treats an invalid request as its twin', async () => {
    const asked: Ask = ['POST', one, { body: {}, twin: small }]
    expect(await under('accept', write, [asked])).toMatchObject({
      saw: ['204'],
      holds: { [one]: { colour: 'red', ...small } },
    })
    expect((await under('accept-without-field', write, [asked], { field: 'size' })).saw).toEqual(['204'])
    expect((await under('accept-without-field', write, [asked], { field: 'colour' })).saw[0]).toContain('400')
    expect((await under('accept-other-value', write, [asked], { field: 'size' })).saw[0]).toContain('400')
  })

  test('accept-other-value: accepts an invalid value, but only of the field that the fault names', async () => {
    const asked: Ask = ['POST', one, { body: { size: 'odd' }, twin: small }]
    expect((await under('accept-other-value', write, [asked], { field: 'size' })).saw).toEqual(['204'])
    expect((await under('accept-other-value', write, [asked], { field: 'colour' })).saw[0]).toContain('400')
  })

  test('open-door: serves an unauthenticated request', async () => {
    const { saw, holds } = await under('open-door', remove, [made, ['DELETE', one, { as: 'nobody' }]])
    expect(saw).toEqual(['204', '204'])
    expect(holds).toEqual({})
  })

  test('closed-door: refuses only unauthenticated requests', async () => {
    const { saw } = await under('closed-door', read, [made, shown, ['GET', one, { as: 'nobody' }]])
    expect(saw.map((text) => text.slice(0, 3))).toEqual(['204', '200', '403'])
  })

  test('kept-working: a deleted object is hidden from readers, but still exists', async () => {
    const { saw, holds } = await under('kept-working', remove, [made, beside, ['DELETE', one], shown, ['LIST']], {
      readers: [read, list],
    })
    expect(saw.slice(2)).toEqual(['204', '404 {"errors":[]}', `200 {"data":{"keys":["${two}"]}}`])
    expect(Object.keys(holds)).toEqual([one, two])
  })

  test('stale: readers show the state before the last change', async () => {
    const again: Ask = ['POST', one, { body: large }]
    expect((await under('stale', read, [made, again, shown])).saw[2]).toBe(
      '200 {"data":{"colour":"red","size":"small"}}',
    )
    expect((await under('stale', list, [made, beside, ['LIST']])).saw[2]).toBe(`200 {"data":{"keys":["${one}"]}}`)
  })

  test('constant: every name gets the same reply, known or not', async () => {
    const { saw } = await under('constant', read, [made, shown, ['GET', 'nowhere']])
    expect(saw[2]).toBe('200 {"data":{"colour":"red","size":"small"}}')
  })

  test('other-object: a read of an object shows another object', async () => {
    const { saw } = await under('other-object', read, [made, beside, shown, ['GET', two], ['GET', 'nowhere']])
    expect(saw[2]).toContain('large')
    expect(saw[4]).toContain('404')
  })

  test('overreach: another object of the collection is changed or deleted, too', async () => {
    expect((await under('overreach', write, [made, beside])).holds[one]).toEqual({ colour: 'red', ...large })
    expect((await under('overreach', remove, [made, beside, ['DELETE', one]])).holds).toEqual({})
  })

  test('overreach: the same request is executed at the path beside it', async () => {
    const { holds } = await under('overreach', write, [made], { beside: `things/${two}` })
    expect(holds[two]).toEqual({ colour: 'red', ...small })
    // The server refuses invalid requests at both paths.
    const odd = await under('overreach', write, [['POST', one, { body: { size: 'odd' } }]], { beside: `things/${two}` })
    expect(odd).toMatchObject({ saw: ['400 {"errors":["size"]}'], holds: {} })
  })

  test('overreach: an object of the same name in another collection is changed or deleted, too', async () => {
    const namesakes = { method: 'POST', path: 'others/:name' }
    const asked: readonly Ask[] = [made, ['POST', one, { body: large, at: 'others' }], ['DELETE', one]]
    expect(Object.keys((await under('overreach', remove, asked)).holds)).toEqual([`others/${one}`])
    expect((await under('overreach', remove, asked, { namesakes })).holds).toEqual({})
    const again: readonly Ask[] = [...asked.slice(1, 2), ['POST', one, { body: { size: 'huge' } }]]
    expect((await under('overreach', write, again, { namesakes })).holds[`others/${one}`]).toMatchObject({
      size: 'huge',
    })
  })

  test('overreach by a field: the request is executed for other values of the field, too', async () => {
    const asked: readonly Ask[] = [
      ['POST', one, { body: { ...small, owner: 'ann' } }],
      ['POST', two, { body: { ...small, owner: 'bob' } }],
    ]
    expect((await under('overreach', write, asked, { field: 'owner' })).holds[two]).toMatchObject({ owner: 'ann' })
  })

  test('a request that is refused because of its caller is executed by the caller of the twin', async () => {
    const asked: Ask = ['POST', one, { as: 'nobody', body: small, twin: small, twinAs: 'keeper' }]
    expect((await under('ghost', write, [asked])).holds[one]).toMatchObject({ of: 'keeper' })
    expect(await under('open-door', write, [asked])).toMatchObject({ saw: ['204'], holds: { [one]: { of: 'keeper' } } })
  })

  test('an invalid request by the caller of the twin is accepted', async () => {
    const asked: Ask = ['POST', one, { as: 'keeper', body: {}, twin: small, twinAs: 'keeper' }]
    expect((await under('accept', write, [asked])).holds[one]).toMatchObject({ of: 'keeper' })
    const ofAnother: Ask = ['POST', one, { body: { size: 'odd' }, twin: { size: 'odd' }, twinName: two }]
    expect((await under('accept', write, [ofAnother])).saw[0]).toContain('400')
  })

  test('if a deletion is refused because of its object, the object is hidden from readers', async () => {
    const locked: Ask = ['POST', one, { body: { ...small, locked: true } }]
    const asked: readonly Ask[] = [locked, ['DELETE', one, { twin: {}, twinName: two }], shown]
    const readers = { readers: [read, list] }
    expect((await under('ghost', remove, asked, readers)).saw.slice(1)).toEqual([
      '400 {"errors":["locked"]}',
      '404 {"errors":[]}',
    ])
    expect((await under('accept', remove, asked, readers)).saw.slice(1)).toEqual(['204', '404 {"errors":[]}'])
  })

  test('twice: the server gets the request two times', async () => {
    expect(await under('twice', write, [made])).toMatchObject({ saw: ['204'], got: 2 })
  })
})

describe('a field of a request', () => {
  const full = (value: JsonObject): Ask => ['POST', one, { body: { ...small, ...value } }]

  test('ignored: the other fields are used', async () => {
    const { holds } = await under('ignore-field', write, [full({ colour: 'blue' })], { field: 'colour' })
    expect(holds[one]).toEqual({ colour: 'red', ...small })
  })

  test('ignored although required: the value of another request is used', async () => {
    const { holds } = await under('ignore-field', write, [made, beside], { field: 'size', values: {} })
    expect(holds[one]).toEqual({ colour: 'red', ...large })
  })

  test('only the first, the last, or no entry of a list', async () => {
    const asked = [full({ parts: ['a', 'b', 'c'], comma: 'a,b,c' })]
    const held = async (operator: FaultOperator, field: string) =>
      (await under(operator, write, asked, { field })).holds[one]?.[field]
    expect(await held('first-of-list', 'parts')).toEqual(['a'])
    expect(await held('last-of-list', 'parts')).toEqual(['c'])
    expect(await held('list-emptied', 'parts')).toEqual([])
    expect(await held('first-of-list', 'comma')).toBe('a')
    expect(await held('last-of-list', 'comma')).toBe('c')
    expect(await held('list-emptied', 'comma')).toBe('')
  })

  test('another default if the field is omitted', async () => {
    const blue = { field: 'colour', value: 'blue' }
    expect((await under('default-changed', write, [made], blue)).holds[one]?.colour).toBe('blue')
    const given = [full({ colour: 'green' })]
    expect((await under('default-changed', write, given, blue)).holds[one]?.colour).toBe('green')
  })

  test('in the query', async () => {
    const asked: Ask = ['POST', one, { body: small, query: { colour: 'blue' } }]
    const held = async (operator: FaultOperator, more: Partial<WireFault>) =>
      (await under(operator, write, [asked], { isQuery: true, ...more })).holds[one]?.colour
    expect(await held('ignore-field', { field: 'colour' })).toBe('red')
    expect(await held('value-changed', { field: 'colour', value: 'blue', values: { colour: 'green' } })).toBe('green')
    const bare: Partial<WireFault> = { field: 'colour', value: 'white', isQuery: true }
    expect((await under('default-changed', write, [made], bare)).holds[one]?.colour).toBe('white')
  })

  test('in the path', async () => {
    const fault = { field: 'name', value: one, values: { name: two } }
    expect(Object.keys((await under('value-changed', write, [made], fault)).holds)).toEqual([two])
    expect((await under('value-refused', write, [made], fault)).saw[0]).toContain('400')
  })

  test('a value that is refused, or replaced by another', async () => {
    const fault = { field: 'size', value: 'small', values: { size: 'large' } }
    expect((await under('value-refused', write, [made, beside], fault)).saw).toEqual([
      '400 {"errors":["refused"]}',
      '204',
    ])
    expect((await under('value-changed', write, [made], fault)).holds[one]).toEqual({ colour: 'red', ...large })
    expect((await under('bound-shifted', write, [made, beside], fault)).saw[0]).toContain('400')
  })

  test('only in requests with the value that `where` names', async () => {
    const fault = { field: 'colour', where: { field: 'size', value: 'small' } }
    const other: Ask = ['POST', two, { body: { ...large, colour: 'blue' } }]
    const { holds } = await under('ignore-field', write, [full({ colour: 'blue' }), other], fault)
    expect(holds).toMatchObject({ [one]: { colour: 'red' }, [two]: { colour: 'blue' } })
  })

  test('reset by an update that omits it', async () => {
    const fault = { values: { colour: 'white' } }
    const { holds } = await under('resets-neighbours', write, [full({ colour: 'blue' }), full({ parts: 'x' })], fault)
    expect(holds[one]).toMatchObject({ colour: 'white', parts: 'x' })
  })
})

describe('a reply', () => {
  test('lacks a field, or has another value', async () => {
    expect((await under('reply-without-field', read, [made, shown], { field: 'size' })).saw[1]).toBe(
      '200 {"data":{"colour":"red"}}',
    )
    expect((await under('reply-with-other-value', read, [made, shown], { field: 'size' })).saw[1]).toContain(
      '"size":"smal0"',
    )
  })

  test('has an element more or fewer, with the prefix of the check', async () => {
    const asked: readonly Ask[] = [made, beside, ['LIST']]
    expect((await under('one-more-element', list, asked)).saw[2]).toContain(`"${one}","${two}","assay-a-1-more"`)
    expect((await under('one-fewer-element', list, asked)).saw[2]).toBe(`200 {"data":{"keys":["${one}"]}}`)
  })

  test('lacks an element whose id the server generated', async () => {
    const asked: readonly Ask[] = [['POST', 'given', { body: small }], ['POST', 'foreign', { body: small }], ['LIST']]
    expect((await under('one-fewer-element', list, asked)).saw[2]).toBe('200 {"data":{"keys":["given"]}}')
    expect((await under('one-fewer-element', list, asked, {}, 'given')).saw[2]).toBe(
      '200 {"data":{"keys":["foreign"]}}',
    )
  })

  test('leaks a value that was written', async () => {
    const { saw } = await under('leak', write, [['POST', one, { body: { ...small, pin: 'secret-1' } }], shown], {
      field: 'pin',
      readers: [read],
    })
    expect(saw[1]).toContain('"leaked":["secret-1"]')
  })
})

describe('whether a fault changed anything', () => {
  test.each<readonly [FaultOperator, WireFault['at'], Partial<WireFault>, boolean]>([
    ['hollow', write, {}, true],
    ['refuse', remove, {}, false],
    ['ignore-field', write, { field: 'colour' }, true],
    ['default-changed', write, { field: 'size', value: 'large' }, false],
    ['value-changed', write, { field: 'size', value: 'small', values: { size: 'small' } }, false],
    ['reply-with-other-value', read, { field: 'size' }, true],
    ['reply-with-other-value', read, { field: 'weight' }, false],
    ['twice', write, {}, true],
    ['overreach', write, {}, false],
  ])('%s %o %o: %s', async (operator, at, more, isBent) => {
    const asked: readonly Ask[] = [['POST', one, { body: { ...small, colour: 'blue' } }], shown]
    expect((await under(operator, at, asked, more)).bent).toBe(isBent)
  })
})

describe('with a provider', () => {
  test('given-though-refused: a refusal is replaced by an earlier success', async () => {
    const { saw, holds } = await under('given-though-refused', write, [made, ['POST', two, { body: {} }]])
    expect(saw).toEqual(['204', '204'])
    expect(Object.keys(holds)).toEqual([one])
  })

  test('the bend of an account is ordered once, before the target gets the request that names it', async () => {
    const shelf = openShelf()
    const told: string[] = []
    let bent = 0
    const owner = { at: write, fields: ['owner', 'arn'] }
    const fault = {
      ...({ id: 'x', area: 'cloud', operator: 'provider-more', says: '', at: read, rows: [] } as const),
      provider: { order: { action: 'Make', skip: true }, owner },
    }
    const client = faultyClient(
      shelf.client,
      fault,
      { check: [], all: [] },
      () => ({}),
      () => {
        bent += 1
      },
      async (name, order) => {
        told.push(`${name} ${JSON.stringify(order)} ${shelf.got.length}`)
        return true
      },
    )
    for (const name of [one, two]) await client.send(sent('POST', name, { body: { ...small, owner: 'AKIA1' } }))
    await client.send(sent('GET', one))
    expect(told).toEqual(['AKIA1 {"action":"Make","skip":true} 0'])
    expect([bent, shelf.got.length]).toEqual([1, 3])
  })
})

test('requests outside of checks are not changed', async () => {
  const shelf = openShelf()
  const fault = { id: 'x', area: 'policies', operator: 'refuse', says: '', at: write, rows: [] } as const
  const client = faultyClient(shelf.client, fault, { check: [], all: [] }, () => ({}))
  const { about: _, ...undo } = sent('POST', one, { body: small })
  expect((await client.send(undo)).reply?.status).toBe(204)
})
