import { describe, expect, test } from 'vitest'
import {
  DoesNotApply,
  type Exchange,
  type Expectation,
  type Json,
  type Reply,
  type Scope,
} from '../../../harness/vocabulary/index.ts'
import { dr, performance } from '../kind.ts'
import { follows, ifRefused, isCutOff, isCutOffOrCleared } from './data.ts'

const reply = (value: string | undefined): Reply => ({
  status: value === undefined ? 404 : 200,
  json: value === undefined ? { errors: [] } : { data: { value } },
  headers: {},
  text: '',
  bytes: new Uint8Array(),
  asked: 'GET marker',
  at: 0,
})

/** Plays two clusters. The second one receives only the first `received` writes. */
function scopeOf(received: number, { own = true } = {}) {
  const written: string[] = []
  const answer = ({ method, path }: Exchange): Reply => {
    if (method === 'POST') {
      written.push(path)
      return reply('')
    }
    if (path === '{own}/marker') return reply(own ? 'own' : undefined)
    return reply(written.slice(0, received).includes(path) ? 'shared' : undefined)
  }
  const scope = {
    patience: 10,
    fill: (template: string) => template.replaceAll(/[{}]/g, ''),
    admit: async () => true,
    send: async (exchange: Exchange) => answer(exchange),
    poll: async (exchange: Exchange) => answer(exchange),
  } as unknown as Scope
  return { scope, written }
}

const flow = { from: 'main', to: 'second' } as const
const seen = (scope: Scope) => ({ scope, reply: reply('') })

describe('what is written on one cluster', () => {
  test('must reach the other cluster, and so must the next write', async () => {
    const judged = (received: number) => follows(performance, flow).judge(seen(scopeOf(received).scope), undefined)
    expect(await judged(2)).toBeUndefined()
    expect([await judged(0), await judged(1)]).toMatchObject([{ at: 'status' }, { at: 'status' }])
  })

  test('may arrive a few more times before the link is cut', async () => {
    for (const received of [0, 1, 3]) {
      const { scope, written } = scopeOf(received)
      expect(await isCutOff(performance, flow).judge(seen(scope), undefined), `${received}`).toBeUndefined()
      expect(written).toHaveLength(received + 1)
    }
    expect(await isCutOff(performance, flow).judge(seen(scopeOf(9).scope), undefined)).toMatchObject({
      saw: 'the value',
    })
  })

  test('may arrive at most once if the cut is immediate', async () => {
    const atOnce = isCutOff(performance, flow, { atOnce: true })
    for (const received of [0, 1]) expect(await atOnce.judge(seen(scopeOf(received).scope), undefined)).toBeUndefined()
    expect(await atOnce.judge(seen(scopeOf(2).scope), undefined)).toMatchObject({ saw: 'the value' })
  })

  test('may arrive after a wipe', async () => {
    const either = isCutOffOrCleared(performance, flow)
    expect(await either.judge(seen(scopeOf(0).scope), undefined)).toBeUndefined()
    expect(await either.judge(seen(scopeOf(9, { own: false }).scope), undefined)).toBeUndefined()
    expect(await either.judge(seen(scopeOf(9).scope), undefined)).toMatchObject({ saw: 'both' })
  })
})

/** Plays two DR clusters. The second one receives only the first `received` writes, and shows that it has all only after
 * the first `shown` of them. */
function drScopeOf({ received, shown }: { readonly received: number; readonly shown: number }) {
  const written: string[] = []
  let mode = 'secondary'
  const statusOf = (cluster: string | undefined): Json => {
    const state = written.length > shown ? 'transient-failure' : 'stream-wals'
    return cluster === 'main'
      ? { mode: 'primary', last_wal: written.length }
      : { mode, state, last_remote_wal: written.length }
  }
  const answer = ({ method, path, cluster }: Exchange): Reply => {
    if (path.endsWith('secondary/promote')) mode = 'primary'
    else if (method === 'POST') written.push(path)
    else if (!path.endsWith('/status')) return reply(written.slice(0, received).includes(path) ? 'shared' : undefined)
    return { ...reply(''), json: { data: statusOf(cluster) } }
  }
  const { scope } = scopeOf(0)
  const send = async (exchange: Exchange) => answer(exchange)
  return { ...scope, perform: async () => {}, send, poll: send } as unknown as Scope
}

test('what came to a DR secondary just before the link was cut is not judged', async () => {
  const cut = isCutOff(dr, flow)
  for (const [received, shown] of [
    [0, 0],
    [1, 0],
    [2, 1],
  ] as const)
    expect(await cut.judge(seen(drScopeOf({ received, shown })), undefined), `${received}`).toBeUndefined()
  for (const shown of [0, 9])
    expect(await cut.judge(seen(drScopeOf({ received: 9, shown })), undefined)).toMatchObject({ saw: 'the value' })
})

describe('what a refused trigger must leave unchanged', () => {
  const unmet = { at: 'value', wanted: 'the value', saw: 'none' }
  const judged = (seen: Partial<Reply>, found: typeof unmet | undefined) => {
    const expectation = { words: '', judge: async () => found } as unknown as Expectation
    return ifRefused(expectation).judge({ scope: {} as Scope, reply: { ...reply(undefined), ...seen } }, undefined)
  }

  test('is judged after a refusal only', async () => {
    expect(await judged({ status: 400 }, undefined)).toBeUndefined()
    expect(await judged({ status: 400 }, unmet)).toBe(unmet)
    await expect(judged({ status: 200 }, unmet)).rejects.toThrow(DoesNotApply)
  })

  test('may be missing if the trigger was sent twice', async () => {
    await expect(judged({ status: 400, isRepeated: true }, unmet)).rejects.toThrow()
    expect(await judged({ status: 400, isRepeated: true }, undefined)).toBeUndefined()
  })
})
