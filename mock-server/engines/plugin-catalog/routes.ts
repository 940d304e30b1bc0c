/** The endpoints of the plugin catalog: document 2, Plugin catalog. */
import type { Route } from '../../kernel/contracts.ts'
import { list, listAll, read, register, remove, type Workshop } from './handlers.ts'

/** The table of access is looked at on each request. */
const guarded = (deed: 'register' | 'read' | 'delete', route: Omit<Route, 'access'>, { tables }: Workshop): Route => ({
  ...route,
  get access() {
    return tables().access[deed]
  },
})

export const routesOf = (workshop: Workshop): readonly Route[] => [
  { verb: 'GET', path: '', access: 'token', run: () => listAll(workshop) },
  { verb: 'LIST', path: ':type', access: 'token', run: (call) => list(call, workshop) },
  guarded('read', { verb: 'GET', path: ':type/:name', run: (call) => read(call, workshop) }, workshop),
  guarded('register', { verb: 'POST', path: ':type/:name', run: (call) => register(call, workshop) }, workshop),
  guarded('delete', { verb: 'DELETE', path: ':type/:name', run: (call) => remove(call, workshop) }, workshop),
]
