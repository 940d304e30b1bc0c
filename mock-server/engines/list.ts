/** Lists every engine of the server. New engines are added here. A fixed engine is always there, at one prefix. A
 * mountable engine opens an instance for each mount of its type. */
import type { Fault } from '../faults/fault.ts'
import type { FixedEngine, MountableEngine } from '../kernel/engine.ts'
import type { Services } from '../kernel/services.ts'
import { createApprole } from './approle/index.ts'
import { createCeremony } from './ceremony/index.ts'
import { createCubbyhole } from './cubbyhole/index.ts'
import { createIdentity } from './identity/index.ts'
import { createKv } from './kv/index.ts'
import { createMfa } from './mfa/index.ts'
import { createPluginCatalog } from './plugin-catalog/index.ts'
import { createPolicies } from './policies/index.ts'
import type { createReplication } from './replication/index.ts'
import { createSystem } from './system/index.ts'
import { createTokenEngine } from './token/index.ts'
import { createUserpass } from './userpass/index.ts'

export interface Engines {
  /** These are in every namespace. */
  readonly fixed: readonly ((services: Services) => FixedEngine | readonly FixedEngine[])[]
  /** These are in the root namespace only. */
  readonly rootOnly: Engines['fixed']
  readonly mountable: readonly ((services: Services) => MountableEngine)[]
  /** Returns the faults of all engines, always in the same list. */
  readonly faults: Faults
}

export type Faults = () => readonly Fault<never>[]

type MakeMountable = Engines['mountable'][number]

/** The engines that take longest to load. A caller says how they are made. */
export interface LargeEngines {
  readonly createPki: MakeMountable
  readonly createCloud: MakeMountable
  readonly createAws: MakeMountable
  readonly createReplication: typeof createReplication
}

export const enginesWith = (
  { createPki, createCloud, createAws, createReplication }: LargeEngines,
  faults: Faults,
): Engines => ({
  faults,
  fixed: [...[createPolicies, createSystem, createTokenEngine, createCubbyhole, createIdentity, createMfa]],
  rootOnly: [createPluginCatalog, createCeremony, createReplication],
  mountable: [createKv, createPki, createUserpass, createApprole, createCloud, createAws],
})
