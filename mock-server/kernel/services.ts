import type { Access } from './acl/access.ts'
import type { Entities } from './auth/entities.ts'
import type { Keys } from './auth/operator-keys.ts'
import type { Seal } from './auth/seal.ts'
import type { Tokens } from './auth/tokens.ts'
import type { Wrapping } from './auth/wrapping.ts'
import type { ClusterRole } from './cluster/cluster-role.ts'
import type { Addresses, Network } from './cluster/network.ts'
import type { Nodes } from './cluster/nodes.ts'
import type { Clock, Random, ServerFacts } from './contracts.ts'
import type { MountableEngine } from './engine.ts'
import type { ExtensionPoints } from './extension-points.ts'
import type { Leases } from './mounts/leases.ts'
import type { Mounts } from './mounts/mounts.ts'
import type { PluginImages } from './mounts/plugins.ts'
import type { Namespaces } from './namespaces/namespaces.ts'
import type { PolicyLanguage } from './policy-language.ts'
import type { Mint } from './state/mint.ts'
import type { Storage } from './state/storage.ts'
import type { Variation } from './variation.ts'

/** Engines receive these services when they are opened. */
export interface Services {
  readonly clock: Clock
  readonly random: Random
  readonly mint: Mint
  readonly facts: ServerFacts
  /** If true, the server serves exactly what the documents state. */
  readonly literal: boolean
  readonly policyLanguage: PolicyLanguage
  /** If true, RSA keys are made of primes that everybody knows. */
  readonly testKeys: boolean
  readonly tokens: Tokens
  readonly entities: Entities
  readonly leases: Leases
  readonly mounts: Mounts
  readonly wrapping: Wrapping
  readonly seal: Seal
  readonly access: Access
  readonly mountable: readonly MountableEngine[]
  readonly extensions: ExtensionPoints
  readonly variation: () => Variation
  /** The folder of plugin files. It is undefined if the server has none. */
  readonly pluginDirectory: string | undefined
  readonly pluginImages: PluginImages
  readonly keys: Keys
  /** Identifies this server as a cluster. */
  readonly cluster: { readonly id: string; readonly name: string }
  readonly storage: Storage
  readonly namespaces: Namespaces
  readonly clusterRole: ClusterRole
  readonly addresses: Addresses
  readonly nodes: Nodes
  readonly network: Network
}
