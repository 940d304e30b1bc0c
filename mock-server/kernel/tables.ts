/** The rules of the kernel, as cells. */
import type { Capability, Mutant, Verb } from './contracts.ts'

export interface KernelTables {
  /** What a token needs for a verb, where its route says nothing else. */
  readonly capabilityFor: Readonly<Record<Verb, Capability>>
  /** When a token's ACL is made: from the policies as they stand at each request, or at its first one. */
  readonly aclIsOf: 'each-request' | 'first-request'
  /** What becomes of a request that a token is not allowed. */
  readonly denied: 'forgotten' | 'done'
  /** What becomes of a JSON body that lacks its last brace. */
  readonly cutBody: 'refused' | 'completed'
}

export const kernelTables: KernelTables = {
  capabilityFor: { GET: 'read', LIST: 'list', POST: 'update', PATCH: 'patch', DELETE: 'delete' },
  aclIsOf: 'each-request',
  denied: 'forgotten',
  cutBody: 'refused',
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
]
