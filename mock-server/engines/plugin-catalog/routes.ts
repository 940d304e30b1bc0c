/** The endpoints of the plugin catalog: document 2, Plugin catalog. */
import type { Route } from '../../kernel/contracts.ts'
import type { Context } from './context.ts'
import { list, listAll, read, register, remove } from './handlers.ts'

const plugin = { path: ':type/:name', access: 'sudo' } as const

export const routesOf = (context: Context): readonly Route[] => [
  { verb: 'GET', path: '', access: 'token', handle: () => listAll(context) },
  { verb: 'LIST', path: ':type', access: 'token', handle: (call) => list(call, context) },
  { verb: 'GET', ...plugin, handle: (call) => read(call, context) },
  { verb: 'POST', ...plugin, handle: (call) => register(call, context) },
  { verb: 'DELETE', ...plugin, handle: (call) => remove(call, context) },
]
