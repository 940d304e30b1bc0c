/** The endpoints of policies: document 1, Policy endpoints, and the older `sys/policy` that servers of this family keep
 * for ACL policies.
 *
 * RGP and EGP documents are in a subset of the family's rule language. A document names rules and values; the rule `main`
 * says whether a request passes. What is understood means what it means in the family:
 *
 *     document    name = expression | name = rule { expression } | name = rule when expression { expression }, …
 *                 comments: # and // to the end of the line, and between slash-star and star-slash
 *     literals    true, false, null, "text", 12, -1.5, [1, "a"]
 *     names       request.path, request.operation (read, list, update, patch, delete), request.data.<field>,
 *                 request.data["<field>"], request.policy_override, request.unauthenticated,
 *                 token.display_name, token.entity_id, token.path, token.policies, token.meta.<key>,
 *                 identity.entity.id, identity.entity.name, identity.entity.metadata.<key>,
 *                 and names given a value further up in the document
 *     operators   or, ||, xor, and, &&;  ==, is, !=, is not, <, <=, >, >=;  in, not in, contains, not contains (lists,
 *                 keys of maps, parts of texts);  matches, not matches;  else;  not, !;  ( )
 *     patterns    the right side of `matches` is a literal: text, `.*` for any text, `^` at the start, `$` at the end,
 *                 and a backslash before a character that stands for itself
 *
 * What has no value (a field that was not sent) is undefined; so is every comparison with it, and a `main` that is not
 * `true` fails. `x else y` is y where x is undefined. Imports, parameters, functions and loops are refused with line and
 * column when the document is written, never ignored. */
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
    const { since, editions } = context.tables.kinds[kind]
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

/** In these older endpoints a GET lists too, `policies` equals `keys`, and a document is called `rules`. */
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
