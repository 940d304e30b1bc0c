import type { Access } from './acl/access.ts'
import type { Entities } from './auth/entities.ts'
import type { Keys } from './auth/operator-keys.ts'
import type { Seal } from './auth/seal.ts'
import type { Tokens } from './auth/tokens.ts'
import type { Wrapping } from './auth/wrapping.ts'
import type { Addresses, Network } from './cluster/network.ts'
import type { Call, Capability, Clock, Random, ServerFacts } from './contracts.ts'
import type { MountableEngine } from './engine.ts'
import type { ExtensionPoints } from './extension-points.ts'
import type { Leases } from './mounts/leases.ts'
import type { Mounts } from './mounts/mounts.ts'
import type { PluginImages } from './mounts/plugin-images.ts'
import type { Mint } from './state/mint.ts'
import type { Storage } from './state/storage.ts'
import type { Variation } from './variation.ts'

/** What a token may do: its ACL, compiled. */
export interface Acl {
  check(request: {
    readonly path: string
    readonly capability: Capability
    readonly list?: boolean
    readonly parameters?: Readonly<Record<string, unknown>>
    readonly wrapTtl?: number
  }): {
    readonly allowed: boolean
    readonly sudo: boolean
    readonly reason?: string
    readonly secondFactors?: readonly string[]
  }
  capabilities(path: string): readonly string[]
}

/** Who may do what, by the policies as they stand. */
export interface Authority {
  acl(names: readonly string[], identity?: Readonly<Record<string, string>>): Acl
  govern(request: { readonly call: Call; readonly login: boolean; readonly overridden: boolean }): {
    readonly allowed: boolean
    readonly warnings: readonly string[]
    readonly denied?: { readonly policy: string; readonly level: string }
  }
}

/** What engines are given. */
export interface Services {
  readonly clock: Clock
  readonly random: Random
  readonly mint: Mint
  readonly facts: () => ServerFacts
  /** Serves what the documents state, and nothing more. */
  readonly literal: boolean
  readonly tokens: Tokens
  readonly entities: Entities
  readonly leases: Leases
  readonly mounts: Mounts
  readonly wrapping: Wrapping
  readonly seal: Seal
  readonly authority: () => Authority
  readonly access: Access
  readonly mountable: readonly MountableEngine[]
  readonly extensions: ExtensionPoints
  readonly variation: () => Variation
  /** Where files of plugins lie; absent where the server has no such folder. */
  readonly pluginDirectory: string | undefined
  readonly pluginImages: PluginImages
  readonly keys: Keys
  /** Names this server as a cluster. */
  readonly cluster: { readonly id: string; readonly name: string }
  /** Asked for when the server has started, not while engines are made. */
  readonly storage: () => Storage
  readonly addresses: Addresses
  readonly network: Network
}
