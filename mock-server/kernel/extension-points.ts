import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PolicySource } from './acl/policy-source.ts'
import type { NewToken } from './auth/tokens.ts'
import type { ClusterCertificate } from './cluster/cluster-listener.ts'
import type { ReplicationKind } from './cluster/cluster-role.ts'
import type { Call, Reply } from './contracts.ts'
import type { Answer, Checked, IncomingRequest } from './http/request-context.ts'
import type { Mount, MountKind } from './mounts/mount.ts'
import type { Plugin } from './mounts/plugins.ts'

/** A login with a valid password, and the token that it asks for. It is plain data, so that it can be saved in a state
 * file. */
export interface Login {
  readonly token: NewToken
  readonly mount: Pick<Mount, 'accessor' | 'type'>
}

/** Asks for more than a password or a token. */
export interface SecondFactorCheck {
  /** Returns undefined if the login may be granted at once, or else the reply that asks for a second factor. Refuses a
   * wrong second factor. */
  onLogin(login: Login, call: Call): Reply | undefined
  /** Called if the policies of the token name MFA methods for the path. Refuses the request unless it satisfies all of
   * them. */
  onRequest(call: Call, methods: readonly string[]): void
}

export interface PluginSource {
  /** Returns undefined if the type is not registered. Refuses a plugin that must not run. */
  assertRunnable(kind: MountKind, type: string, version: string | undefined): Promise<Plugin | undefined>
}

/** Handles what other clusters send to the cluster address. `serve` carries out a request of the API. */
export type ClusterTraffic = (
  request: IncomingMessage,
  response: ServerResponse,
  serve: (incoming: IncomingRequest) => Answer | Promise<Answer>,
) => void

/** Returns the answer of the primary. Refuses the request if the primary is out of reach. */
export type Forward = (request: IncomingRequest, checked: Checked) => Promise<Answer>

/** Tokens that authorize what an operator does on a DR secondary. They belong to this cluster only. */
export interface OperationTokens {
  isLive(token: string): boolean
  /** Ends all tokens, and every attempt to make one. Must be called when the root key of the cluster changes, and when
   * the cluster becomes a DR secondary or ceases to be one. */
  end(): void
}

/** Key pairs of a cluster that is to become a secondary. Its credentials are encrypted to the public key. */
export interface SecondaryKeys {
  /** Encrypts text for the holder of the private key. Refuses an invalid public key. */
  encryptTo(kind: ReplicationKind, publicKey: string, text: string): string
  /** Tells whether the text has the format that `encryptTo` makes. */
  isEncrypted(text: string): boolean
  /** Refuses what was encrypted to any key but the present one of that kind. */
  decrypt(kind: ReplicationKind, text: string): string
}

/** The kernel asks these questions of engines. Each engine sets its own part when it is opened. */
export interface ExtensionPoints {
  policies?: PolicySource
  clusterTraffic?: ClusterTraffic
  /** Returns what this cluster shows to others. */
  clusterCertificate?: () => ClusterCertificate | undefined
  forward?: Forward
  operationTokens?: OperationTokens
  secondaryKeys?: SecondaryKeys
  secondFactor?: SecondFactorCheck
  /** Returns the MFA methods that LIST names in the namespaces below this one, too, and how it shows each. */
  methodsBelow?: () => readonly (readonly [id: string, shown: object])[]
  plugins?: PluginSource
}
