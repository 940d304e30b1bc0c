/** Every endpoint of the engine: document 3, Cloud credentials engine, in the document's order. */
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import type { Context } from './context.ts'
import { giveOut } from './handlers/credentials.ts'
import { readLease, writeLease } from './handlers/lease.ts'
import { deleteRole, listRoles, readRole, writeRole } from './handlers/roles.ts'
import { readRoot, rotateRoot, writeRoot } from './handlers/root.ts'
import * as statics from './handlers/static-roles.ts'
import { formOf } from './rules/types.ts'

type Handler = (call: Call, context: Context) => Reply | Promise<Reply>
type Row = readonly [Route['verb'], path: string, Handler]

const endpoints: readonly Row[] = [
  ['POST', 'config/root', writeRoot],
  ['GET', 'config/root', (_, context) => readRoot(context)],
  ['POST', 'config/rotate-root', (_, context) => rotateRoot(context)],
  ['POST', 'config/lease', writeLease],
  ['GET', 'config/lease', (_, context) => readLease(context)],
  ['POST', 'roles/:name', writeRole],
  ['GET', 'roles/:name', readRole],
  ['LIST', 'roles', (_, context) => listRoles(context)],
  ['DELETE', 'roles/:name', deleteRole],
  // Real clients use both methods for both endpoints.
  [['GET', 'POST'], 'creds/:name', giveOut('creds')],
  [['GET', 'POST'], 'sts/:name', giveOut('sts')],
]

const ofStaticRoles: readonly Row[] = [
  ['POST', 'static-roles/:name', statics.writeStaticRole],
  ['GET', 'static-roles/:name', statics.readStaticRole],
  ['LIST', 'static-roles', (_, context) => statics.listStaticRoles(context)],
  ['DELETE', 'static-roles/:name', statics.deleteStaticRole],
  ['GET', 'static-creds/:name', statics.readStaticCredentials],
]

export function routesOf(context: Context): readonly Route[] {
  const route = ([verb, path, handle]: Row): Route => ({
    ...{ verb, path, access: 'token' },
    // Leases belong to one cluster, so these requests are not forwarded.
    ...(path.startsWith('creds/') || path.startsWith('sts/') ? { changes: true, stays: true } : {}),
    handle: (call) => handle(call, context),
  })
  const available: Route['available'] = (facts) => context.rules.staticRoles.forms.includes(formOf(facts))
  return [...endpoints.map(route), ...ofStaticRoles.map((row) => ({ ...route(row), available }))]
}
