import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PolicySource } from './acl/policy-source.ts'
import type { NewToken } from './auth/tokens.ts'
import type { ReplicationKind } from './cluster/cluster-role.ts'
import type { Call, Reply } from './contracts.ts'
import type { Mount, MountKind } from './mounts/mount.ts'
import type { Plugin } from './mounts/plugins.ts'

/** A login whose password was right: the token that it asks for. Plain data, so that it can wait in a state file. */
export interface Login {
  readonly token: NewToken
  readonly mount: Pick<Mount, 'accessor' | 'type'>
}

/** Asks for more than a password or a token. */
export interface SecondFactorCheck {
  /** Undefined where the login may be granted at once; the reply that asks for more otherwise. Throws a refusal for what
   * the request brings and does not fit. */
  onLogin(login: Login, call: Call): Reply | undefined
  /** Of a request whose path has methods in the policies of its token: refuses it unless it brings what all ask for. */
  onRequest(call: Call, methods: readonly string[]): void
}

export interface PluginSource {
  /** Undefined where the type is not registered. Refuses one that must not run. */
  assertRunnable(kind: MountKind, type: string, version: string | undefined): Promise<Plugin | undefined>
}

/** Takes what other clusters send to the cluster address. */
export type ClusterTraffic = (request: IncomingMessage, response: ServerResponse) => void

/** Tokens that authorize what an operator does on a DR secondary. They live on this cluster only. */
export interface OperationTokens {
  isLive(token: string): boolean
  /** Ends all of them, and every attempt to make a token. To be called when the cluster's root key changes, and when it
   * becomes a DR secondary or ceases to be one. */
  end(): void
}

/** Key pairs of a cluster that is to become a secondary: credentials come encrypted to the public half. */
export interface SecondaryKeys {
  /** What only the holder of the private half can read. Refuses what is no public key. */
  encryptTo(kind: ReplicationKind, publicKey: string, text: string): string
  /** Has it the form that `encryptTo` makes? */
  isEncrypted(text: string): boolean
  /** Refuses what was encrypted to any key but the present one of that kind. */
  decrypt(kind: ReplicationKind, text: string): string
}

/** What the kernel asks engines for, set by the engine that has it. */
export interface ExtensionPoints {
  policies?: PolicySource
  clusterTraffic?: ClusterTraffic
  operationTokens?: OperationTokens
  secondaryKeys?: SecondaryKeys
  secondFactor?: SecondFactorCheck
  plugins?: PluginSource
}
