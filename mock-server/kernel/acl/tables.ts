import type { Capability } from '../contracts.ts'

/** A criterion that decides between two patterns that match the same path. */
export type Preference = 'later-wildcard' | 'no-glob' | 'fewer-segment-wildcards' | 'longer' | 'later-in-alphabet'
export type ParameterRule = 'required' | 'denied' | 'allowed'

/** The rules of ACL evaluation, as cells. */
export interface AclRules {
  /** A path without wildcards wins over every pattern. Among patterns, these criteria decide: the first one that
   * distinguishes two patterns says which of them applies. */
  readonly preferences: readonly Preference[]
  readonly glob: '*'
  readonly segmentWildcard: '+'
  /** Maps the capability that a request needs to the capabilities that grant it; any one of them is enough. */
  readonly grants: Readonly<Record<Capability, readonly Capability[]>>
  readonly parameterRules: readonly ParameterRule[]
  /** The parameters of a request are checked only if it needs one of these capabilities. */
  readonly parametersOf: readonly Capability[]
}

export const aclRules: AclRules = {
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
}
