/** Every engine of the server. A fixed engine is a function from the services to a room with a prefix; a mountable one is a
 * function from the services to a type that opens a room for each mount. New engines are added here, by hand. */

import type { FixedEngine, MountableEngine } from '../kernel/engine.ts'
import { mutantSet } from '../kernel/mutant-set.ts'
import type { Authority, Services } from '../kernel/services.ts'
import { createCeremony } from './ceremony/index.ts'
import { createAws, createCloud } from './cloud/index.ts'
import { createIdentity } from './identity/index.ts'
import { createKv } from './kv/index.ts'
import { createMfa } from './mfa/index.ts'
import { createPki } from './pki/index.ts'
import { createPluginCatalog } from './plugin-catalog/index.ts'
import { createPolicies, mutants, type PoliciesServices, policiesTables } from './policies/index.ts'
import { createReplication } from './replication/index.ts'
import { createSystem } from './system/index.ts'
import { createTokenEngine } from './token/index.ts'
import { createUserpass } from './userpass/index.ts'

/** Policies decide every request, so the kernel asks them: they come before the services. */
export interface PoliciesPart extends Authority {
  readonly engines: readonly FixedEngine[]
}

export interface Engines {
  readonly policies: (services: PoliciesServices) => PoliciesPart
  readonly fixed: readonly ((services: Services) => FixedEngine | readonly FixedEngine[])[]
  readonly mountable: readonly ((services: Services) => MountableEngine)[]
}

function openPolicies(services: PoliciesServices): PoliciesPart {
  const policies = createPolicies(services)
  const [first, ...others] = policies.routes
  if (!first) throw new Error('policies have no routes')
  const own = mutantSet(policiesTables, mutants, policies.useTables)
  return {
    ...policies,
    engines: [{ ...first, state: policies, mutants: own, inventory: policies.inventory }, ...others],
  }
}

export const engines: Engines = {
  policies: openPolicies,
  fixed: [
    createSystem,
    createTokenEngine,
    createIdentity,
    createPluginCatalog,
    createMfa,
    createCeremony,
    createReplication,
  ],
  mountable: [createKv, createPki, createUserpass, createCloud, createAws],
}
