/** The endpoints of the plugin catalog: document 2, Plugin catalog. */
import type { Route } from '../../kernel/contracts.ts'
import type { Context } from './context.ts'
import { list, listAll, read, registerAmongOthers, remove } from './handlers.ts'

/** The table of access is read on each request, because mutants change it. */
const guarded = (
  operation: 'register' | 'read' | 'delete',
  route: Omit<Route, 'access'>,
  { tables, catalog }: Context,
): Route => ({
  ...route,
  get access() {
    return tables().access[operation]
  },
  accessFor({ params, query, body }) {
    const { access, spared } = tables()
    const { type = '', name = '' } = params
    const isKnown = () => catalog.all(['registered']).some((plugin) => plugin.type === type && plugin.name === name)
    const asked = {
      operation,
      name,
      type,
      version: query.get('version') ?? (typeof body.version === 'string' ? body.version : ''),
      get registersAgain() {
        return operation === 'register' && isKnown()
      },
    }
    return spared(asked) ? 'token' : access[operation]
  },
})

export const routesOf = (context: Context): readonly Route[] => [
  { verb: 'GET', path: '', access: 'token', handle: () => listAll(context) },
  { verb: 'LIST', path: ':type', access: 'token', handle: (call) => list(call, context) },
  guarded('read', { verb: 'GET', path: ':type/:name', handle: (call) => read(call, context) }, context),
  guarded(
    'register',
    { verb: 'POST', path: ':type/:name', handle: (call) => registerAmongOthers(call, context) },
    context,
  ),
  guarded('delete', { verb: 'DELETE', path: ':type/:name', handle: (call) => remove(call, context) }, context),
]
