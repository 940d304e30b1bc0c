import type { Capability } from '../contracts.ts'

/** A reason for which one of two patterns that match the same path decides. */
export type Preference = 'later-wildcard' | 'no-glob' | 'fewer-segment-wildcards' | 'longer' | 'later-in-alphabet'
export type ParameterRule = 'required' | 'denied' | 'allowed'

/** Every rule of ACL evaluation that is a choice. */
export interface AclRules {
  /** `deny` in one policy takes away what others grant on the same path. */
  readonly denyWins: boolean
  /** A path written out decides before any pattern. */
  readonly exactFirst: boolean
  /** The first reason that tells two patterns apart decides which of them counts. */
  readonly preferences: readonly Preference[]
  readonly glob: '*'
  readonly segmentWildcard: '+'
  /** What a request asks for → the words any one of which grants it. */
  readonly grants: Readonly<Record<Capability, readonly Capability[]>>
  readonly parameterRules: readonly ParameterRule[]
  /** What a request must ask for, for its parameters to be looked at. */
  readonly parametersOf: readonly Capability[]
  /** A request to list `a` also counts as one on `a/`. */
  readonly listMatchesSlash: boolean
  readonly wrappingBounds: boolean
}

export const aclRules: AclRules = {
  denyWins: true,
  exactFirst: true,
  preferences: ['later-wildcard', 'no-glob', 'fewer-segment-wildcards', 'longer', 'later-in-alphabet'],
  glob: '*',
  segmentWildcard: '+',
  grants: {
    create: ['create'],
    read: ['read'],
    update: ['update'],
    patch: ['patch'],
    delete: ['delete'],
    list: ['list'],
    sudo: ['sudo'],
    deny: [],
  },
  parameterRules: ['required', 'denied', 'allowed'],
  parametersOf: ['create', 'read', 'update', 'patch'],
  listMatchesSlash: true,
  wrappingBounds: true,
}
