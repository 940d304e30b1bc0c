import { describe, expect, test } from 'vitest'
import type { Call, Route } from '../kernel/contracts.ts'
import type { ExtensionPoints } from '../kernel/extension-points.ts'
import { faultsOf } from './fault.ts'
import { faultSet } from './fault-set.ts'

interface Shop {
  readonly rules: { readonly most: number }
  readonly shelf: { put(text: string): void; all(): readonly string[] }
}
const { fault, rule, around, stored, faults: tableOfFaults } = faultsOf<Shop>('shop', 'area')
const faults = tableOfFaults({
  more: 'The shelf holds more.',
  loud: 'Long texts become capitals.',
  counted: 'Each reply shows how many requests came before.',
  open: 'Anyone may put.',
}).by({
  more: rule(({ most }) => ({ most: most + 1 })),
  loud: stored(
    'shelf',
    'put',
    ([text], next) => next(text.toUpperCase()),
    ([text]) => text.length > 2,
  ),
  counted: around('POST :text', {
    when: ({ params }) => params.text !== '',
    async does(call, next, { memory }) {
      const times = Number(memory.get('times') ?? 0)
      memory.set('times', times + 1)
      await next(call)
      return { kind: 'data', data: { times } }
    },
  }),
  open: around('POST :text', { access: 'anyone' }),
})

test('a table refuses a fault of which no sentence says what it does', () => {
  const id: string = 'silent'
  expect(() => tableOfFaults({ more: 'The shelf holds more.' } as Record<string, string>).by({ [id]: [] })).toThrow(
    'no sentence says what the fault silent does',
  )
})

function openShop() {
  const texts: string[] = []
  const shelf = { put: (text: string) => void texts.push(text), all: () => texts }
  const context: Shop = { rules: { most: 1 }, shelf }
  const route: Route = {
    ...{ verb: ['GET', 'POST'], path: ':text', access: 'token' },
    handle({ params: { text = '' } }) {
      if (texts.length < context.rules.most) context.shelf.put(text)
      return { kind: 'data', data: { texts } }
    },
  }
  let served: readonly Route[] = [route]
  const set = faultSet(
    {
      ...{ context, extensions: {} satisfies ExtensionPoints, kernel: {}, routes: () => [route] },
      serve: (routes) => {
        served = routes
      },
    },
    () => faults,
  )
  const post = (): Route | undefined => served.find(({ verb }) => [verb].flat().includes('POST'))
  const put = async (text: string) => {
    post()?.available?.({ version: '1.0.0', edition: 'premium', forms: {} })
    const reply = await post()?.handle({ params: { text } } as unknown as Call)
    return reply?.kind === 'data' ? reply.data : undefined
  }
  return { context, set, shelf, put, served: () => served, route, post }
}

describe('a set of faults', () => {
  test('changes rules, stores and operations, and changes them back', async () => {
    const { context, put, post, route, served, set, shelf } = openShop()
    set.load(new Set(faults.map(({ id }) => id)))
    await put('one')
    expect(await put('two')).toEqual({ times: 1 })
    expect(shelf.all()).toEqual(['ONE', 'TWO'])
    expect(post()?.access).toBe('anyone')
    set.load(new Set())
    expect(context.shelf).toBe(shelf)
    expect(served()).toEqual([route])
    expect(await put('three')).toEqual({ texts: ['ONE', 'TWO'] })
  })

  test('saves, restores and empties what the faults remember', async () => {
    const { put, set } = openShop()
    set.load(new Set(['area/counted']))
    await put('one')
    const saved = JSON.parse(JSON.stringify(set.memory.snapshot()))
    await put('two')
    expect(await put('three')).toEqual({ times: 2 })
    set.memory.restore(saved)
    expect(await put('four')).toEqual({ times: 1 })
    set.memory.reset()
    expect(await put('five')).toEqual({ times: 0 })
  })

  test('tells which faults would change something, and changes nothing', async () => {
    const { context, put, set, shelf } = openShop()
    const met: string[] = []
    set.watch((id) => met.push(id))
    await put('a')
    expect(met.toSorted()).toEqual(['area/counted', 'area/more', 'area/open'])
    context.shelf.put('long')
    expect(met).toContain('area/loud')
    expect(shelf.all()).toEqual(['a', 'long'])
  })

  test('refuses an operation that the engine does not have', () => {
    const { set } = openShop()
    expect(() => set.load(new Set(['area/counted']))).not.toThrow()
    const wrong = faultSet({ context: {}, extensions: {}, kernel: {}, routes: () => [], serve: () => {} }, () => [
      fault('wrong', '', around('GET none', { access: 'anyone' })),
    ])
    expect(() => wrong.load(new Set(['area/wrong']))).toThrow('area/wrong: shop has no operation GET none')
  })
})
