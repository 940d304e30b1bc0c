/** The engine `cubbyhole` stores values that belong to one token and are deleted with it. */
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import type { FixedEngine } from '../../kernel/engine.ts'
import { withNumbersAsWritten } from '../../kernel/http/exact-numbers.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { stateOf } from '../../kernel/state/state-part.ts'
import { namesBelow } from '../kv/names.ts'

type Value = Readonly<Record<string, unknown>>

export function createCubbyhole({ tokens }: Services): FixedEngine {
  /** The values by the accessor of their token, and then by path. */
  const holes = new Map<string, Readonly<Record<string, Value>>>()
  const holeOf = (call: Call): Readonly<Record<string, Value>> => holes.get(call.token?.accessor ?? '') ?? {}
  const pathIn = (call: Call): string => call.params.path ?? ''
  const keep = (call: Call, hole: Readonly<Record<string, Value>>): Reply => {
    holes.set(call.token?.accessor ?? '', hole)
    return done
  }
  tokens.onEnd(async ({ accessor }) => void holes.delete(accessor))

  function read(call: Call): Reply {
    const hole = holeOf(call)
    if (!Object.hasOwn(hole, pathIn(call))) throw new Refusal('not-found')
    return { kind: 'data', data: withNumbersAsWritten(hole[pathIn(call)]) ?? null, verbatim: true }
  }
  function write(call: Call): Reply {
    if (pathIn(call) === '') throw badRequest('a path below cubbyhole/ is needed')
    if (Object.keys(call.body).length === 0) throw badRequest('missing data fields')
    return keep(call, { ...holeOf(call), [pathIn(call)]: call.bodyToStore })
  }
  function remove(call: Call): Reply {
    const { [pathIn(call)]: _removed, ...rest } = holeOf(call)
    return keep(call, rest)
  }
  const list = (call: Call): Reply => ({
    kind: 'data',
    data: { keys: namesBelow(pathIn(call), Object.keys(holeOf(call))) },
  })
  const exists = (call: Call): boolean => Object.hasOwn(holeOf(call), pathIn(call))

  const routes: readonly Route[] = [
    { verb: 'GET', path: ':path*', access: 'token', handle: read },
    { verb: 'LIST', path: ':path*', access: 'token', handle: list },
    { verb: 'POST', path: ':path*', access: 'token', exists, handle: write },
    { verb: 'DELETE', path: ':path*', access: 'token', handle: remove },
  ]
  return { prefix: 'cubbyhole', routes, state: stateOf(holes) }
}
