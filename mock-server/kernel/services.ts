import type { Access } from './access.ts'
import type { Call, Capability, Clock, Random, ServerFacts } from './contracts.ts'
import type { Entities } from './entities.ts'
import type { Keys } from './keys.ts'
import type { Leases } from './leases.ts'
import type { Mint } from './mint.ts'
import type { Mounts } from './mounts.ts'
import type { Addresses, Network } from './network.ts'
import type { PluginImages } from './plugin-images.ts'
import type { Ports } from './ports.ts'
import type { MountableEngine } from './room.ts'
import type { Seal } from './seal.ts'
import type { Storage } from './storage.ts'
import type { Tokens } from './tokens.ts'
import type { Manner } from './variation.ts'
import type { Wrapping } from './wrapping.ts'

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
  readonly ports: Ports
  readonly manner: () => Manner
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
