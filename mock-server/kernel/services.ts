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
import type { Namespace } from './namespaces/namespace.ts'
import type { PolicyLanguage } from './policy-language.ts'
import type { Mint } from './state/mint.ts'
import type { StatePart } from './state/state-part.ts'
import type { Storage } from './state/storage.ts'
import type { Variation } from './variation.ts'

/** The namespaces directly below one namespace. */
export interface Namespaces extends StatePart {
  /** The namespace above them. */
  readonly here: Namespace
  all(): readonly Namespace[]
  find(name: string): Namespace | undefined
  create(name: string, metadata: Namespace['metadata']): Namespace
  change(name: string, metadata: Namespace['metadata']): Namespace
  /** Revokes the leases and tokens of a namespace, and removes everything in it. Refuses a namespace that has
   * namespaces below it. */
  remove(name: string): Promise<void>
  /** Returns the services that the engines in a namespace work with. */
  servicesOf(name: string): Services | undefined
  /** Creates the namespace as another cluster has it. If it already exists, only its metadata is updated; if another
   * namespace has its name, that one is removed first. */
  adopt(namespace: Namespace): Services
  /** Removes a namespace that another cluster no longer has. */
  drop(name: string): void
}

/** Engines receive these services when they are opened. */
export interface Services {
  readonly clock: Clock
  readonly random: Random
  readonly mint: Mint
  readonly facts: ServerFacts
  /** If true, the server serves exactly what the documents state. */
  readonly literal: boolean
  readonly policyLanguage: PolicyLanguage
  /** If true, RSA keys are made from published primes. */
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
