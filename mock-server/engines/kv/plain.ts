/** Version 1 of `kv`, which stores only the last value that was written at each path. */

import { systemTtl } from '../../kernel/auth/tokens.ts'
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import type { EngineInstance } from '../../kernel/engine.ts'
import { parseDuration } from '../../kernel/http/duration.ts'
import { withNumbersAsWritten } from '../../kernel/http/exact-numbers.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Mount } from '../../kernel/mounts/mount.ts'
import { stateOf } from '../../kernel/state/state-part.ts'
import { namesBelow } from './names.ts'

type Value = Readonly<Record<string, unknown>>

export function openPlain(mount: Mount): EngineInstance {
  const values = new Map<string, Value>()
  const exists = (call: Call): boolean => values.has(call.params.path ?? '')

  /** A value may say how long readers can keep it. */
  const keepFor = ({ ttl, lease }: Value): number =>
    parseDuration(ttl ?? lease) ?? (mount.config.default_lease_ttl || systemTtl)

  function read(call: Call): Reply {
    const data = values.get(call.params.path ?? '')
    if (!data) throw new Refusal('not-found')
    const topLevel = { lease_duration: keepFor(data) }
    return { kind: 'data', data: withNumbersAsWritten(data), verbatim: true, topLevel }
  }
  function write(call: Call): Reply {
    const { path = '' } = call.params
    if (path === '') throw badRequest('a path below the mount is needed')
    if (Object.keys(call.body).length === 0) throw badRequest('missing data fields')
    values.set(path, call.bodyToStore)
    return done
  }
  function remove(call: Call): Reply {
    values.delete(call.params.path ?? '')
    return done
  }

  const routes: readonly Route[] = [
    { verb: 'GET', path: ':path*', access: 'token', handle: read },
    {
      verb: 'LIST',
      path: ':path*',
      access: 'token',
      handle: (call) => ({ kind: 'data', data: { keys: namesBelow(call.params.path ?? '', values.keys()) } }),
    },
    { verb: 'POST', path: ':path*', access: 'token', exists, handle: write },
    { verb: 'DELETE', path: ':path*', access: 'token', handle: remove },
  ]
  return { routes, inventory: () => ({ values: [...values.keys()] }), state: stateOf(values) }
}
