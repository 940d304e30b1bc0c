/** The endpoints of policies: document 1, Policy endpoints, and the older `sys/policy` that servers of this family keep
 * for ACL policies. */
import type { Call, Reply, Route, ServerFacts } from '../../kernel/contracts.ts'
import { isSince } from '../../kernel/versions.ts'
import type { Context } from './context.ts'
import { list, load, read, remove, write } from './handlers.ts'
import { type Kind, kinds } from './store.ts'

export interface PrefixedRoutes {
  readonly prefix: string
  readonly routes: readonly Route[]
}

export const routesOf = (context: Context): readonly [PrefixedRoutes, PrefixedRoutes] => [
  { prefix: 'sys/policies', routes: kinds.flatMap((kind) => kindRoutes(kind, context)) },
  { prefix: 'sys/policy', routes: olderRoutes(context) },
]

function kindRoutes(kind: Kind, context: Context): readonly Route[] {
  const available = ({ version, edition }: ServerFacts): boolean => {
    const { since, editions } = context.rules.kinds[kind]
    return isSince(version, since) && editions.includes(edition)
  }
  const route = (verb: Route['verb'], path: string, handle: Route['handle']): Route => ({
    verb,
    path,
    access: 'token',
    available,
    handle,
  })
  return [
    route('LIST', kind, () => list(kind, context)),
    route('GET', `${kind}/:name*`, (call) => read(kind, call, context)),
    route('POST', `${kind}/:name*`, (call) => write(kind, call, context)),
    route('DELETE', `${kind}/:name*`, (call) => remove(kind, call, context)),
  ]
}

/** Returns the older endpoints. In them, a GET also lists, `policies` equals `keys`, and a document is called
 * `rules`. */
function olderRoutes(context: Context): readonly Route[] {
  const names = (): Reply => {
    const reply = list('acl', context)
    const keys = reply.kind === 'data' && reply.data && 'keys' in reply.data ? reply.data.keys : []
    return { kind: 'data', data: { keys, policies: keys } }
  }
  const one = (call: Call): Reply => {
    const { name, policy } = load('acl', call, context)
    return { kind: 'data', data: { name, rules: policy } }
  }
  const asNewer = ({ params, body }: Call) => ({ params, body: { ...body, policy: body.policy ?? body.rules } })
  return [
    { verb: ['LIST', 'GET'], path: '', access: 'token', handle: names },
    { verb: 'GET', path: ':name*', access: 'token', handle: one },
    { verb: 'POST', path: ':name*', access: 'token', handle: (call) => write('acl', asNewer(call), context) },
    { verb: 'DELETE', path: ':name*', access: 'token', handle: (call) => remove('acl', call, context) },
  ]
}
