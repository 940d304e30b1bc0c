/** The rules of the kernel, as cells, and the mutants that change them. */
import type { Capability, Mutant, Verb } from './contracts.ts'

export interface KernelTables {
  /** The capability that a token needs for a verb, unless its route names another. */
  readonly capabilityFor: Readonly<Record<Verb, Capability>>
  /** The ACL of a token follows the current policies, or those at the token's first request. */
  readonly aclIsOf: 'each-request' | 'first-request'
  /** A request that is denied has no effect (`forgotten`), or is carried out nevertheless (`done`). */
  readonly denied: 'forgotten' | 'done'
  /** A JSON body without its last brace is refused, or completed and accepted. */
  readonly cutBody: 'refused' | 'completed'
  /** What the method LIST is read as. Without an entry, the method is unknown; GET with `?list=true` still lists. */
  readonly listMethod: 'LIST' | 'GET' | undefined
}

export const kernelTables: KernelTables = {
  capabilityFor: { GET: 'read', LIST: 'list', POST: 'update', PATCH: 'patch', DELETE: 'delete' },
  aclIsOf: 'each-request',
  denied: 'forgotten',
  cutBody: 'refused',
  listMethod: 'LIST',
}

export const kernelMutants: readonly Mutant<KernelTables>[] = [
  {
    id: 'kernel/token-freezes-its-acl',
    does: 'The ACL of a token is compiled at its first use and never again: later changes of policies do not reach it.',
    change: (tables) => ({ ...tables, aclIsOf: 'first-request' }),
  },
  {
    id: 'kernel/denied-requests-act',
    does: 'A request that its token is not allowed is answered with a denial, and done all the same.',
    change: (tables) => ({ ...tables, denied: 'done' }),
  },
  {
    id: 'kernel/cut-json-is-completed',
    does: 'A JSON body that lacks its last brace is read as if it had it.',
    change: (tables) => ({ ...tables, cutBody: 'completed' }),
  },
  {
    id: 'kernel/list-method-is-unknown',
    does: 'The method LIST is refused; GET with `?list=true` lists.',
    change: (tables) => ({ ...tables, listMethod: undefined }),
  },
  {
    id: 'kernel/list-method-reads',
    does: 'The method LIST does what GET does; GET with `?list=true` lists.',
    change: (tables) => ({ ...tables, listMethod: 'GET' }),
  },
]
